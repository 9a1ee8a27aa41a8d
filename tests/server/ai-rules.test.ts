import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {unstorable} from '#server/ai/answers/answer-failure.ts'
import {createDeltaCleaner} from '#server/ai/answers/answer-text.ts'
import {chooseForm} from '#server/ai/answers/answer-frames.ts'
import {runAnswer} from '#server/ai/answers/run-answer.ts'
import {silentLog} from '#server/log.ts'
import {toWireMessages} from '#server/providers/openai/wire-messages.ts'
import {countFiles} from '#server/ai/answers/file-tokens.ts'
import type {ChatInput, Provider, ProviderMessage, TakeEvent} from '#server/providers/provider.ts'
import {createArrivals} from './arrivals.ts'
import {estimateTokens} from '#domain/token-estimate.ts'
import {estimatePromptTokens, listedPrice, mostPromptTokens, tariffOf} from '#server/ai/pricing.ts'

const config = {
  sandbox: true,
  providers: [],
  prices: {
    foo: {prompt: '0.01', completion: '0.000001', answerCap: 10},
    bar: {prompt: '2', completion: '3.5', answerCap: 20},
  },
  defaultPrice: {prompt: '1', completion: '1', answerCap: 30},
  detectLocal: false,
  namesConversations: false,
}

describe('prices', () => {
  const paid = {kind: 'openai' as const, local: false}

  test.each([
    ['foo', 0, 0, '0.000000'],
    ['foo', 1, 0, '0.000010'],
    ['foo', 0, 1, '0.000001'], // a billionth of a credit, rounded up: never free
    ['foo', 1000, 1000, '0.010001'],
    ['bar', 1, 1, '0.005500'],
    ['bar', 123_456_789, 987_654_321, '3703703.701500'], // exact beyond floating point
    ['baz', 500, 500, '1.000000'],
  ])('%s: %i prompt and %i completion tokens cost %s', (model, prompt, completion, cost) => {
    expect(tariffOf(config, paid, model).cost(prompt, completion)).toBe(cost)
  })

  test('what runs on this machine and the sandbox cost nothing; the cap holds for all', () => {
    for (const free of [
      {kind: 'openai' as const, local: true},
      {kind: 'sandbox' as const, local: true},
    ]) {
      expect(tariffOf(config, free, 'bar').cost(1_000_000, 1_000_000)).toBe('0')
      expect(tariffOf(config, free, 'bar').answerCap).toBe(20)
    }
  })

  test('a model is listed with the price that is charged; one that nobody serves has none', () => {
    const listed = (model: object) => listedPrice(config, {name: 'bar', group: 'chatgpt', provider: 'openai', ...model})
    expect([listed({}), listed({name: 'baz'})]).toEqual([
      {prompt: '2', completion: '3.5', most_tokens: 20},
      {prompt: '1', completion: '1', most_tokens: 30},
    ])
    const free = {prompt: '0', completion: '0'}
    expect([listed({local: true}), listed({provider: 'sandbox'})]).toEqual([free, free])
    expect(listed({disabled: 'not_served'})).toBeUndefined()
  })

  test.each([
    ['', 0],
    ['a', 1],
    ['four', 1],
    ['fives', 2],
    ['日本語', 3],
    ['a😀', 2],
  ])('%j is about %i tokens', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })

  test('a prompt counts its messages, texts and attachments', () => {
    const attached = [
      {type: 'text' as const, text: 'four'},
      {type: 'image_url' as const, image_url: 'https://foo.test/a.png'},
    ]
    expect(
      estimatePromptTokens(
        [
          {role: 'system', content: 'four'},
          {role: 'user', content: attached},
        ],
        'openai',
      ),
    ).toBe(5 + 4 + 1 + 1000)
  })

  describe('a prompt is estimated as it is sent', () => {
    const answer = `<think>${'why '.repeat(9_000)}</think>\n\nBecause.`
    const text = 'a line of a log\n'.repeat(31_000)
    const url = `/services/platform/api/v1/files/${'a'.repeat(22)}/server.log`
    const withLog = [
      {type: 'text' as const, text: 'Read this'},
      {type: 'file_url' as const, file_url: url, size: text.length},
    ]
    const storedFile = async () => ({
      ...{name: 'server.log', type: 'text/plain', size: text.length},
      read: async () => new TextEncoder().encode(text),
    })
    /** Tokens of all texts of the request. */
    const sentTokens = async (messages: readonly ProviderMessage[]) => {
      const wireMessages = await toWireMessages({messages, storedFile})
      return estimateTokens(wireMessages.map(({content}) => JSON.stringify(content)).join(''))
    }

    test.each([
      ['a long thought', [{role: 'assistant', content: answer}]],
      ['a long text file', [{role: 'user', content: withLog}]],
    ] as [string, ProviderMessage[]][])('%s', async (_, earlier) => {
      const messages: ProviderMessage[] = [...earlier, {role: 'user', content: 'Why?'}]
      const sent = await sentTokens(messages)
      expect(Math.abs(estimatePromptTokens(messages, 'openai') - sent)).toBeLessThan(20 + sent / 10)
    })

    test.each([
      ['Chinese', '今天下午开会讨论预算。'],
      ['Japanese', '会議は午後から始まります。'],
      ['Thai', 'สวัสดีตอนบ่าย'],
      ['English', 'The meeting is at noon. '],
    ])('a file in %s counts by its letters once it was read, and holds no less', async (_, line) => {
      const bytes = new TextEncoder().encode(line.repeat(500))
      const question = [{type: 'file_url' as const, file_url: url, size: bytes.length}]
      const messages: ProviderMessage[] = [{role: 'user', content: question}]
      const files = countFiles(async () => ({
        ...{name: 'server.log', type: 'text/plain', size: bytes.length},
        read: async () => bytes,
      }))
      const wireMessages = await toWireMessages({messages, storedFile: files.storedFile})
      const sent = estimateTokens(JSON.stringify(wireMessages))
      const counted = estimatePromptTokens(messages, 'openai') + files.more()
      expect(Math.abs(counted - sent)).toBeLessThan(40)
      expect(mostPromptTokens(messages, 'openai')).toBeGreaterThanOrEqual(counted)
    })

    test('a file of two questions counts with each', async () => {
      const bytes = new TextEncoder().encode('今天下午开会讨论预算。'.repeat(500))
      const content = [{type: 'file_url' as const, file_url: url, size: bytes.length}]
      const messages: ProviderMessage[] = [
        {role: 'user', content},
        {role: 'assistant', content: 'Yes.'},
        {role: 'user', content},
      ]
      const files = countFiles(async () => ({
        ...{name: 'server.log', type: 'text/plain', size: bytes.length},
        read: async () => bytes,
      }))
      const sent = estimateTokens(JSON.stringify(await toWireMessages({messages, storedFile: files.storedFile})))
      expect(Math.abs(estimatePromptTokens(messages, 'openai') + files.more() - sent)).toBeLessThan(80)
    })

    test('a file of an earlier turn is named alone to an upstream that reads those of the question', () => {
      const question: ProviderMessage = {role: 'user', content: withLog}
      expect(estimatePromptTokens([question], 'acedata')).toBeGreaterThan(text.length / 4)
      expect(estimatePromptTokens([question, {role: 'user', content: 'Why?'}], 'acedata')).toBeLessThan(100)
    })
  })
})

