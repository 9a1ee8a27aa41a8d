import {mkdirSync, renameSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {cacheFolder, root} from './paths.mjs'

const id = 'virtual:media-worker'
const source = join(root, 'src/server/providers/sandbox/media/media-worker.ts')

/** From the sources (development, tests) a thread can run no TypeScript: the worker is built into the cache folder. */
async function buildInto(folder) {
  const fresh = join(folder, `${process.pid}`)
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
  mkdirSync(folder, {recursive: true})
  const file = join(folder, 'media-worker.js')
  // whole or not at all: another test run may read it at this moment
  renameSync(join(fresh, 'media-worker.js'), file)
  rmSync(fresh, {recursive: true, force: true})
  return pathToFileURL(file).href
}

/**
 * Vite plugin. `virtual:media-worker` is the address of the thread that makes the sandbox's files: a file of its own in
 * a build, wherever the module that asks for it lands.
 * @returns {import('vite').Plugin}
 */
export function mediaWorkerPlugin() {
  let isBuild = false
  return {
    name: 'atrium-media-worker',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    resolveId: (request) => (request === id ? `\0${id}` : undefined),
    async load(request) {
      if (request !== `\0${id}`) return undefined
      if (isBuild) {
        const reference = this.emitFile({type: 'chunk', id: source, name: 'media-worker'})
        return `export default import.meta.ROLLUP_FILE_URL_${reference}`
      }
      return `export default ${JSON.stringify(await buildInto(join(cacheFolder, 'media-worker')))}`
    },
  }
}
