import {expect, test} from 'vitest'
import {charactersOf, shownDescription, snippetOf} from '#domain/search-preview.ts'

const words = (count: number) => Array.from({length: count}, (_, at) => `word${at}`).join(' ')

test('what fits is shown as it is, in one line', () => {
  expect(snippetOf('  Two\n lines\tand  gaps ')).toBe('Two lines and gaps')
  expect(snippetOf(' \n ')).toBe('')
  expect(snippetOf('a'.repeat(shownDescription))).toBe('a'.repeat(shownDescription))
})

test('what is longer is cut after a whole word', () => {
  const snippet = snippetOf(words(60))
  expect(charactersOf(snippet)).toBeLessThanOrEqual(shownDescription + 2)
  expect(`${words(60)} `.startsWith(`${snippet.slice(0, -2)} `)).toBe(true)
  expect(snippet.endsWith(' …')).toBe(true)
})

test('a word that ends at the limit stays, and a comma before the cut goes', () => {
  const whole = 'a'.repeat(79) + ' ' + 'b'.repeat(80)
  expect(snippetOf(`${whole} more`)).toBe(`${whole} …`)
  expect(snippetOf(`${'a'.repeat(150)}, ${'b'.repeat(50)}`)).toBe(`${'a'.repeat(150)} …`)
})

test('a text without spaces is cut at the limit, and no emoji in two', () => {
  expect(snippetOf('字'.repeat(200))).toBe(`${'字'.repeat(shownDescription)} …`)
  expect(snippetOf('😀'.repeat(200))).toBe(`${'😀'.repeat(shownDescription)} …`)
  expect(charactersOf('😀a')).toBe(2)
})
