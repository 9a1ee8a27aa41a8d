import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {readFile} from 'node:fs/promises'
import {join, relative, sep} from 'node:path'
import {getMimeType} from 'hono/utils/mime'
import {z} from '#contract/schema.ts'
import type {Locale} from '#domain/locale.ts'
import {acceptedEncodings, type Encoding} from './compress.ts'

/** `etag` is absent where the name tells the content already: such a file is never asked for again. */
type StaticFile = {path: string; type: string; etag: string | undefined; variants: readonly Variant[]}
type Variant = {encoding: Encoding; path: string}

export type StaticFiles = {
  /** The page's template; sources that change are read for each page. */
  indexHtml: string | (() => Promise<string>)
  /** The file at exactly this path, or `undefined`. Source maps are not public. */
  serve: (request: Request, pathname: string) => Promise<Response | undefined>
  /** The path of the first screen's messages in a language; `undefined` without a build. */
  messagesPath: (locale: Locale) => string | undefined
  /** Scripts and styles of a build, by their paths; none of sources. */
  assets: () => readonly BuildAsset[]
}

/** `file` holds the content as it is, or compressed by Brotli. */
export type BuildAsset = {path: string; file: string; isCompressed: boolean}

/** Written by Vite (`build.manifest`); not public. */
const manifestFile = join('.vite', 'manifest.json')
/** A worker has its own policy: the service worker loads nothing but files and pages of its own origin. */
const workerFile = 'sw.js'
const workerPolicy = "default-src 'none'; connect-src 'self'"
/** Caching of files whose names change with their content. */
export const keptForEver = 'public, max-age=31536000, immutable'
const Manifest = z.record(z.string(), z.object({file: z.string()}))

/**
 * The built client. The folder is read once at start: a request can only name files of that list, so no path of a
 * request reaches the file system. Hashed assets are cached for ever, other files are revalidated by their ETag; the
 * `.br` and `.gz` beside a file are sent to clients that accept them.
 */
export function openStaticFiles(folder: string): StaticFiles | undefined {
  const index = join(folder, 'index.html')
  if (!existsSync(index)) return undefined
  const files = new Map(
    listFiles(folder)
      .filter((path) => path !== index && relative(folder, path) !== manifestFile && !/\.(br|gz|map)$/.test(path))
      .map((path) => [`/${relative(folder, path).split(sep).join('/')}`, describe(folder, path)]),
  )
  const manifest = readManifest(folder)
  return {
    indexHtml: readFileSync(index, 'utf8'),
    messagesPath: (locale) => {
      const file = manifest[`virtual:messages/${locale}`]?.file
      return file && `/${file}`
    },
    assets: () =>
      [...files]
        .filter(([path]) => path.startsWith('/assets/'))
        .map(([path, file]) => {
          const brotli = file.variants.find(({encoding}) => encoding === 'br')
          return {path, file: brotli?.path ?? file.path, isCompressed: brotli !== undefined}
        }),
    serve: async (request, pathname) => {
      const file = files.get(pathname)
      return file && respond(request, file)
    },
  }
}

function readManifest(folder: string): z.infer<typeof Manifest> {
  const path = join(folder, manifestFile)
  return existsSync(path) ? Manifest.parse(JSON.parse(readFileSync(path, 'utf8'))) : {}
}

const listFiles = (folder: string): string[] =>
  readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

function describe(folder: string, path: string): StaticFile {
  const variants = (
    [
      ['br', '.br'],
      ['gzip', '.gz'],
    ] as const
  )
    .map(([encoding, suffix]): Variant => ({encoding, path: path + suffix}))
    .filter((variant) => existsSync(variant.path))
  const isHashed = relative(folder, path).startsWith(`assets${sep}`)
  return {
    path,
    type: getMimeType(path) ?? 'application/octet-stream',
    etag: isHashed ? undefined : createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 22),
    variants,
  }
}

async function respond(request: Request, file: StaticFile): Promise<Response> {
  const encodings = acceptedEncodings(request)
  const variant = file.variants.find(({encoding}) => encodings.has(encoding))
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': file.etag === undefined ? keptForEver : 'no-cache',
    vary: 'Accept-Encoding',
    ...(file.path.endsWith(`${sep}${workerFile}`) ? {'content-security-policy': workerPolicy} : {}),
  })
  if (file.etag !== undefined) {
    // One strong tag a representation: a cache must not answer one coding's question with the other's bytes.
    const etag = `"${[file.etag, variant?.encoding].filter(Boolean).join('-')}"`
    headers.set('etag', etag)
    const clientTags = (request.headers.get('if-none-match') ?? '')
      .split(',')
      .map((tag) => tag.trim().replace(/^W\//, ''))
    if (clientTags.includes(etag)) return new Response(null, {status: 304, headers})
  }
  if (variant) headers.set('content-encoding', variant.encoding)
  const bytes = await readFile(variant?.path ?? file.path)
  headers.set('content-length', String(bytes.length))
  return new Response(request.method === 'HEAD' ? null : bytes, {headers})
}
