import {randomBytes} from 'node:crypto'
import {and, eq} from 'drizzle-orm'
import {safeReturnPath} from '#domain/safe-return-path.ts'
import {isAllowedOrigin} from '../auth/origins.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import {shortLinks} from '../store/schema/distribution.ts'

/** Short links of one user; the screens make one for each site. */
const mostLinks = 50
const codePattern = /^\/s\/([A-Za-z0-9_-]{16})$/

/**
 * A short link to a page of this installation: 96 random bits behind `/s/` of the same origin. The same address again
 * is the same link. Only the path is stored, so that a link never leads to another origin.
 *
 * @throws HttpFailure 400 for an address elsewhere, 429 when the user has too many
 */
export async function createShortLink(
  deps: ServerDeps,
  {userId, content, request}: {userId: string; content: string; request: Request},
): Promise<string> {
  const address = URL.canParse(content) ? new URL(content) : undefined
  const isOwn = address !== undefined && (await isAllowedOrigin(deps, request, address.origin))
  const path = isOwn ? safeReturnPath(address.href, address.origin) : undefined
  if (address === undefined || path === undefined) throw badRequest('fieldInvalid', 'content')
  const code = await deps.database.asUser(userId, async (transaction) => {
    const isSame = and(eq(shortLinks.userId, userId), eq(shortLinks.path, path))
    const read = () => transaction.select({code: shortLinks.code}).from(shortLinks).where(isSame)
    const [storedLink] = await read()
    if (storedLink) return storedLink.code
    if ((await transaction.$count(shortLinks)) >= mostLinks) {
      const retryAfterSeconds = 3_600
      throw new HttpFailure(429, 'too_many_requests', 'tooManyRequests', {
        values: {seconds: retryAfterSeconds},
        retryAfterSeconds,
      })
    }
    await transaction
      .insert(shortLinks)
      .values({code: randomBytes(12).toString('base64url'), userId, path, createdAt: deps.now()})
      .onConflictDoNothing()
    const [newLink] = await read()
    if (newLink === undefined) throw new Error('A short link was not kept')
    return newLink.code
  })
  return `${address.origin}/s/${code}`
}

/** Finds the target of a short link: a path of the same origin. `undefined`: there is no such link. */
export async function findShortLink(
  {database}: Pick<ServerDeps, 'database'>,
  path: string,
): Promise<string | undefined> {
  const code = codePattern.exec(path)?.[1]
  if (code === undefined) return undefined
  const [link] = await database.asSystem((transaction) =>
    transaction.select({path: shortLinks.path}).from(shortLinks).where(eq(shortLinks.code, code)),
  )
  return link?.path
}
