import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import {parse, TYPE} from '@formatjs/icu-messageformat-parser'
import {isServerMessage, laterParts, localeNames, localesFolder, partOf, readLocale, readTools} from './locales.mjs'

/** The files of the languages and the tools, each read once. */
function createSource() {
  /** @type {Map<string, Record<string, string>>} */
  const languages = new Map()
  /** @type {Map<string, Set<string>> | undefined} */
  let tools
  const language = (/** @type {string} */ locale) => {
    const compiledLocale = languages.get(locale) ?? readLocale(locale)
    languages.set(locale, compiledLocale)
    return compiledLocale
  }
  return {language, tools: () => (tools ??= readTools())}
}

/**
 * One language parsed ahead of time: namespace → key → plain text, or the ICU syntax tree where a message has
 * arguments. A message missing in the language is the English one.
 * @param {ReturnType<typeof createSource>} source
 * @param {string} locale
 * @param {string} part that of the `server`, or of the page: `all`, `first`, one of the later ones or a media tool
 */
function compileLocale(source, locale, part) {
  const tools = part === 'all' || part === 'server' ? new Map() : source.tools()
  /** @type {Record<string, Record<string, unknown>>} */
  const namespaces = {}
  for (const [id, message] of Object.entries({...source.language('en'), ...source.language(locale)})) {
    const dot = id.indexOf('.')
    const [namespace, key] = [id.slice(0, dot), id.slice(dot + 1)]
    if (isServerMessage(namespace, key) !== (part === 'server')) continue
    if (part !== 'all' && part !== 'server' && partOf(namespace, key, tools) !== part) continue
    const tree = parse(message, {captureLocation: false, shouldParseSkeletons: true})
    const [only] = tree
    const isPlain = tree.length === 1 && only?.type === TYPE.literal
    namespaces[namespace] = {...namespaces[namespace], [key]: isPlain ? only.value : tree}
  }
  return namespaces
}

const prefix = 'virtual:messages/'
const loadersId = 'virtual:message-loaders'
const partLoadersPrefix = 'virtual:message-loaders/'
const serverId = 'virtual:server-messages'

/** In the page: a compiled file as a flat map `namespace.key` → syntax tree (src/ui/message-format.ts). */
const unfold = `export const unfold = ({default: namespaces}) => ({
  default: Object.fromEntries(
    Object.entries(namespaces).flatMap(([namespace, entries]) =>
      Object.entries(entries).map(([key, message]) => [
        namespace + '.' + key,
        typeof message === 'string' ? [{type: ${TYPE.literal}, value: message}] : message,
      ]),
    ),
  ),
})`

/** @param {string} name @param {string} suffix */
const loadersOf = (name, suffix) => {
  const loaders = localeNames.map(
    (locale) => `${JSON.stringify(locale)}: () => import('${prefix}${locale}${suffix}').then(unfold)`,
  )
  return `export const ${name} = {${loaders.join(',\n')}}\n`
}

/**
 * Vite plugin. `virtual:messages/<locale>` is one compiled language, `virtual:messages/<locale>/<part>` what of it only
 * some screens show, or the screen of one media tool; `virtual:message-loaders` maps each locale to a dynamic import of
 * each, so that a page loads the files of exactly one language. Outside of the client's build the first holds
 * everything and the others nothing. `virtual:server-messages` has what the server says: English at once, the other
 * languages as dynamic imports.
 * @returns {import('vite').Plugin}
 */
export function localesPlugin() {
  let isSplit = false
  let source = createSource()
  return {
    name: 'atrium-locales',
    configResolved({command, build}) {
      isSplit = command === 'build' && !build.ssr
    },
    buildStart() {
      source = createSource()
    },
    resolveId: (id) =>
      id.startsWith(prefix) || id === loadersId || id === serverId || id.startsWith(partLoadersPrefix)
        ? `\0${id}`
        : undefined,
    load(id) {
      if (id === `\0${loadersId}`) {
        // the names of the later files are files of their own: the first screen does not carry them
        const parts = laterParts.map(
          (part) => `${part}: (locale) => import('${partLoadersPrefix}${part}').then(({loaders}) => loaders[locale]())`,
        )
        return `${unfold}\n${loadersOf('messageLoaders', '')}\nexport const partLoaders = {${parts.join(',\n')}}\n`
      }
      if (id === `\0${serverId}`) {
        const english = `import * as file from '${prefix}en/server'\nexport const english = unfold(file).default\n`
        return `${unfold}\n${english}${loadersOf('messageLoaders', '/server')}`
      }
      if (id.startsWith(`\0${partLoadersPrefix}`)) {
        const part = id.slice(partLoadersPrefix.length + 1)
        return `import {unfold} from '${loadersId}'\n${loadersOf('loaders', `/${part}`)}`
      }
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const [locale = '', later] = id.slice(prefix.length + 1).split('/')
      if (later !== undefined && later !== 'server' && !isSplit) return 'export default {}'
      // a build reads a language in many parts; while developing each has to be read anew
      if (!isSplit) {
        source = createSource()
        for (const language of ['en', locale]) {
          const folder = join(localesFolder, language)
          if (existsSync(folder)) for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file))
        }
      }
      const part = later ?? (isSplit ? 'first' : 'all')
      return `export default ${JSON.stringify(compileLocale(source, locale, part))}`
    },
  }
}
