import {expect, test} from 'vitest'
import {localeNames, readLocale} from '#tools/locales.mjs'

/** The messages of a language that match, each with its text: shown when the test fails. */
const matching = (locale: string, pattern: RegExp) =>
  Object.entries(readLocale(locale)).filter(([, message]) => pattern.test(message))

// an ordinary space there lets a line begin with the mark
test('French has a no-break space (U+00A0 or U+202F) before ; : ? ! » and after «', () => {
  expect(matching('fr', / [;:?!»]|« |[^\s\u{a0}\u{202f}][;:?!»](?:\s|$)|«[^\u{a0}\u{202f}]/u)).toEqual([])
})

test('Serbian is written in Cyrillic', () => {
  expect(matching('sr', /[čćžšđČĆŽŠĐ]/u)).toEqual([])
})

test.each(localeNames.filter((locale) => locale !== 'en'))('%s has no straight quotes, no three dots and no space before …', (locale) => {
  expect(matching(locale, /['"]|\.\.\.| …/)).toEqual([])
})
