import {localesPlugin} from '../../src/tools/locales-plugin.mjs'

/* Hooks of Node's module loader: the virtual modules of the locales, as Vite's plugin makes them. */

const plugin = localesPlugin()
// both are functions, not objects with a handler
const {resolveId, load: loadVirtual} = /** @type {any} */ (plugin)

/** @type {import('node:module').ResolveHook} */
export const resolve = (specifier, context, next) =>
  resolveId(specifier) === undefined ? next(specifier, context) : {url: specifier, shortCircuit: true}

/** @type {import('node:module').LoadHook} */
export const load = (url, context, next) =>
  url.startsWith('virtual:')
    ? {
        format: 'module',
        source: loadVirtual.call({addWatchFile: () => undefined}, `\0${url}`),
        shortCircuit: true,
      }
    : next(url, context)
