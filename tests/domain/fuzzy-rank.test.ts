import {expect, test} from 'vitest'
import {fuzzyRank} from '#domain/fuzzy-rank.ts'

test('a name is found by its beginning, its middle, or letters in their order', () => {
  const rank = (typed: string) => fuzzyRank('Translate text', typed)
  expect([rank(''), rank('tra'), rank('text')]).toEqual([0, 0, 10])
  expect(rank('trtx')).toBeGreaterThan(10)
  expect([rank('xt'), rank('xz')]).toEqual([12, undefined])
  // several words may be a sentence
  expect([rank('late te'), rank('tra text')]).toEqual([5, undefined])
})
