import {expect, test} from 'vitest'
import {decimalsOf, formatExact, microMean, microOf, microText} from '#domain/exact-amount.ts'

test.each([
  ['12.340000', 12_340_000n],
  ['0.000001', 1n],
  ['7', 7_000_000n],
  [0.1, 100_000n],
  [1.005001, 1_005_001n],
  ['123456789012345.123456', 123_456_789_012_345_123_456n],
  ['-0.500000', -500_000n],
  [-2.000001, -2_000_001n],
  ['foo', 0n],
  ['', 0n],
  ['-', 0n],
  ['--1', 0n],
])('%s in millionths', (amount, micro) => expect(microOf(amount)).toBe(micro))

test('millionths become text with six decimals, and come back the same', () => {
  for (const text of ['0.000000', '0.000001', '12.340000', '123456789012345.123456', '-0.000001', '-12.340000'])
    expect(microText(microOf(text))).toBe(text)
})

test('a sum with more digits than a number holds keeps them all', () => {
  expect(formatExact(microOf('123456789012345.123456'), 'en')).toBe('123,456,789,012,345.123456')
  expect(formatExact(microOf('1234.5'), 'en')).toBe('1,234.50')
  expect(formatExact(microOf('0.000123'), 'en')).toBe('0.000123')
  expect(formatExact(microOf('1234.5'), 'de', 6)).toBe('1.234,500000')
  expect(formatExact(microOf('-1234.5'), 'en')).toBe('-1,234.50')
  expect(formatExact(microOf('1234.5'), 'ar')).toMatch(/^[\d.,]+$/)
})

test('a mean is rounded to six decimals; of nothing it is zero', () => {
  expect(microMean(microOf('1'), 3)).toBe(333_333n)
  expect(microMean(microOf('2'), 3)).toBe(666_667n)
  expect(microMean(microOf('-2'), 3)).toBe(-666_667n)
  expect(microMean(0n, 0)).toBe(0n)
})

test.each([
  [9.9, 2],
  ['1.485', 3],
  [0.000001, 6],
  ['-3.100000', 2],
  [Number.NaN, 2],
])('%s has %i decimals', (amount, decimals) => expect(decimalsOf(amount)).toBe(decimals))
