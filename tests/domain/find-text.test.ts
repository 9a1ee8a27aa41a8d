import {describe, expect, test} from 'vitest'
import {countMatches, findMatches, firstMatchFrom, matchAt, totalMatches} from '#domain/find-text.ts'
import {foldText} from '#domain/fold-text.ts'

const found = (text: string, query: string) =>
  findMatches(text, foldText(query)).map(({start, end}) => text.slice(start, end))

describe('words are found whatever their form', () => {
  test.each([
    ['Foo foo FOO', 'foo', ['Foo', 'foo', 'FOO']],
    ['Un résumé, un RÉSUMÉ', 'resume', ['résumé', 'RÉSUMÉ']],
    ['decomposed re\u0301sume\u0301!', 'résumé', ['re\u0301sume\u0301']],
    ['ｆｏｏ ﬁne', 'fo', ['ｆｏ']],
    ['مُحَمَّد وأحمد', 'محمد', ['مُحَمَّد']],
    ['قال أحمد', 'احمد', ['أحمد']],
    ['Οδός ΟΔΌΣ', 'οδος', ['Οδός', 'ΟΔΌΣ']],
    ['한국어', '한국', ['한국']],
    ['かが', 'か', ['か']],
    ['東京都の人口', '東京', ['東京']],
    ['a😀b😀', '😀', ['😀', '😀']],
    ['no\u00a0break', 'no break', ['no\u00a0break']],
    ['aaaa', 'aa', ['aa', 'aa']],
    ['foo', 'bar', []],
    ['foo', '', []],
  ])('%s with %s', (text, query, expected) => {
    expect(found(text, query)).toEqual(expected)
    expect(countMatches(foldText(text), foldText(query))).toBe(expected.length)
  })
})

test('matches are numbered over the whole conversation', () => {
  const rows = [
    {row: 1, count: 2},
    {row: 4, count: 1},
  ]
  expect(totalMatches(rows)).toBe(3)
  expect([0, 1, 2, 3].map((match) => matchAt(rows, match))).toEqual([
    {row: 1, nth: 0},
    {row: 1, nth: 1},
    {row: 4, nth: 0},
    undefined,
  ])
  expect([0, 1, 2, 4, 5].map((from) => firstMatchFrom(rows, from))).toEqual([0, 0, 2, 2, 0])
})
