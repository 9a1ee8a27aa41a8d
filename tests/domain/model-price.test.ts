import {describe, expect, test} from 'vitest'
import {mostOf, priceOf, togetherOf} from '#domain/model-price.ts'
import {userContent} from '#domain/conversation.ts'
import {estimateTokens, mostTokensRead, tokensRead} from '#domain/token-estimate.ts'

const model = {name: 'foo', group: 'chatgpt' as const, provider: 'openai'}
const price = {prompt: '0.01', completion: '0.03', most_tokens: 4096}
// 4 + 96 + 1,000 tokens
const question = userContent({question: 'a'.repeat(384), references: ['/files/a.png']})
const tokens = tokensRead([{role: 'user', content: question}])

describe('what an answer costs', () => {
  test('by tokens, as the server says beside the model: at most what it holds', () => {
    const known = priceOf({models: [{...model, price}]}, 'foo')
    expect(known).toEqual({kind: 'tokens', ...price})
    expect(known && mostOf(known, tokens)).toBe(11_000n + 122_880n)
  })
  test('a part of a millionth is a whole one', () => {
    expect(mostOf({kind: 'tokens', prompt: '0.000001', completion: '0', most_tokens: 1}, 1_001)).toBe(2n)
  })
  test('the sandbox, models of this machine and a free service cost nothing', () => {
    const free = {kind: 'free'}
    expect(priceOf({models: [{...model, provider: 'sandbox'}]}, 'foo')).toEqual(free)
    expect(priceOf({models: [{...model, local: true}]}, 'foo')).toEqual(free)
    expect(priceOf({models: [{...model, price}], free: true}, 'foo')).toEqual(free)
  })
  test('by the rules of a service that has some', () => {
    const rules = [{conditions: {'==': [{var: 'model'}, 'foo']}, consumption: 0.25}]
    expect(priceOf({models: [model], price: rules}, 'foo')).toEqual({kind: 'rules', micro: 250_000n})
    expect(priceOf({price: rules}, 'bar')).toBeUndefined()
  })
  test('a price that cannot be read is none, and nothing is promised', () => {
    const {prompt, completion} = price
    for (const odd of [undefined, {prompt, completion}, {...price, prompt: '1e3'}, {...price, most_tokens: 0.5}])
      expect(priceOf({models: [{...model, price: odd}]}, 'foo')).toBeUndefined()
    expect(priceOf(undefined, 'foo')).toBeUndefined()
  })
})

test('what comes before a question is read with it', () => {
  expect(tokensRead([])).toBe(0)
  expect(
    tokensRead([
      {role: 'user', content: 'abcd'},
      {role: 'user', content: userContent({question: '日本', references: ['/a.png', '/b.txt']})},
    ]),
  ).toBe(5 + 2_006)
})

test('an answer is read without its reasoning, a question as it is', () => {
  const content = `<think>${'a'.repeat(40_000)}</think>\n\nabcd`
  expect(tokensRead([{role: 'assistant', content}])).toBe(5)
  expect(tokensRead([{role: 'user', content}])).toBeGreaterThan(10_000)
})

describe('a file', () => {
  const read = (url: string, size: number | undefined, longestText?: number) =>
    tokensRead(
      [{role: 'user', content: userContent({question: '', references: [url], sizes: {[url]: size}})}],
      longestText,
    )
  test('of text is read by its length', () => {
    // 4 of the message and 3 of the name
    expect(read('/files/a.log?b=c', 400_000)).toBe(7 + 100_000)
  })
  test.each([
    ['English', 'The harbour opens at six. '],
    ['Japanese', '港は六時に開きます。'],
    ['Chinese', '港口六点开放。'],
    ['Thai', 'ท่าเรือเปิดหกโมง'],
    ['Russian', 'Гавань открывается в шесть. '],
    ['numbers', '3.1415,2.7182,1.6180\n'],
    ['faces', '😀🚢'],
  ])('of text in %s holds no less than what its text does when typed', (_, line) => {
    const text = line.repeat(200)
    const size = new TextEncoder().encode(text).length
    const content = userContent({question: '', references: ['/a.txt'], sizes: {'/a.txt': size}})
    expect(mostTokensRead([{role: 'user', content}])).toBeGreaterThan(estimateTokens(text))
    // and not twice what a file of one size may have
    expect(mostTokensRead([{role: 'user', content}])).toBeLessThan(20 + size / 2)
  })
  test('that is an image or a document, or has no known length, counts as one of middle length', () => {
    expect([read('/a.png', 400_000), read('/a.pdf', 400_000), read('/a.txt', undefined)]).toEqual([1004, 1004, 1004])
  })
  test('of text that is too long for the model is named alone', () => {
    expect(read('/files/a.log', 400_001, 400_000)).toBe(7)
  })
})

test('several together: what is known, and how many are not', () => {
  const answer = {price: {kind: 'tokens' as const, ...price}, tokens}
  const free = {price: {kind: 'free' as const}, tokens}
  const unknown = {price: undefined, tokens}
  expect(togetherOf([answer, answer, unknown])).toEqual({most: 267_760n, unknown: 1, isFree: false})
  expect(togetherOf([free, free])).toEqual({most: 0n, unknown: 0, isFree: true})
  expect(togetherOf([free, unknown])).toEqual({most: 0n, unknown: 1, isFree: false})
})
