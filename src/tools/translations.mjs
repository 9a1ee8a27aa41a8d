import {createHash} from 'node:crypto'
import {existsSync, readdirSync, readFileSync, realpathSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {localeNames, localesFolder} from './locales.mjs'

/*
 * `npm run translations` lists the translations whose English message changed after they were made, and
 * `npm run translations -- confirm <language|all> <namespace|namespace.key|all>` marks some as made from the present
 * one. Each carries `source`, the first eight characters of the SHA-256 of the English message it was made from.
 */

/** @typedef {{message: string, source?: string}} Entry */

/** @param {string} english the English message */
export const sourceOf = (english) => createHash('sha256').update(english).digest('hex').slice(0, 8)

/** @param {string} locale @param {string} namespace @returns {Record<string, Entry>} */
const readEntries = (locale, namespace) => {
  const file = join(localesFolder, locale, `${namespace}.json`)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

const namespaces = () =>
  readdirSync(join(localesFolder, 'en'))
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))

const translatedLocales = localeNames.filter((locale) => locale !== 'en')

/** @param {string} locale @returns {string[]} ids of the translations that were not made from the English of today */
export const unconfirmed = (locale) =>
  namespaces().flatMap((namespace) => {
    const english = readEntries('en', namespace)
    return Object.entries(readEntries(locale, namespace)).flatMap(([key, {source}]) => {
      const original = english[key]
      return original !== undefined && source === sourceOf(original.message) ? [] : [`${namespace}.${key}`]
    })
  })

/** One entry a line, so that two changes of one file rarely conflict. @param {Record<string, Entry>} entries */
const fileText = (entries) => {
  const lines = Object.entries(entries).map(([key, {message, source}]) => {
    const stamp = source === undefined ? '' : `, "source": ${JSON.stringify(source)}`
    return `  ${JSON.stringify(key)}: {"message": ${JSON.stringify(message)}${stamp}}`
  })
  return lines.length === 0 ? '{}\n' : `{\n${lines.join(',\n')}\n}\n`
}

/** @param {string} locale @param {string} selection namespace, `namespace.key` or `all` @returns {number} marked */
function confirm(locale, selection) {
  let count = 0
  for (const namespace of namespaces()) {
    if (selection !== 'all' && selection.split('.')[0] !== namespace) continue
    const english = readEntries('en', namespace)
    const entries = readEntries(locale, namespace)
    for (const [key, entry] of Object.entries(entries)) {
      const original = english[key]
      const isSelected = selection === 'all' || selection === namespace || selection === `${namespace}.${key}`
      if (original === undefined || !isSelected) continue
      entries[key] = {message: entry.message, source: sourceOf(original.message)}
      count += 1
    }
    writeFileSync(join(localesFolder, locale, `${namespace}.json`), fileText(entries))
  }
  return count
}

const usage = 'Usage: npm run translations [-- confirm <language|all> <namespace|namespace.key|all>]\n'

/** @param {string[]} words @returns {number} exit code */
function run(words) {
  const [command, language = '', selection = ''] = words
  if (command === undefined) {
    const open = translatedLocales.flatMap((locale) => unconfirmed(locale).map((id) => `${locale} ${id}`))
    for (const line of open) process.stdout.write(`${line}\n`)
    process.stdout.write(`${open.length} translations to confirm\n`)
    return open.length === 0 ? 0 : 1
  }
  const locales = language === 'all' ? translatedLocales : translatedLocales.filter((locale) => locale === language)
  const count =
    command === 'confirm' && selection ? locales.reduce((sum, locale) => sum + confirm(locale, selection), 0) : 0
  if (count === 0) {
    process.stderr.write(`Nothing matches.\n${usage}`)
    return 2
  }
  process.stdout.write(`${count} translations confirmed\n`)
  return 0
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  process.exitCode = run(process.argv.slice(2))
