import {mkdirSync, readdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {cacheFolder, root} from './paths.mjs'

/** Threads of the server: the folder of each, the file it runs, and the module that tells its address. */
const threads = [
  {folder: 'src/sandbox/media', name: 'media-worker', address: 'worker-address.ts'},
  {folder: 'src/server/media/codes', name: 'code-worker', address: 'code-worker-address.ts'},
]

/** From the sources (development, tests) a thread can run no TypeScript: the worker is built into the cache folder. */
async function buildWorker(/** @type {{folder: string, name: string}} */ {folder, name}) {
  const target = join(cacheFolder, name)
  const fresh = join(target, `${process.pid}`)
  const {build} = await import('vite')
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: join(root, folder, `${name}.ts`),
      outDir: fresh,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {output: {codeSplitting: false}},
    },
  })
  mkdirSync(target, {recursive: true})
  const file = join(target, `${name}.js`)
  // whole or not at all: another test run may read it at this moment
  renameSync(join(fresh, `${name}.js`), file)
  rmSync(fresh, {recursive: true, force: true})
  return pathToFileURL(file).href
}

/**
 * Vite plugins. The module that tells a thread's address becomes just that: a file of its own in a build, wherever the
 * module that asks for it lands.
 * @returns {import('vite').Plugin[]}
 */
export const workerThreadsPlugin = () => threads.map(threadPlugin)

/** @returns {import('vite').Plugin} */
function threadPlugin(/** @type {{folder: string, name: string, address: string}} */ thread) {
  const {folder, name} = thread
  const source = join(root, folder, `${name}.ts`)
  const address = join(root, folder, thread.address).replaceAll('\\', '/')
  let isBuild = false
  /** @type {string | undefined} */
  let reference
  return {
    name: `atrium-${name}`,
    enforce: 'pre',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    // Vite's own answer is a path on a web server; a server's file is found from the file that asks for it
    resolveFileUrl: ({referenceId, relativePath}) =>
      referenceId === reference ? `new URL(${JSON.stringify(relativePath)}, import.meta.url).href` : undefined,
    async load(request) {
      if (request.split('?')[0] !== address) return undefined
      if (isBuild) {
        reference = this.emitFile({type: 'chunk', id: source, name})
        return `export const workerAddress = import.meta.ROLLUP_FILE_URL_${reference}`
      }
      // a change of any of its sources builds it again
      for (const file of readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})) {
        if (file.endsWith('.ts')) this.addWatchFile(join(root, folder, file))
      }
      return `export const workerAddress = ${JSON.stringify(await buildWorker(thread))}`
    },
  }
}
