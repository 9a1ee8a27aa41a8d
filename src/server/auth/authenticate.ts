import {and, eq, gt, isNull, or} from 'drizzle-orm'
import type {ServerDeps} from '../deps.ts'
import type {Policy} from '../http/route.ts'
import {hashToken} from '../secrets.ts'
import {accessTokens, tokenFamilies, users} from '../store/schema/people.ts'
import {credentials} from '../store/schema/platform.ts'
import type {Identity} from './identity.ts'
import {parseOrigin} from './redirect-uri.ts'
import {accessTokenPrefix} from './tokens.ts'

type Deps = Pick<ServerDeps, 'database' | 'now'>

/** RFC 6750; any other header counts as no token. */
const bearerOf = (request: Request): string | undefined =>
  /^Bearer ([\w.~+/-]{16,512}=*)$/i.exec(request.headers.get('authorization') ?? '')?.[1]

async function userIdentity(deps: Deps, token: string): Promise<Identity | undefined> {
  const now = deps.now()
  const [row] = await deps.database.asSystemOnce((transaction) =>
    transaction
      .select({userId: users.id, role: users.role, familyId: tokenFamilies.id})
      .from(accessTokens)
      .innerJoin(tokenFamilies, eq(tokenFamilies.id, accessTokens.familyId))
      .innerJoin(users, eq(users.id, accessTokens.userId))
      .where(
        and(
          eq(accessTokens.hash, hashToken(token)),
          gt(accessTokens.expiresAt, now),
          gt(tokenFamilies.expiresAt, now),
          isNull(tokenFamilies.revokedAt),
        ),
      )
      .limit(1),
  )
  return row && {...row, credentialId: undefined, applicationId: undefined}
}

async function credentialIdentity(deps: Deps, token: string, origin: string | null): Promise<Identity | undefined> {
  const [row] = await deps.database.asSystemOnce((transaction) =>
    transaction
      .select({
        userId: users.id,
        role: users.role,
        familyId: credentials.familyId,
        credentialId: credentials.id,
        applicationId: credentials.applicationId,
        host: credentials.host,
      })
      .from(credentials)
      .innerJoin(users, eq(users.id, credentials.userId))
      .where(
        and(
          eq(credentials.tokenHash, hashToken(token)),
          isNull(credentials.revokedAt),
          or(isNull(credentials.expiredAt), gt(credentials.expiredAt, deps.now())),
        ),
      )
      .limit(1),
  )
  if (row === undefined) return undefined
  const {host, familyId, ...identity} = row
  // a key made for a browser's page works from no other page; a program states no origin and could claim any
  if (origin !== null && parseOrigin(host ?? undefined) !== undefined && origin !== host) return undefined
  return {...identity, familyId: familyId ?? undefined}
}

/**
 * The one authentication function (security R19): who a request is from, by its bearer token only. Each policy takes
 * its own kind of token: a credential never manages, an access token never asks a model.
 */
export const createAuthenticate =
  (deps: Deps) =>
  async (request: Request, policy: Policy): Promise<Identity | undefined> => {
    const token = bearerOf(request)
    if (token === undefined) return undefined
    if (policy === 'credential') return credentialIdentity(deps, token, request.headers.get('origin'))
    return token.startsWith(accessTokenPrefix) ? userIdentity(deps, token) : undefined
  }
