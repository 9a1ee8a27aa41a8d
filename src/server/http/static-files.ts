import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {extname, join, relative, sep} from 'node:path'

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

type StaticFile = {path: string; type: string; etag: string; isHashed: boolean; encodings: readonly Encoding[]}
type Encoding = {name: 'br' | 'gzip'; path: string}

export type StaticFiles = {
  /** The page's template; sources that change are read for each page. */
  indexHtml: string | (() => Promise<string>)
  /** The file at exactly this path, or `undefined`. Source maps are not public. */
  serve: (request: Request, pathname: string) => Promise<Response | undefined>
}

/**
 * The built client. The folder is read once at start: a request can only name what was there, so no path of a request
 * reaches the file system. Hashed assets are cached for ever, the rest is asked for again with its ETag; `.br` and `.gz`
 * beside a file are sent to whom understands them.
 */
export function openStaticFiles(folder: string): StaticFiles | undefined {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return undefined
  const files = new Map(
    listFiles(folder)
      .filter((path) => path !== index && !/\.(br|gz|map)$/.test(path))
      .map((path) => [`/${relative(folder, path).split(sep).join('/')}`, describe(folder, path)]),
  )
  return {
    indexHtml: readFileSync(index, 'utf8'),
    serve: async (request, pathname) => {
      const file = files.get(pathname)
      return file && respond(request, file)
    },
  }
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

function describe(folder: string, path: string): StaticFile {
  const encodings = (
    [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const
  )
    .map(([name, suffix]): Encoding => ({name, path: path + suffix}))
    .filter((encoding) => existsSync(encoding.path))
  return {
    path,
    type: types[extname(path)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22)}"`,
    isHashed: relative(folder, path).startsWith(`assets${sep}`),
    encodings,
  }
}

async function respond(request: Request, file: StaticFile): Promise<Response> {
  const accepted = acceptedEncodings(request.headers.get('accept-encoding') ?? '')
  const encoding = file.encodings.find(({name}) => accepted.has(name))
  // One strong tag a representation: a cache must not answer one coding's question with the other's bytes.
  const etag = encoding ? file.etag.replace(/"$/, `-${encoding.name}"`) : file.etag
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    vary: 'Accept-Encoding',
  })
  const known = (request.headers.get('if-none-match') ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (known.includes(etag)) return new Response(null, {status: 304, headers})
  if (encoding) headers.set('content-encoding', encoding.name)
  const bytes = await readFile(encoding?.path ?? file.path)
  headers.set('content-length', String(bytes.length))
  return new Response(request.method === 'HEAD' ? null : bytes, {headers})
}

/** `br;q=0` refuses; weights beyond that do not matter, since there is one better coding than the other. */
const acceptedEncodings = (header: string): ReadonlySet<string> =>
  new Set(
    header
      .split(',')
      .map((item) => item.trim().toLowerCase())
      .filter((item) => !/;\s*q=0(\.0*)?$/.test(item))
      .map((item) => item.split(';')[0]?.trim() ?? ''),
  )
