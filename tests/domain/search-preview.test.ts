import {expect, test} from 'vitest'
import {charactersOf, shownDescription, previewOf} from '#domain/search-preview.ts'

const words = (count: number) => Array.from({length: count}, (_, at) => `word${at}`).join(' ')

test('what fits is shown as it is, in one line', () => {
  expect(previewOf('  Two\n lines\tand  gaps ')).toBe('Two lines and gaps')
  expect(previewOf(' \n ')).toBe('')
  expect(previewOf('a'.repeat(shownDescription))).toBe('a'.repeat(shownDescription))
})

test('what is longer is cut after a whole word', () => {
  const snippet = previewOf(words(60))
  expect(charactersOf(snippet)).toBeLessThanOrEqual(shownDescription + 2)
  expect(`${words(60)} `.startsWith(`${snippet.slice(0, -2)} `)).toBe(true)
  expect(snippet.endsWith(' …')).toBe(true)
})

test('a word that ends at the limit stays, and a comma before the cut goes', () => {
  const whole = 'a'.repeat(79) + ' ' + 'b'.repeat(80)
  expect(previewOf(`${whole} more`)).toBe(`${whole} …`)
  expect(previewOf(`${'a'.repeat(150)}, ${'b'.repeat(50)}`)).toBe(`${'a'.repeat(150)} …`)
})

test('a text without spaces is cut at the limit, and no emoji in two', () => {
  expect(previewOf('字'.repeat(200))).toBe(`${'字'.repeat(shownDescription)} …`)
  expect(previewOf('😀'.repeat(200))).toBe(`${'😀'.repeat(shownDescription)} …`)
  expect(charactersOf('😀a')).toBe(2)
})
