import {and, eq, gt, isNull, ne} from 'drizzle-orm'
import type {AccountSession} from '#contract/account.ts'
import type {Identity} from '../auth/identity.ts'
import {revokeFamily} from '../auth/tokens.ts'
import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import {present} from '../platform/fields.ts'
import {readPage, type PageSelection} from '../platform/paging.ts'
import type {Transaction} from '../store/database.ts'
import {tokenFamilies} from '../store/schema/people.ts'

type Deps = Pick<ServerDeps, 'database' | 'now'>

const isLive = (now: Date) => and(isNull(tokenFamilies.revokedAt), gt(tokenFamilies.expiresAt, now))

/** The live sign-ins of the caller. */
export const listSessions = ({database, now}: Deps, {userId, familyId}: Identity, page: PageSelection) =>
  database.asUser(userId, async (transaction) => {
    const {rows, count} = await readPage(transaction, tokenFamilies, isLive(now()), page)
    const items = rows.map((row): AccountSession =>
      present({
        id: row.id,
        client: row.client,
        agent: row.agent,
        current: row.id === familyId,
        created_at: row.createdAt.toISOString(),
        refreshed_at: row.rotatedAt?.toISOString(),
        expires_at: row.expiresAt.toISOString(),
      }),
    )
    return {count, items}
  })

/** Ends one sign-in of the caller with its tokens and browser keys, also the one that asks. */
export async function endSession({database, now}: Deps, {userId}: Identity, id: string): Promise<void> {
  await database.asSystem(async (transaction) => {
    const [family] = await transaction
      .select({id: tokenFamilies.id})
      .from(tokenFamilies)
      .where(and(eq(tokenFamilies.id, id), eq(tokenFamilies.userId, userId), isLive(now())))
    if (family === undefined) throw notFound()
    await revokeFamily({now}, transaction, family.id)
  })
}

/** Ends all sign-ins of a user, `except` one where it is given. */
export async function endOtherSessions(
  {now}: Pick<Deps, 'now'>,
  transaction: Transaction,
  userId: string,
  except: string | undefined,
): Promise<void> {
  const others = await transaction
    .select({id: tokenFamilies.id})
    .from(tokenFamilies)
    .where(
      and(
        eq(tokenFamilies.userId, userId),
        isNull(tokenFamilies.revokedAt),
        except === undefined ? undefined : ne(tokenFamilies.id, except),
      ),
    )
  for (const {id} of others) await revokeFamily({now}, transaction, id)
}
