import {expect, test} from 'vitest'
import type {Package} from '#contract/packages.ts'
import {
  coveringPackage,
  discountFigure,
  discountPercent,
  packageLength,
  packagesOf,
  recommendedPackage,
  unitPrice,
} from '#domain/packages.ts'

const small: Package = {id: 'small', type: 'Usage', amount: 100, price: 9.9}
const middle: Package = {id: 'middle', type: 'Usage', amount: 500, price: 45}
const large: Package = {id: 'large', type: 'Usage', amount: 2000, price: 160}
const month: Package = {id: 'month', type: 'Period', amount: 300, price: 9, duration: 2_592_000}
const year: Package = {id: 'year', type: 'Period', amount: 4000, price: 90, duration: 31_536_000}
const offers = [large, year, small, month, middle]

test('packages of a type stand by their size or length', () => {
  expect(packagesOf(offers, 'Usage').map(({id}) => id)).toEqual(['small', 'middle', 'large'])
  expect(packagesOf(offers, 'Period').map(({id}) => id)).toEqual(['month', 'year'])
})

test('the recommended package is chosen at first, else the smallest or the longest', () => {
  expect(recommendedPackage(offers, 'Usage')?.id).toBe('small')
  expect(recommendedPackage(offers, 'Period')?.id).toBe('year')
  expect(recommendedPackage([...offers, {...month, id: 'best', recommended: true}], 'Period')?.id).toBe('best')
  expect(recommendedPackage([], 'Usage')).toBeUndefined()
})

test.each([
  ['Usage', '0.000001', 'small'],
  ['Usage', '100', 'small'],
  ['Usage', '100.000001', 'middle'],
  ['Usage', '5000', 'large'],
  ['Period', '300.000001', 'year'],
] as const)('the first of %s that covers what is missing (%s) is chosen, else the largest', (type, missing, id) => {
  expect(coveringPackage(offers, type, missing)?.id).toBe(id)
})

test('a plan that is short but has the most credits is the largest; one that names none has no end of them', () => {
  const week: Package = {id: 'week', type: 'Period', amount: 9000, duration: 604_800}
  expect(coveringPackage([month, year, week], 'Period', '10000')?.id).toBe('week')
  expect(coveringPackage([month, {...year, amount: null}], 'Period', '10000')?.id).toBe('year')
  expect(coveringPackage([], 'Period', '1')).toBeUndefined()
})

test.each([
  [small, 0],
  [middle, 9],
  [large, 19],
  [{...middle, amount: undefined}, 0],
  [{...middle, price: 60}, 0],
])('the discount of %o is %d %%', (offer, percent) => {
  expect(discountPercent(offer, small)).toBe(percent)
})

test.each([
  [10, 'zh-CN', 9],
  [19, 'zh-TW', 8.1],
  [95, 'zh-CN', 0.5],
  [19, 'ja', 19],
])('a discount of %d %% is counted in %s as %d', (percent, locale, figure) => {
  expect(discountFigure(percent, locale)).toBe(figure)
})

test('a package without amount has no price of a credit', () => {
  expect([unitPrice(small), unitPrice({...small, amount: 0}), unitPrice({...small, price: undefined})]).toEqual([
    0.099,
    undefined,
    undefined,
  ])
})

test('lengths of subscriptions have names', () => {
  expect([month, year, {...month, duration: 604_800}, {...month, duration: 1}].map(packageLength)).toEqual([
    'month',
    'year',
    'week',
    undefined,
  ])
})
