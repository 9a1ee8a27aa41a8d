import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parse, TYPE} from '@formatjs/icu-messageformat-parser'

/** The 18 interface languages (spec §9); English is the fallback of every message. */
export const localeNames = [
  'en', 'de', 'pt', 'es', 'fr', 'zh-CN', 'zh-TW', 'it', 'ko', 'ja', 'ru', 'pl', 'fi', 'sv', 'el', 'uk', 'ar', 'sr',
]
export const localesFolder = fileURLToPath(new URL('../../locales', import.meta.url))

/**
 * One language as a flat map `namespace.key` → ICU text, as its files hold it (no fallback).
 * @param {string} locale
 * @returns {Record<string, string>}
 */
export function readLocale(locale) {
  const folder = join(localesFolder, locale)
  /** @type {Record<string, string>} */
  const messages = {}
  if (!existsSync(folder)) return messages
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json')).sort()) {
    const namespace = file.slice(0, -'.json'.length)
    /** @type {Record<string, {message: string}>} */
    const entries = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    for (const [key, entry] of Object.entries(entries)) messages[`${namespace}.${key}`] = entry.message
  }
  return messages
}

/** Messages of the server's own sign-in pages; `MessageId` (src/ui/text.tsx) does not know them. */
const pageNamespace = 'user'

/**
 * One language parsed ahead of time: namespace → key → plain text, or the ICU syntax tree where a message has
 * arguments. A message missing in the language is the English one.
 * @param {string} locale
 * @param {{withPages: boolean}} options withPages: with the messages of the server's pages
 */
export function compileLocale(locale, {withPages}) {
  /** @type {Record<string, Record<string, unknown>>} */
  const namespaces = {}
  for (const [id, message] of Object.entries({...readLocale('en'), ...readLocale(locale)})) {
    const dot = id.indexOf('.')
    const [namespace, key] = [id.slice(0, dot), id.slice(dot + 1)]
    if (namespace === pageNamespace && !withPages) continue
    const tree = parse(message, {captureLocation: false, shouldParseSkeletons: true})
    const isPlain = tree.length === 1 && tree[0]?.type === TYPE.literal
    namespaces[namespace] = {...namespaces[namespace], [key]: isPlain ? tree[0].value : tree}
  }
  return namespaces
}

const prefix = 'virtual:messages/'
const loadersId = 'virtual:message-loaders'

/** In the page: a compiled file as the flat map `namespace.key` → syntax tree that formatjs takes without its parser. */
const unfold = `const unfold = ({default: namespaces}) => ({
  default: Object.fromEntries(
    Object.entries(namespaces).flatMap(([namespace, entries]) =>
      Object.entries(entries).map(([key, message]) => [
        namespace + '.' + key,
        typeof message === 'string' ? [{type: ${TYPE.literal}, value: message}] : message,
      ]),
    ),
  ),
})`

/**
 * Vite plugin. `virtual:messages/<locale>` is one compiled language; `virtual:message-loaders` maps each locale to a
 * dynamic import of it, so that a build holds one file a language and a page loads exactly one.
 * @returns {import('vite').Plugin}
 */
export function localesPlugin() {
  let withPages = true
  return {
    name: 'atrium-locales',
    configResolved({command, build}) {
      withPages = command !== 'build' || Boolean(build.ssr)
    },
    resolveId: (id) => (id.startsWith(prefix) || id === loadersId ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${loadersId}`) {
        const loaders = localeNames.map(
          (locale) => `${JSON.stringify(locale)}: () => import('${prefix}${locale}').then(unfold)`,
        )
        return `${unfold}\nexport const messageLoaders = {${loaders.join(',\n')}}`
      }
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const locale = id.slice(prefix.length + 1)
      for (const language of ['en', locale]) {
        const folder = join(localesFolder, language)
        if (existsSync(folder)) for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file))
      }
      return `export default ${JSON.stringify(compileLocale(locale, {withPages}))}`
    },
  }
}
