import {createHash} from 'node:crypto'

const fileName = 'sw.js'
const mark = '__BUILD__'

/** Returns the language of a chunk with messages. */
const languageOf = (/** @type {string[]} */ modules) =>
  modules.map((id) => /^\0virtual:messages\/([^/]+)/.exec(id)?.[1]).find((language) => language !== undefined)

/**
 * Vite plugin. Puts the service worker beside the page of a build and writes into it which files the build has
 * (src/service-worker/build.ts).
 * @returns {import('vite').Plugin}
 */
export function serviceWorkerPlugin() {
  let isClient = false
  return {
    name: 'atrium-service-worker',
    configResolved({command, build}) {
      isClient = command === 'build' && !build.ssr
    },
    buildStart() {
      if (isClient) this.emitFile({type: 'chunk', id: '/src/service-worker/service-worker.ts', fileName})
    },
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const worker = bundle[fileName]
        if (!isClient || worker?.type !== 'chunk') return
        const names = Object.keys(bundle).filter((name) => /^assets\/.*\.(js|css)$/.test(name))
        /** @type {Record<string, string[]>} */
        const messages = {}
        const files = []
        let entry
        for (const name of names.sort()) {
          const output = bundle[name]
          const language = output?.type === 'chunk' ? languageOf(output.moduleIds) : undefined
          if (output?.type === 'chunk' && output.moduleIds.some((id) => id.endsWith('/src/app/main.tsx'))) entry = name
          if (language === undefined) files.push(`/${name}`)
          else messages[language] = [...(messages[language] ?? []), `/${name}`]
        }
        if (entry === undefined) throw new Error('The build has no script of the page')
        const id = createHash('sha256').update(names.join()).digest('base64url').slice(0, 10)
        const build = JSON.stringify({id, entry: `/${entry}`, files, messages})
        if (!worker.code.includes(mark)) throw new Error(`${fileName} does not ask which files the build has`)
        worker.code = worker.code.replace(mark, () => build)
      },
    },
  }
}
