import {parse, TYPE, type MessageFormatElement} from '@formatjs/icu-messageformat-parser'
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {execFileSync} from 'node:child_process'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {locales} from '#domain/locale.ts'
import {localeNames, localesFolder, readLocale} from '#tools/locales.mjs'
import {readIdentities} from '#tools/media-tools.mjs'
import {sourceOf, unconfirmed} from '#tools/translations.mjs'

/** Beside them each media tool has one of its own (docs/media-tools.md). */
const namespaces = [
  'api', 'application', 'chat', 'common',
  'compare', 'console', 'credential', 'distribution', 'flow', 'index', 'order', 'proxy', 'service',
  'failure', 'share', 'site', 'usage', 'user', 'words', ...readIdentities().map(({id}) => String(id)),
]
const english = readLocale('en')

/** Plural categories in use by language for whole numbers (CLDR cardinal rules), without those only fractions need. */
const pluralCategories = (locale: string) => {
  const rules = new Intl.PluralRules(locale)
  return new Set([0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 19, 21, 22, 25, 100, 101, 102, 111, 1_000_000].map((count) => rules.select(count)))
}

const plurals = (elements: MessageFormatElement[]): Set<string>[] =>
  elements.flatMap((element) => {
    if (element.type === TYPE.plural) {
      const inner = Object.values(element.options).flatMap((option) => plurals(option.value))
      return [new Set(Object.keys(element.options).filter((key) => !key.startsWith('='))), ...inner]
    }
    if (element.type === TYPE.select) return Object.values(element.options).flatMap((option) => plurals(option.value))
    if (element.type === TYPE.tag) return plurals(element.children)
    return []
  })

test('each interface language has a folder, and nothing else has one', () => {
  expect(localeNames.toSorted()).toEqual(locales.toSorted())
})

describe.each(localeNames.filter((locale) => locale !== 'en'))('%s', (locale) => {
  test('every translation was made or confirmed after the last change of its English', () => {
    const stale = unconfirmed(locale)
    expect(stale, 'translate again, then: npm run translations -- confirm <language> <namespace.key>').toEqual([])
  })
})

test('another English sentence is another source', () => {
  expect(sourceOf('Send')).toBe(sourceOf('Send'))
  expect(sourceOf('Send.')).not.toBe(sourceOf('Send'))
})

describe.each(localeNames)('%s', (locale) => {
  test('has every namespace and no other, each entry a message', () => {
    const files = readdirSync(join(localesFolder, locale)).sort()
    expect(files).toEqual(namespaces.map((namespace) => `${namespace}.json`).sort())
    for (const file of files) {
      const entries = JSON.parse(readFileSync(join(localesFolder, locale, file), 'utf8')) as Record<string, unknown>
      for (const entry of Object.values(entries)) expect(entry).toEqual(expect.objectContaining({message: expect.any(String)}))
    }
  })

  test('has every message and no other', () => {
    expect(Object.keys(readLocale(locale)).sort()).toEqual(Object.keys(english).sort())
  })

  test('gives every plural the forms the language has', () => {
    const needed = pluralCategories(locale)
    const wrong = Object.entries(readLocale(locale)).flatMap(([id, message]) =>
      plurals(parse(message)).flatMap((forms) => ([...needed].every((form) => forms.has(form)) ? [] : [`${id}: ${[...forms].join(' ')}`])),
    )
    expect(wrong).toEqual([])
  })

  test('no message is empty or has stray space', () => {
    const odd = Object.entries(readLocale(locale)).filter(([, message]) => message.trim() === '' || message !== message.trim())
    expect(odd).toEqual([])
  })
})

test('formatjs verifies the merged languages: no missing or extra message, the same arguments and tags', () => {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-locales-'))
  try {
    for (const locale of localeNames) writeFileSync(join(folder, `${locale}.json`), JSON.stringify(readLocale(locale)))
    const binary = fileURLToPath(new URL('../../node_modules/@formatjs/cli/bin/formatjs', import.meta.url))
    expect(existsSync(binary)).toBe(true)
    const output = execFileSync(
      process.execPath,
      [binary, 'verify', '--source-locale', 'en', '--missing-keys', '--extra-keys', '--structural-equality', ...localeNames.map((locale) => join(folder, `${locale}.json`))],
      {encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe']},
    )
    expect(output).not.toMatch(/error/i)
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
})

test('what English has in brackets, such as a unit, has brackets in every language', () => {
  const ids = Object.keys(english).filter((id) => english[id]?.includes('('))
  const without = localeNames.flatMap((locale) => {
    const messages = readLocale(locale)
    return ids.filter((id) => !/[(（]/.test(messages[id] ?? '')).map((id) => `${locale} ${id}`)
  })
  expect(without).toEqual([])
})

test('other languages are translated, not copied', () => {
  const words = Object.entries(english).filter(([, message]) => message.split(/\s+/).length >= 4)
  for (const locale of localeNames.filter((name) => name !== 'en')) {
    const messages = readLocale(locale)
    const copied = words.filter(([id, message]) => messages[id] === message)
    expect(copied.map(([id]) => `${locale} ${id}`)).toEqual([])
  }
})
