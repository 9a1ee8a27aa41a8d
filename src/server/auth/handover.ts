import {and, eq, gt, lte} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {hashToken, randomToken} from '../secrets.ts'
import {loginHandovers} from '../store/schema/people.ts'
import {after} from './tokens.ts'

/**
 * A sign-in on a page that was opened directly (a bookmark, the address of a QR code) has no target for a code: only
 * the app can begin a login (security R09). So the browser keeps this proof for a minute, the app begins a login, and
 * the login page then answers without a form. It is stored as a hash, spent at its first use and good for nothing else
 * (docs/decisions/0019).
 */
export const handoverCookieName = 'atrium_handover'
export const handoverSeconds = 60

type Deps = Pick<ServerDeps, 'database' | 'now'>

/** The proof for a user who has just proven who they are. */
export async function issueHandover({database, now}: Deps, userId: string): Promise<string> {
  const token = randomToken()
  await database.asSystem(async (transaction) => {
    await transaction.delete(loginHandovers).where(lte(loginHandovers.expiresAt, now()))
    await transaction
      .insert(loginHandovers)
      .values({hash: hashToken(token), userId, expiresAt: after(now(), handoverSeconds)})
  })
  return token
}

/** The user who signed in here a moment ago. Of several calls with one proof only the first learns it. */
export async function spendHandover({database, now}: Deps, token: string | undefined): Promise<string | undefined> {
  if (token === undefined || token === '') return undefined
  const [spentRow] = await database.asSystem((transaction) =>
    transaction
      .delete(loginHandovers)
      .where(and(eq(loginHandovers.hash, hashToken(token)), gt(loginHandovers.expiresAt, now())))
      .returning({userId: loginHandovers.userId}),
  )
  return spentRow?.userId
}
