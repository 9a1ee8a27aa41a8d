import {readFile} from 'node:fs/promises'
import {promisify} from 'node:util'
import {brotliCompress, brotliDecompress, constants} from 'node:zlib'
import {eq, sql} from 'drizzle-orm'
import {getMimeType} from 'hono/utils/mime'
import type {Database} from '../store/database.ts'
import {buildFiles} from '../store/schema/installation.ts'
import {acceptedEncodings} from './compress.ts'
import {keptForEver, type BuildAsset} from './static-files.ts'

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/** How long the files of an older build are kept. A page that is open for longer has to be loaded again. */
const keepTime = sql`interval '30 days'`
/** The row of a build is refreshed at most once in this time, however often servers start. */
const refreshTime = sql`interval '1 day'`
const mostAtOnce = 50
/** For the few that the build left as they are. */
const quality = {params: {[constants.BROTLI_PARAM_QUALITY]: 5}}

/**
 * Keeps the files of this build for nodes and pages of others, and lets go those that no server has had for 30 days.
 * Before this node serves a page: any node may be asked for what the page loads.
 */
export async function keepBuildFiles({asSystem}: Database, assets: readonly BuildAsset[]): Promise<void> {
  const paths = sql.param(assets.map(({path}) => path))
  const {rows} = await asSystem((transaction) =>
    transaction.execute<{path: string}>(sql`select path from build_files where path = any(${paths}::text[])`),
  )
  const storedPaths = new Set(rows.map(({path}) => path))
  const missing = assets.filter(({path}) => !storedPaths.has(path))
  for (let at = 0; at < missing.length; at += mostAtOnce) {
    const batch = await Promise.all(missing.slice(at, at + mostAtOnce).map(readAsset))
    await asSystem((transaction) => transaction.insert(buildFiles).values(batch).onConflictDoNothing())
  }
  await asSystem(async (transaction) => {
    await transaction.execute(
      sql`update build_files set seen_at = now() where path = any(${paths}::text[]) and seen_at < now() - ${refreshTime}`,
    )
    await transaction.execute(sql`delete from build_files where seen_at < now() - ${keepTime}`)
  })
}

async function readAsset({path, file, isCompressed}: BuildAsset): Promise<{path: string; content: Buffer}> {
  const bytes = await readFile(file)
  return {path, content: isCompressed ? bytes : await compress(bytes, quality)}
}

/** A script or style of another build. `undefined` where no build had it. */
export async function serveBuildFile(
  {asSystemOnce}: Database,
  request: Request,
  pathname: string,
): Promise<Response | undefined> {
  if (!/^\/assets\/[\w.~-]{1,100}\.(js|css)$/.test(pathname)) return undefined
  const [row] = await asSystemOnce((transaction) =>
    transaction.select({content: buildFiles.content}).from(buildFiles).where(eq(buildFiles.path, pathname)),
  )
  if (row === undefined) return undefined
  const isTaken = acceptedEncodings(request).has('br')
  const bytes = isTaken ? row.content : await decompress(row.content)
  const headers = {
    'content-type': getMimeType(pathname) ?? 'application/octet-stream',
    'content-length': String(bytes.length),
    'cache-control': keptForEver,
    vary: 'Accept-Encoding',
    ...(isTaken ? {'content-encoding': 'br'} : {}),
  }
  return new Response(request.method === 'HEAD' ? null : new Uint8Array(bytes), {headers})
}
