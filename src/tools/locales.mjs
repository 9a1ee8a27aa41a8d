import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parse} from '@formatjs/icu-messageformat-parser'

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

/**
 * One language parsed ahead of time: `namespace.key` → plain text, or the ICU syntax tree where a message has
 * arguments. A message missing in the language is the English one.
 * @param {string} locale
 */
export function compileLocale(locale) {
  const messages = {...readLocale('en'), ...readLocale(locale)}
  return Object.fromEntries(
    Object.entries(messages).map(([id, message]) => {
      const tree = parse(message, {captureLocation: false, shouldParseSkeletons: true})
      return [id, tree]
    }),
  )
}

const prefix = 'virtual:messages/'
const loadersId = 'virtual:message-loaders'

/**
 * Vite plugin. `virtual:messages/<locale>` is one compiled language; `virtual:message-loaders` maps each locale to a
 * dynamic import of it, so that a build holds one file a language and a page loads exactly one.
 * @returns {import('vite').Plugin}
 */
export function localesPlugin() {
  return {
    name: 'atrium-locales',
    resolveId: (id) => (id.startsWith(prefix) || id === loadersId ? `\0${id}` : undefined),
    load(id) {
      if (id === `\0${loadersId}`) {
        const loaders = localeNames.map((locale) => `${JSON.stringify(locale)}: () => import('${prefix}${locale}')`)
        return `export const messageLoaders = {${loaders.join(',\n')}}`
      }
      if (!id.startsWith(`\0${prefix}`)) return undefined
      const locale = id.slice(prefix.length + 1)
      for (const language of ['en', locale]) {
        const folder = join(localesFolder, language)
        if (existsSync(folder)) for (const file of readdirSync(folder)) this.addWatchFile(join(folder, file))
      }
      return `export default JSON.parse(${JSON.stringify(JSON.stringify(compileLocale(locale)))})`
    },
  }
}
