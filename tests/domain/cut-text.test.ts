import {afterEach, describe, expect, test, vi} from 'vitest'
import {cutText, shortText} from '#domain/cut-text.ts'
import {lineOf, longestTitle} from '#domain/import-conversation.ts'

/** One character of eleven units: four emoji and three joiners. */
const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}\u200d\u{1f466}'
const flag = '\u{1f1eb}\u{1f1f7}'

afterEach(() => vi.unstubAllGlobals())

describe('a text that is cut', () => {
  test.each([
    ['foo', 3, 'foo'],
    ['foobar', 3, 'foo'],
    [`ab${family}c`, 12, 'ab'],
    [`ab${family}c`, 13, `ab${family}`],
    [`${flag}${flag}`, 6, flag],
    ['cafe\u0301s', 4, 'caf'],
    [family, 5, '\u{1f468}\u200d\u{1f469}'],
  ])('%s has %i units at most and only whole characters, as far as one has room', (text, most, expected) => {
    expect(cutText(text, most)).toBe(expected)
  })

  test('in a browser without a segmenter no emoji is halved', () => {
    vi.stubGlobal('Intl', {})
    expect(cutText('ab\u{1f600}', 3)).toBe('ab')
    expect(shortText('ab\u{1f600}\u{1f600}', 4)).toBe('ab…')
  })

  test.each([
    ['foo bar', 7, 'foo bar'],
    ['foo bar baz', 8, 'foo bar…'],
    ['foo bars baz', 7, 'foo ba…'],
    ['foo bar barbaz', 11, 'foo bar…'],
    ['foo barbarbarbar', 12, 'foo barbarb…'],
    ['一二三四五六', 4, '一二三…'],
    [`foo bar ${family}`, 12, 'foo bar…'],
  ])('%s is shortened to %i units at a word, where one ends near', (text, most, expected) => {
    expect(shortText(text, most)).toBe(expected)
  })

  test('a long name of an imported conversation says that it goes on', () => {
    const long = 'kites over the sea '.repeat(40)
    const name = lineOf(long, longestTitle)
    expect(name).toMatch(/ (?:kites|over|the|sea)…$/)
    expect(name.length).toBeLessThanOrEqual(longestTitle)
  })
})
