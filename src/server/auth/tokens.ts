import {and, eq, isNull, lt} from 'drizzle-orm'
import type {TokenResponse} from '#contract/oauth.ts'
import type {ServerDeps} from '../deps.ts'
import {HttpFailure} from '../http/failure.ts'
import {hashToken, isSameSecret, randomToken} from '../secrets.ts'
import type {Transaction} from '../store/database.ts'
import {accessTokens, tokenFamilies} from '../store/schema/people.ts'
import {credentials} from '../store/schema/platform.ts'
import {pageOrigins} from './origins.ts'

/** Life of an access token (security R15). */
const accessSeconds = 15 * 60
/** A sign-in ends when it was not refreshed for this long. */
const refreshSeconds = 30 * 24 * 60 * 60
/** Every sign-in ends this long after it began, however often it is refreshed. */
const longestSeconds = 90 * 24 * 60 * 60
/** A replay this soon after a rotation is a lost answer, not a thief. */
const rotationGraceSeconds = 30
/** Tells user tokens from credential tokens without a look into the database. */
export const accessTokenPrefix = 'at-'

type Deps = Pick<ServerDeps, 'config' | 'database' | 'now' | 'secrets'>
export type IssuedTokens = Required<TokenResponse> & {token_type: 'Bearer'}

export const after = (now: Date, seconds: number): Date => new Date(now.getTime() + seconds * 1000)

/** The same failure for every reason: it must not reveal which part was wrong. */
export const invalidGrant = () => new HttpFailure(400, 'invalid_grant', 'signInEnded')

/** Whether a page may use tokens of `client`: the same origin, or both are our own page under different names. */
export function isSameClient(deps: Pick<Deps, 'config'>, origin: string | undefined, client: string): boolean {
  const own = pageOrigins(deps)
  return origin === undefined || origin === client || (own.includes(origin) && own.includes(client))
}

/** `family.generation.signature`: computed, so that a replay within the grace gets the same successor (decision 2). */
const refreshToken = ({secrets}: Deps, familyId: string, generation: number): string => {
  const body = `${familyId}.${generation}`
  return `${body}.${secrets.sign('refresh', body)}`
}

const refreshPattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.([\w-]{43})$/

function readRefreshToken({secrets}: Deps, token: string): {familyId: string; generation: number} | undefined {
  const [, familyId, generation, signature] = refreshPattern.exec(token) ?? []
  if (familyId === undefined || generation === undefined || signature === undefined) return undefined
  const expectedSecret = secrets.sign('refresh', `${familyId}.${generation}`)
  if (!isSameSecret(expectedSecret, signature)) return undefined
  return {familyId, generation: Number(generation)}
}

async function tokensOf(
  deps: Deps,
  transaction: Transaction,
  {familyId, userId, generation}: {familyId: string; userId: string; generation: number},
): Promise<IssuedTokens> {
  const token = `${accessTokenPrefix}${randomToken()}`
  const now = deps.now()
  await transaction
    .insert(accessTokens)
    .values({hash: hashToken(token), familyId, userId, generation, expiresAt: after(now, accessSeconds)})
  await transaction
    .delete(accessTokens)
    .where(and(eq(accessTokens.familyId, familyId), lt(accessTokens.expiresAt, now)))
  return {
    access_token: token,
    refresh_token: refreshToken(deps, familyId, generation),
    expires_in: accessSeconds,
    token_type: 'Bearer',
  }
}

/** `agent` is the `User-Agent` of the browser that signs in. */
export type NewSession = {userId: string; client: string; agent?: string | undefined}
const longestAgent = 256

/** Begins a sign-in of one browser: a new family and its first tokens. `client`: the origin of its page. */
export async function startFamily(
  deps: Deps,
  transaction: Transaction,
  {userId, client, agent}: NewSession,
): Promise<{familyId: string; tokens: IssuedTokens}> {
  const now = deps.now()
  const [family] = await transaction
    .insert(tokenFamilies)
    .values({
      userId,
      client,
      agent: agent?.slice(0, longestAgent),
      createdAt: now,
      expiresAt: after(now, refreshSeconds),
    })
    .returning({id: tokenFamilies.id})
  if (family === undefined) throw new Error('A token family was not stored.')
  const tokens = await tokensOf(deps, transaction, {familyId: family.id, userId, generation: 0})
  return {familyId: family.id, tokens}
}

/** `startFamily` in a transaction of its own. */
export const issueTokens = (deps: Deps, session: NewSession) =>
  deps.database.asSystem((transaction) => startFamily(deps, transaction, session))

/** Ends a sign-in: its tokens and the browser credentials made in it. Doing it again changes nothing. */
export async function revokeFamily(deps: Pick<Deps, 'now'>, transaction: Transaction, familyId: string): Promise<void> {
  const revokedAt = deps.now()
  await transaction
    .update(tokenFamilies)
    .set({revokedAt})
    .where(and(eq(tokenFamilies.id, familyId), isNull(tokenFamilies.revokedAt)))
  await transaction.delete(accessTokens).where(eq(accessTokens.familyId, familyId))
  await transaction
    .update(credentials)
    .set({revokedAt, updatedAt: revokedAt})
    .where(and(eq(credentials.familyId, familyId), isNull(credentials.revokedAt)))
}

/** Signs out by refresh token, whatever its generation. A token that is not ours is nothing to end. */
export async function revokeByRefreshToken(deps: Deps, token: string): Promise<void> {
  const reading = readRefreshToken(deps, token)
  if (reading) await deps.database.asSystem((transaction) => revokeFamily(deps, transaction, reading.familyId))
}

/**
 * Rotation (security R15). The family's row is locked, so parallel calls with one token agree: the first rotates, the
 * others get the same successor for 30 s. A token replayed later was stolen or lost: the whole family ends.
 *
 * @throws HttpFailure 400 `invalid_grant`
 */
export async function refreshTokens(deps: Deps, token: string, origin: string | undefined): Promise<IssuedTokens> {
  const reading = readRefreshToken(deps, token)
  if (reading === undefined) throw invalidGrant()
  const {familyId, generation} = reading
  // a throw inside would roll the revocation back
  const tokens = await deps.database.asSystem(async (transaction) => {
    const [family] = await transaction.select().from(tokenFamilies).where(eq(tokenFamilies.id, familyId)).for('update')
    const now = deps.now()
    if (family === undefined || family.revokedAt !== null || family.expiresAt <= now) return undefined
    // no rotation for a page of another origin, and no revocation either: it proves nothing about the owner
    if (!isSameClient(deps, origin, family.client)) return undefined
    const {userId} = family
    if (generation === family.generation) {
      const end = Math.min(after(now, refreshSeconds).getTime(), after(family.createdAt, longestSeconds).getTime())
      const nextState = {generation: generation + 1, rotatedAt: now, expiresAt: new Date(end)}
      await transaction.update(tokenFamilies).set(nextState).where(eq(tokenFamilies.id, familyId))
      return tokensOf(deps, transaction, {familyId, userId, generation: generation + 1})
    }
    const graceEnds = family.rotatedAt && after(family.rotatedAt, rotationGraceSeconds)
    if (generation === family.generation - 1 && graceEnds && now <= graceEnds) {
      return tokensOf(deps, transaction, {familyId, userId, generation: family.generation})
    }
    await revokeFamily(deps, transaction, familyId)
    return undefined
  })
  if (tokens === undefined) throw invalidGrant()
  return tokens
}
