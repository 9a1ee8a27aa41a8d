import {expect, test} from 'vitest'
import type {ServedModel} from '#contract/management.ts'
import {answerEstimates} from '#domain/answer-estimate.ts'

const model = (name: string, prompt: string, completion: string, more: Partial<ServedModel> = {}): ServedModel => ({
  name,
  group: 'chatgpt',
  provider: 'foo',
  price: {prompt, completion, most_tokens: 4_096},
  ...more,
})
const lines = (...models: ServedModel[]) => answerEstimates(models).map(({name, cost}) => [name, cost])

test('the cheapest and the dearest model, to the millionth', () => {
  const models = [model('foo', '0.3', '0.6'), model('bar', '0.000001', '0', {label: 'Bar'}), model('baz', '2', '4')]
  expect(answerEstimates(models)).toEqual([
    {name: 'Bar', cost: 0.000001, remark: 'prompt: 1000, completion: 500 tokens'},
    {name: 'baz', cost: 4, remark: 'prompt: 1000, completion: 500 tokens'},
  ])
})

test('one price for all models is one line without a name, one model a line with its name', () => {
  expect(lines(model('foo', '0.4', '0.4'), model('bar', '0.4', '0.4'))).toEqual([[undefined, 0.6]])
  expect(lines(model('foo', '0.4', '0.4'))).toEqual([['foo', 0.6]])
})

test('an answer is no longer than the model lets it be', () => {
  const short = model('foo', '0', '1', {price: {prompt: '0', completion: '1', most_tokens: 10}})
  expect(answerEstimates([short])).toEqual([{name: 'foo', cost: 0.01, remark: 'prompt: 1000, completion: 10 tokens'}])
})

test('models that are free, not served, turned off or without a price have none', () => {
  expect(
    lines(
      model('foo', '1', '1', {local: true}),
      model('bar', '0', '0'),
      model('baz', '1', '1', {disabled: 'not_served'}),
      model('qux', '1', '1', {enabled: false}),
      model('quux', '1', '1', {price: undefined}),
    ),
  ).toEqual([])
})
