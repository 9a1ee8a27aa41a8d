import {expect, test, vi} from 'vitest'
import {costOf} from '#domain/price-rules.ts'

const rules = [
  {conditions: {and: [{'==': [{var: 'model'}, 'pro']}, {'>': [{var: 'duration'}, 5]}]}, consumption: 7.5},
  {conditions: {'==': [{var: 'model'}, 'pro']}, consumption: {'*': [1.5, 2]}},
  {conditions: {in: [{var: 'mode'}, ['relax']]}, consumption: '0.25'},
]
const table: [what: string, rules: unknown, payload: Record<string, unknown>, cost: number | undefined][] = [
  ['the first rule that holds', rules, {model: 'pro', duration: 10}, 7.5],
  ['a computed consumption', rules, {model: 'pro', duration: 5}, 3],
  ['a consumption as text', rules, {mode: 'relax'}, 0.25],
  ['no rule holds', rules, {model: 'std'}, 0],
  ['no rules', [], {}, 0],
  ['rules missing', undefined, {}, undefined],
  ['rules of another shape', {conditions: true, consumption: 1}, {}, undefined],
  ['a rule that is none', [null], {}, undefined],
  ['a consumption that is no number', [{conditions: true, consumption: 'much'}], {}, undefined],
  ['a consumption without end', [{conditions: true, consumption: {'/': [1, 0]}}], {}, undefined],
  ['consumption sees no data', [{conditions: true, consumption: {var: 'count'}}], {count: 4}, undefined],
  ['an operator nobody knows', [{conditions: {sometimes: [1]}, consumption: 1}], {}, undefined],
  ['empty lists are false', [{conditions: {var: 'images'}, consumption: 1}], {images: []}, 0],
  ['filled lists are true', [{conditions: {var: 'images'}, consumption: 1}], {images: ['a']}, 1],
]
test.each(table)('%s', (_what, given, payload, cost) => {
  expect(costOf(given, payload)).toBe(cost)
})

test('a rule reaches no function and writes nothing', () => {
  const log = vi.spyOn(console, 'log').mockReturnValue(undefined)
  const escape = {map: [[{'cat.constructor': ['globalThis.broken = true']}], {'cat.call': [null]}]}
  expect(costOf([{conditions: escape, consumption: 1}], {})).toBeUndefined()
  expect(costOf([{conditions: {log: 'foo'}, consumption: 1}], {})).toBeUndefined()
  expect(globalThis).not.toHaveProperty('broken')
  expect(log).not.toHaveBeenCalled()
  log.mockRestore()
})

test('a rule without end of nesting is none', () => {
  let deep: unknown = 1
  for (let depth = 0; depth < 10_000; depth++) deep = {'!': [deep]}
  expect(costOf([{conditions: deep, consumption: 1}], {})).toBeUndefined()
})
