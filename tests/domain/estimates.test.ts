import {expect, test} from 'vitest'
import type {ServiceApi} from '#contract/usage.ts'
import {estimatesOf} from '#domain/estimates.ts'

const api = (cost: number, more: Partial<ServiceApi> = {}): ServiceApi => ({id: 'foo', estimation: [{cost}], ...more})
const counts = (cost: number, credits: number) => estimatesOf([api(cost)], credits).map(({count}) => count)

test.each([
  [1.4, 100, 71n],
  // as floats 0.3 / 0.1 is 2.9999999999999996
  [0.1, 0.3, 3n],
  [0.000001, 1_000_000, 1_000_000_000_000n],
  [2, 2, 1n],
])('calls of %d that %d credits pay: %d', (cost, credits, count) => expect(counts(cost, credits)).toEqual([count]))

test('what these credits do not pay once has no line', () => expect(counts(3, 2)).toEqual([]))

test.each([0, -1, Number.NaN])('a price of %d is none', (cost) => expect(counts(cost, 100)).toEqual([]))

test('a line has the name of its API and its own, and APIs that say nothing have no line', () => {
  const named = {id: 'foo', title: 'Foo videos', estimation: [{cost: 1, name: 'fast', remark: 'bar'}, {cost: 2}]}
  const lines = estimatesOf([{id: 'baz', title: 'Baz'}, named, api(1, {name: 'foo/bar'}), api(1)], 10)
  expect(lines.map(({key, name, remark}) => [key, name, remark])).toEqual([
    ['foo:0', 'Foo videos · fast', 'bar'],
    ['foo:1', 'Foo videos', undefined],
    ['foo:0', 'foo/bar', undefined],
    ['foo:0', 'foo', undefined],
  ])
})
