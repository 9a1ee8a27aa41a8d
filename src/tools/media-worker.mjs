import {mkdirSync, readdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {cacheFolder, root} from './paths.mjs'

const folder = 'src/server/providers/sandbox/media'
const source = join(root, folder, 'media-worker.ts')
const address = join(root, folder, 'worker-address.ts').replaceAll('\\', '/')

/** From the sources (development, tests) a thread can run no TypeScript: the worker is built into the cache folder. */
async function buildInto(/** @type {string} */ target) {
  const fresh = join(target, `${process.pid}`)
  const {build} = await import('vite')
  await build({
    configFile: false,
    root,
    logLevel: 'error',
    build: {
      ssr: source,
      outDir: fresh,
      emptyOutDir: true,
      copyPublicDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {output: {codeSplitting: false}},
    },
  })
  mkdirSync(target, {recursive: true})
  const file = join(target, 'media-worker.js')
  // whole or not at all: another test run may read it at this moment
  renameSync(join(fresh, 'media-worker.js'), file)
  rmSync(fresh, {recursive: true, force: true})
  return pathToFileURL(file).href
}

/**
 * Vite plugin. `worker-address.ts` becomes the address of the thread that makes the sandbox's files: a file of its own in
 * a build, wherever the module that asks for it lands.
 * @returns {import('vite').Plugin}
 */
export function mediaWorkerPlugin() {
  let isBuild = false
  /** @type {string | undefined} */
  let reference
  return {
    name: 'atrium-media-worker',
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
        reference = this.emitFile({type: 'chunk', id: source, name: 'media-worker'})
        return `export const workerAddress = import.meta.ROLLUP_FILE_URL_${reference}`
      }
      // whatever it is made of, a change of it makes it anew
      for (const name of readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'})) {
        if (name.endsWith('.ts')) this.addWatchFile(join(root, folder, name))
      }
      return `export const workerAddress = ${JSON.stringify(await buildInto(join(cacheFolder, 'media-worker')))}`
    },
  }
}