describe('deltas', () => {
  test('at every cut, the same text comes out, and every piece can be stored', () => {
    const text = 'a😀b\0c\ud83dd\udc00é𝒳'
    const clean = 'a😀b\uFFFDc\uFFFDd\uFFFDé𝒳'
    for (let first = 0; first <= text.length; first += 1)
      for (let second = first; second <= text.length; second += 1) {
        const cleaner = createDeltaCleaner()
        const pieces = [text.slice(0, first), text.slice(first, second), text.slice(second)].map(cleaner.push)
        const all = [...pieces, cleaner.end()]
        expect(all.join('')).toBe(clean)
        for (const piece of all) expect(piece).not.toMatch(/[\0\p{Surrogate}]/u)
      }
  })
})

describe('the form of an answer', () => {
  test.each([
    ['text/event-stream', 'event-stream'],
    ['application/json, Text/Event-Stream', 'event-stream'],
    ['application/x-ndjson', 'ndjson'],
    ['application/json', 'json'],
    ['*/*', 'json'],
    [null, 'json'],
  ])('%s: %s', (accept, form) => {
    expect(chooseForm(accept)).toBe(form)
  })
})

describe('a run', () => {
  const runWith = (chat: Provider['chat'], deliver?: (text: string) => void) => {
    const stop = new AbortController()
    const delivered: string[] = []
    const input: ChatInput = {run: 'foo-run', model: 'foo', messages: [], answerCap: 1, signal: stop.signal}
    const run = runAnswer({
      provider: {name: 'foo', kind: 'openai', local: false, models: () => Promise.resolve([]), chat},
      input,
      tariff: {answerCap: 1, cost: () => '0'},
      promptTokens: () => 1,
      now: () => new Date(),
      stillOurs: () => Promise.resolve(),
      deliver: deliver ?? ((text) => delivered.push(text)),
      log: silentLog,
    })
    return {stop, delivered, run}
  }
  const stopped = {
    end: {state: 'failed', outcome: 'stopped', error: {code: 'canceled', message: 'The answer was stopped.'}},
    text: 'foo',
    promptTokens: 1,
    completionTokens: 1,
    tokensEstimated: true,
    charge: '0',
    status: 200,
  }

  test('stopped is felt at once, also while a provider waits that never answers, and nothing after it counts', async () => {
    let say: TakeEvent = () => true
    const asked = createArrivals<true>()
    const {stop, delivered, run} = runWith((_, take) => {
      say = take
      take({type: 'delta', text: 'foo'})
      asked.arrive(true)
      return new Promise(() => undefined)
    })
    await asked.next()
    stop.abort('stop')
    expect(say({type: 'delta', text: 'bar'})).toBe(false)
    expect(await run).toEqual(stopped)
    expect(say({type: 'finished'})).toBe(false)
    expect(delivered).toEqual(['foo'])
  })

  test('whose text cannot be handed on fails by that, and its provider only leaves', async () => {
    const heard: boolean[] = []
    const {run} = runWith(
      async (_, take) => {
        for (const text of ['foo', 'bar']) heard.push(take({type: 'delta', text}))
        heard.push(take({type: 'finished'}))
      },
      () => {
        throw new Error('bar')
      },
    )
    expect(await run).toEqual({
      end: {state: 'failed', outcome: 'interrupted', error: unstorable.error},
      text: 'foo',
      promptTokens: 1,
      completionTokens: 1,
      tokensEstimated: true,
      charge: '0',
      status: 500,
    })
    expect(heard).toEqual([false, false, false])
  })

  test('stopped within an event tells the provider with the next one', async () => {
    const said: boolean[] = []
    const {stop, run} = runWith(async (_, take) => {
      said.push(take({type: 'delta', text: 'foo'}))
      stop.abort('stop')
      said.push(take({type: 'delta', text: 'bar'}))
    })
    expect(await run).toEqual(stopped)
    expect(said).toEqual([true, false])
  })
})

test('the server opens connections in one module only (R27)', () => {
  const root = fileURLToPath(new URL('../../src/server', import.meta.url))
  const files = readdirSync(root, {recursive: true, encoding: 'utf8'}).filter((file) => file.endsWith('.ts'))
  expect(files).toContain(join('providers', 'outbound.ts'))
  const callers = files.filter((file) =>
    /(?<![.\w])fetch\s*\(|from 'node:https?'|from 'undici'|\bhttps?\.(?:get|request)\(/.test(
      readFileSync(join(root, file), 'utf8'),
    ),
  )
  // http/listen.ts takes connections; it opens none.
  expect(callers.filter((file) => !file.startsWith('http'))).toEqual([join('providers', 'outbound.ts')])
})
