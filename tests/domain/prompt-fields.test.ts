import {expect, test} from 'vitest'
import {fillPrompt, fuzzyRank, promptFields} from '#domain/prompt-fields.ts'

test('the fields of a prompt are named once, and filled wherever they stand', () => {
  const text = 'Put {{ text }} into {{language}}, only {{language}}. {{}} {x}'
  expect(promptFields(text)).toEqual(['text', 'language'])
  expect(fillPrompt(text, {text: '$& {{language}}', language: 'French'})).toBe(
    'Put $& {{language}} into French, only French. {{}} {x}',
  )
  expect(fillPrompt('{{constructor}}', {})).toBe('{{constructor}}')
})

test('a name is found by its beginning, its middle, or letters in their order', () => {
  const rank = (typed: string) => fuzzyRank('Translate text', typed)
  expect([rank(''), rank('tra'), rank('text')]).toEqual([0, 0, 10])
  expect(rank('trtx')).toBeGreaterThan(10)
  expect([rank('xt'), rank('xz')]).toEqual([12, undefined])
  // several words may be a sentence
  expect([rank('late te'), rank('tra text')]).toEqual([5, undefined])
})
