import {createIntl} from '@formatjs/intl'
import {expect, test} from 'vitest'
import {branchTitle} from '#features/chat/branch-title.ts'
import {localeNames, readLocale} from '#tools/locales.mjs'
import type {Text} from '#ui/text.tsx'

const textOf = (locale: string): Text => {
  const intl = createIntl({locale, messages: readLocale(locale)})
  return (id, values) => intl.formatMessage({id}, values)
}
const named = (title: string) => ({title, messages: []})
const titles = new Map(localeNames.map((name) => [name, branchTitle(textOf(name), named('Kites · one'))]))

test.each(localeNames)('a branch that was named in any language says so once where it is branched in %s', (name) => {
  expect(titles.get(name)).toMatch(/^\S+ · Kites · one$/)
  for (const title of titles.values()) expect(branchTitle(textOf(name), named(title))).toBe(title)
})

test('a long title still says so', () => {
  const title = branchTitle(textOf('en'), named('kites '.repeat(100)))
  expect(title.startsWith('Branch · kites')).toBe(true)
  expect(title.length).toBeLessThanOrEqual(400)
})
