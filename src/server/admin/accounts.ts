import {randomBytes} from 'node:crypto'
import {eq, sql} from 'drizzle-orm'
import {endOtherSessions} from '../account/sessions.ts'
import {hashPassword} from '../auth/password.ts'
import {createUser, isEmail, normalizeEmail} from '../auth/users.ts'
import {StartFailure} from '../start-failure.ts'
import {verificationCode} from '../platform/verification.ts'
import type {Secrets} from '../secrets.ts'
import type {Database, Transaction} from '../store/database.ts'
import {users} from '../store/schema/people.ts'

/** The id of the account with this address. Throws `StartFailure` when there is none. */
export async function findAccount(transaction: Transaction, email: string): Promise<string> {
  const [user] = await transaction
    .select({id: users.id})
    .from(users)
    .where(eq(sql`lower(${users.email})`, email.trim().toLowerCase()))
  if (!user) throw new StartFailure(`There is no account ${email}.`)
  return user.id
}

/** A new account with a random password, which is shown once. It works also where REGISTRATION=closed. */
export async function makeAccount(
  database: Database,
  email: string,
  now: () => Date,
): Promise<{email: string; password: string; isOperator: boolean}> {
  if (!isEmail(normalizeEmail(email))) throw new StartFailure(`${email} is no e-mail address.`)
  const password = randomBytes(15).toString('base64url')
  const user = await createUser({database, now}, {email, password})
  if (user === undefined) throw new StartFailure(`${email} has an account already.`)
  return {email: user.email, password, isOperator: user.role === 'operator'}
}

/** Sets a new random password and ends every sign-in of the account. Returns the password, which is shown once. */
export async function resetPassword(database: Database, email: string, now: () => Date): Promise<string> {
  const password = randomBytes(15).toString('base64url')
  const passwordHash = await hashPassword(password)
  await database.asSystem(async (transaction) => {
    const id = await findAccount(transaction, email)
    await transaction.update(users).set({passwordHash, updatedAt: now()}).where(eq(users.id, id))
    await endOtherSessions({now}, transaction, id, undefined)
  })
  return password
}

/** Lets the account run the installation. Doing it again changes nothing. */
export async function makeAdministrator(database: Database, email: string, now: () => Date): Promise<void> {
  await database.asSystem(async (transaction) => {
    const id = await findAccount(transaction, email)
    await transaction.update(users).set({role: 'operator', updatedAt: now()}).where(eq(users.id, id))
  })
}

/** The code by which an account confirms its address (PUT /users/verify): the operator passes it on, without mail. */
export async function readVerificationCode(database: Database, secrets: Secrets, email: string): Promise<string> {
  return database.asSystem(async (transaction) => {
    const id = await findAccount(transaction, email)
    const [account] = await transaction.select({id: users.id, email: users.email}).from(users).where(eq(users.id, id))
    if (!account) throw new StartFailure(`There is no account ${email}.`)
    return verificationCode(secrets, account)
  })
}
