import {spawnSync} from 'node:child_process'
import {createHash} from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {brotliCompress as compress, constants, gzipSync} from 'node:zlib'
import {ensureInstalled} from './install.mjs'
import {cacheFolder, distFolder, root} from './paths.mjs'
import {explainFileError, refuse} from './refuse.mjs'

const sources = [
  'src',
  'machines',
  'locales',
  'public',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]
const stampFile = join(distFolder, '.build-stamp')

/**
 * @param {string} path
 * @param {(file: string) => void} visit
 */
function walk(path, visit) {
  if (!existsSync(path)) return
  if (statSync(path).isFile()) return visit(path)
  for (const entry of readdirSync(path).sort()) walk(join(path, entry), visit)
}

/** Changes when any source file is added, removed or written: paths, sizes and times, no contents. */
function sourceStamp() {
  const hash = createHash('sha256').update(process.versions.node)
  for (const source of sources) {
    walk(join(root, source), (file) => {
      const {size, mtimeMs} = statSync(file)
      hash.update(`${file.slice(root.length)} ${size} ${mtimeMs}\n`)
    })
  }
  return hash.digest('hex')
}

/** Bytes that the head of an answer grows by when it is compressed. */
const leastSaving = 50

/**
 * How large a block is best, and how many short distances have codes of their own, changes with every line of a script,
 * by 0.3 KB of the first screen's: a large file is compressed in each of these ways, and the smallest is kept.
 */
const ways = [19, 18].flatMap((block) =>
  [15, 12, 9, 6, 3, 0].map((direct) => ({
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGBLOCK]: block,
    [constants.BROTLI_PARAM_NDIRECT]: direct,
  })),
)
const largeFile = 400_000

/** @param {Buffer} bytes */
async function brotli(bytes) {
  const triedWays = bytes.length > largeFile ? ways : ways.slice(0, 1)
  const results = await Promise.all(triedWays.map((params) => brotliCompress(bytes, {params})))
  return results.reduce((best, other) => (other.length < best.length ? other : best))
}

const brotliCompress = promisify(compress)

const isCompressible = (/** @type {string} */ file) => /\.(js|css|html|svg|json|txt|webmanifest|map)$/.test(file)

/** Writes `.br` and `.gz` beside every text asset that they make smaller, so that serving costs no processor time. */
async function precompress(/** @type {string} */ folder) {
  /** @type {string[]} */
  const files = []
  walk(folder, (file) => {
    if (isCompressible(file)) files.push(file)
  })
  for (const file of files) {
    const bytes = readFileSync(file)
    const write = (/** @type {string} */ ending, /** @type {Buffer} */ compressedBytes) => {
      if (compressedBytes.length + leastSaving < bytes.length) writeFileSync(file + ending, compressedBytes)
    }
    write('.br', await brotli(bytes))
    write('.gz', gzipSync(bytes, {level: 9}))
  }
}

/** Builds client and server into a fresh folder and swaps it in whole: a server that runs never sees half a build. */
export async function build() {
  const stamp = sourceStamp()
  const fresh = join(cacheFolder, `build-${process.pid}`)
  try {
    mkdirSync(fresh, {recursive: true})
  } catch (error) {
    refuse(explainFileError(error, cacheFolder))
  }
  try {
    const vite = await import('vite')
    const common = {root, logLevel: /** @type {const} */ ('warn')}
    await vite.build({...common, build: {outDir: join(fresh, 'client'), emptyOutDir: true}})
    await vite.build({
      ...common,
      build: {ssr: 'src/server/main.ts', outDir: join(fresh, 'server'), emptyOutDir: true, copyPublicDir: false},
    })
    await precompress(join(fresh, 'client'))
    writeFileSync(join(fresh, '.build-stamp'), stamp)
    const old = join(cacheFolder, `old-${process.pid}`)
    if (existsSync(distFolder)) renameSync(distFolder, old)
    renameSync(fresh, distFolder)
    rmSync(old, {recursive: true, force: true})
  } catch (error) {
    rmSync(fresh, {recursive: true, force: true})
    if (
      error instanceof Error &&
      'code' in error &&
      ['ENOSPC', 'EROFS', 'EACCES', 'EPERM'].includes(String(error.code))
    ) {
      refuse(explainFileError(error, distFolder))
    }
    throw error
  }
}

/** Builds when no build of exactly these sources is there, in its own process: a build leaves megabytes allocated. */
export function ensureBuilt() {
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === sourceStamp()) return
  process.stderr.write('Building (once after a clone or a change) …\n')
  const {status} = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status !== 0) process.exit(status ?? 1)
}

// the address of a module is percent-encoded and has no symbolic links; what was typed is neither
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  ensureInstalled({development: false})
  await build()
}
