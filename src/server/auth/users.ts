import {and, eq, isNull, sql} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {isUuid} from '../platform/fields.ts'
import type {Transaction} from '../store/database.ts'
import {users} from '../store/schema/people.ts'
import {hashPassword, noPassword, verifyPassword} from './password.ts'

type Deps = Pick<ServerDeps, 'database' | 'now'>
export type UserRow = typeof users.$inferSelect

/** Number of the lock that orders registrations, so that exactly one of two first accounts is the first. */
const registrationLock = 70_241

/** As it is stored and compared: without surrounding space, in lower case. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()

/** Checks the form only: something, one `@`, a host; no space or control character. Not the owner. */
export const isEmail = (email: string): boolean =>
  email.length <= 254 && /^[^\s@\u0000-\u001f\u007f-\u009f<>"]{1,64}@[^\s@\u0000-\u001f\u007f-\u009f<>"]+$/.test(email)

const byEmail = async (transaction: Transaction, email: string): Promise<UserRow | undefined> => {
  const [user] = await transaction
    .select()
    .from(users)
    .where(eq(sql`lower(${users.email})`, normalizeEmail(email)))
    .limit(1)
  return user
}

const findUserByEmail = (deps: Pick<Deps, 'database'>, email: string): Promise<UserRow | undefined> =>
  deps.database.asSystem((transaction) => byEmail(transaction, email))

/**
 * The inviter of a new user, if the value is the id of an account. Any other value is no inviter, and no error.
 */
async function existingInviter(transaction: Transaction, candidates: readonly (string | null | undefined)[]) {
  for (const candidate of candidates) {
    if (candidate == null || !isUuid(candidate)) continue
    const [inviter] = await transaction
      .select({id: users.id})
      .from(users)
      .where(and(eq(users.id, candidate), isNull(users.deletedAt)))
      .limit(1)
    if (inviter) return inviter.id
  }
  return undefined
}

export type NewUser = {
  email: string
  /** Without one nobody can sign in to the account until an operator sets it. */
  password?: string
  nickname?: string
  /** Overrides the rule that the first account of an installation is its operator. */
  role?: UserRow['role']
  /** Asked under the lock of registrations; throws to refuse the account. */
  admit?: (isFirst: boolean) => void
  /** In order of preference (spec §6); the first that is an account is kept. */
  inviters?: readonly (string | null | undefined)[]
}

/** The new account, or `undefined` when the address has one already. The first account of an installation runs it. */
export async function createUser(deps: Deps, {email, password, ...rest}: NewUser): Promise<UserRow | undefined> {
  // before the transaction: hashing is slow and the lock is for all
  const passwordHash = password === undefined ? noPassword : await hashPassword(password)
  return deps.database.asSystem(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(${registrationLock})`)
    const [anybody] = await transaction.select({id: users.id}).from(users).limit(1)
    rest.admit?.(anybody === undefined)
    if (await byEmail(transaction, email)) return undefined
    const now = deps.now()
    const [user] = await transaction
      .insert(users)
      .values({
        email: normalizeEmail(email),
        passwordHash,
        nickname: rest.nickname,
        role: rest.role ?? (anybody ? 'member' : 'operator'),
        inviterId: await existingInviter(transaction, rest.inviters ?? []),
        createdAt: now,
        updatedAt: now,
      })
      .returning()
    return user
  })
}

/** The account when the password is right; `undefined` for an unknown address or wrong password, after equal work. */
export async function checkPassword(
  deps: Pick<Deps, 'database'>,
  email: string,
  password: string,
): Promise<UserRow | undefined> {
  const user = await findUserByEmail(deps, email)
  return (await verifyPassword(password, user?.passwordHash)) ? user : undefined
}
