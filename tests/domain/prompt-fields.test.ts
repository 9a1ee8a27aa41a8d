import {expect, test} from 'vitest'
import {fillPrompt, promptFields} from '#domain/prompt-fields.ts'

test('the fields of a prompt are named once, and filled wherever they stand', () => {
  const text = 'Put {{ text }} into {{language}}, only {{language}}. {{}} {x}'
  expect(promptFields(text)).toEqual(['text', 'language'])
  expect(fillPrompt(text, {text: '$& {{language}}', language: 'French'})).toBe(
    'Put $& {{language}} into French, only French. {{}} {x}',
  )
  expect(fillPrompt('{{constructor}}', {})).toBe('{{constructor}}')
})

test('blanks are no field, however many', () => {
  const blank = `{{${' '.repeat(20_000)}`
  expect(promptFields(`${blank}x ${blank}}} {{ a b }}`)).toEqual(['a b'])
})
