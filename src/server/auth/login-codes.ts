import {createHash} from 'node:crypto'
import {eq, lt} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import {hashToken, isSameSecret, randomToken} from '../secrets.ts'
import {loginCodes} from '../store/schema/people.ts'
import {parseRedirectUri, type RedirectUri} from './redirect-uri.ts'
import {after, invalidGrant, isSameClient, revokeFamily, startFamily, type IssuedTokens} from './tokens.ts'

/** Life of a code (security R10). */
const codeSeconds = 60
/** A spent code is remembered this long, to notice its second use. */
const rememberedSeconds = 24 * 60 * 60

type Deps = Pick<ServerDeps, 'config' | 'database' | 'now' | 'secrets'>

/** A code for a user who has just proven who they are, bound to redirect, page and challenge. Stored as a hash. */
export async function issueCode(
  deps: Deps,
  {userId, redirectUri, challenge}: {userId: string; redirectUri: RedirectUri; challenge: string | undefined},
): Promise<string> {
  const code = randomToken()
  const now = deps.now()
  await deps.database.asSystem(async (transaction) => {
    await transaction.delete(loginCodes).where(lt(loginCodes.expiresAt, after(now, -rememberedSeconds)))
    await transaction.insert(loginCodes).values({
      hash: hashToken(code),
      userId,
      redirectUri: redirectUri.href,
      client: redirectUri.origin,
      challenge,
      expiresAt: after(now, codeSeconds),
    })
  })
  return code
}

/**
 * S256 of RFC 7636. With a challenge the verifier is required, without one it is refused (security R10). The specified
 * client sends no challenge (spec §7), so a code may be without; ours always does.
 */
function provesChallenge(challenge: string | null, verifier: string | undefined): boolean {
  if (challenge === null) return verifier === undefined
  if (verifier === undefined) return false
  return isSameSecret(challenge, createHash('sha256').update(verifier).digest('base64url'))
}

export type CodeExchangeRequest = {
  code: string
  verifier: string | undefined
  redirectUri: string | undefined
  origin: string | undefined
  /** `User-Agent` of the browser that signs in. */
  agent?: string | undefined
}

/**
 * Spends a code. Any attempt spends it, also one with a wrong verifier; a second use of a spent code ends the sign-in
 * the first one began, since one of the two was not the owner (security R10).
 *
 * @throws HttpFailure 400 `invalid_grant`
 */
export async function exchangeCode(deps: Deps, exchange: CodeExchangeRequest): Promise<IssuedTokens> {
  const hash = hashToken(exchange.code)
  // a throw inside would roll the spending back
  const tokens = await deps.database.asSystem(async (transaction) => {
    const [row] = await transaction.select().from(loginCodes).where(eq(loginCodes.hash, hash)).for('update')
    if (row === undefined) return undefined
    if (row.usedAt !== null) {
      if (row.familyId !== null) await revokeFamily(deps, transaction, row.familyId)
      return undefined
    }
    const now = deps.now()
    const valid =
      row.expiresAt > now &&
      provesChallenge(row.challenge, exchange.verifier) &&
      (exchange.redirectUri === undefined || parseRedirectUri(exchange.redirectUri)?.href === row.redirectUri) &&
      isSameClient(deps, exchange.origin, row.client)
    const login = valid
      ? await startFamily(deps, transaction, {
          userId: row.userId,
          client: row.client,
          agent: exchange.agent,
        })
      : undefined
    await transaction.update(loginCodes).set({usedAt: now, familyId: login?.familyId}).where(eq(loginCodes.hash, hash))
    return login?.tokens
  })
  if (tokens === undefined) throw invalidGrant()
  return tokens
}
