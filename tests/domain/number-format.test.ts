import {expect, test} from 'vitest'
import {numberFormat} from '#domain/number-format.ts'

test('numbers have the grouping of their language and Latin digits', () => {
  expect(numberFormat('en').format(1_234_567.5)).toBe('1,234,567.5')
  expect(numberFormat('de').format(1_234_567.5)).toBe('1.234.567,5')
  expect(numberFormat('ar').format(1_234)).toMatch(/^[\d.,]+$/)
})

test('a format is made once for each language and each set of options', () => {
  const cents = {minimumFractionDigits: 2}
  expect(numberFormat('en', cents)).toBe(numberFormat('en', {...cents}))
  expect(numberFormat('en', cents)).not.toBe(numberFormat('en'))
  expect(numberFormat('fr', cents)).not.toBe(numberFormat('en', cents))
})
