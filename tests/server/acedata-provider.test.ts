import {describe, expect, test} from 'vitest'
import {ProviderFailure} from '#server/providers/provider.ts'
import {silentLog} from '#server/log.ts'
import {createAcedataProvider} from '#server/providers/acedata/acedata-provider.ts'
import {configOf, inputOf, collect, peer, lines, ok} from './openai-peer.ts'

describe('acedata', () => {
  const providerWith = (respond: () => Response) => {
    const {sent, ports} = peer(respond)
    const config = configOf({
      name: 'acedata',
      kind: 'acedata',
      baseUrl: 'https://api.test',
      models: [],
      groups: ['chatgpt', 'grok'],
    })
    return {sent, provider: createAcedataProvider(config, {log: silentLog, ports})}
  }

  test('one question is passed on as it is, without keeping a conversation there', async () => {
    const {sent, provider} = providerWith(
      () => new Response(lines({answer: 'Te', delta_answer: 'Te'}, {answer: 'Tea', delta_answer: 'a'}, '[DONE]')),
    )
    const content = [
      {type: 'text' as const, text: 'look'},
      {type: 'image_url' as const, image_url: 'https://foo.test/a.png'},
    ]
    const {events} = await collect(provider, inputOf({model: 'gpt-4o', messages: [{role: 'user', content}]}))
    expect(events).toEqual([{type: 'delta', text: 'Te'}, {type: 'delta', text: 'a'}, {type: 'finished'}])
    expect(sent[0]).toEqual({
      url: 'https://api.test/aichat/conversations',
      headers: {
        authorization: 'Bearer sk-test',
        accept: 'text/event-stream',
        'content-type': 'application/json',
        'idempotency-key': expect.any(String),
      },
      body: {model: 'gpt-4o', question: 'look', references: ['https://foo.test/a.png'], stateful: false},
    })
    expect(sent[0]?.body).not.toHaveProperty('preset')
  })

  test('earlier turns travel in the preset', async () => {
    const {sent, provider} = providerWith(() => new Response(lines({delta_answer: 'x'}, '[DONE]')))
    await collect(
      provider,
      inputOf({
        messages: [
          {role: 'system', content: 'Be brief.'},
          {role: 'user', content: 'one'},
          {role: 'assistant', content: '<think>hm</think>first'},
          {role: 'user', content: 'two'},
        ],
      }),
    )
    expect(sent[0]?.body).toEqual({
      question: 'two',
      preset: 'Be brief.\n\nThe conversation so far:\n\nUser: one\n\nAssistant: first',
      model: 'foo-model',
      references: [],
      stateful: false,
    })
  })

  test.each([
    [
      'ndjson without an end mark',
      '{"answer":"a","delta_answer":"a","id":"1"}\n{"answer":"ab","delta_answer":"b","id":"1"}\n',
      'ab',
      undefined,
    ],
    ['cumulative answers only', lines({answer: 'a'}, {answer: 'abc'}, '[DONE]'), 'abc', undefined],
    ['plain JSON', '{"answer":"whole"}', 'whole', undefined],
    ['a frame that says it is done', lines({delta_answer: 'all'}, {type: 'done'}), 'all', undefined],
    [
      'an event stream that ends at a line without an end mark',
      lines({delta_answer: 'part'}, {delta_answer: ' of it'}),
      'part of it',
      {code: 'api_error', detail: 'The answer of acedata broke off.'},
    ],
    [
      'ndjson that ends inside a line',
      '{"delta_answer":"part"}\n{"delta_an',
      'part',
      {code: 'api_error', detail: 'The answer of acedata broke off.'},
    ],
    ['ndjson without text', '{"id":"1"}\n', '', {code: 'api_error', detail: 'acedata ended without an answer.'}],
    [
      'an error after text',
      lines({delta_answer: 'part'}, {error: {code: 'chat_error', message: 'Upstream broke.'}}),
      'part',
      {code: 'api_error', detail: 'Upstream broke.'},
    ],
    [
      'a typed error',
      lines({type: 'error', code: 'too_many_requests', message: 'Wait.', status: 429}),
      '',
      {code: 'too_many_requests', detail: 'Wait.'},
    ],
    ['nothing at all', '', '', {code: 'api_error', detail: 'acedata ended without an answer.'}],
    [
      'a cut line',
      `${lines({delta_answer: 'part'})}data: {"delta`,
      'part',
      {code: 'api_error', detail: 'The answer of acedata broke off.'},
    ],
    [
      'a page',
      '<html></html>',
      '',
      {code: 'api_error', detail: 'acedata answered with a web page. Check its base address.'},
    ],
  ])('%s', async (_, body, text, failure) => {
    const run = await collect(providerWith(() => new Response(body)).provider)
    expect(run.events.map((event) => (event.type === 'delta' ? event.text : '')).join('')).toBe(text)
    expect(run.failure && {code: run.failure.code, detail: run.failure.detail}).toEqual(failure)
    expect(run.events.some(({type}) => type === 'finished')).toBe(failure === undefined)
  })

  test('an end without an end mark is an interruption, not a refusal', async () => {
    const {failure} = await collect(providerWith(() => new Response(lines({delta_answer: 'part'}))).provider)
    expect(failure?.options.interrupted).toBe(true)
  })

  test('a refusal keeps its code; a wrong key is not blamed on the user', async () => {
    const refused = (status: number, code: string) => () =>
      Response.json({error: {code, message: 'Words.'}, trace_id: '1'}, {status})
    expect((await collect(providerWith(refused(403, 'forbidden')).provider)).failure).toEqual(
      new ProviderFailure('forbidden', 'Words.', {status: 403}),
    )
    expect((await collect(providerWith(refused(403, 'used_up')).provider)).failure).toEqual(
      new ProviderFailure('payment_required', 'The account of this installation at acedata has no credit left.', {
        status: 403,
      }),
    )
    expect((await collect(providerWith(refused(401, 'invalid_token')).provider)).failure).toEqual(
      new ProviderFailure('api_error', 'acedata does not accept the key of this installation.', {status: 401}),
    )
  })

  test('serves the models of the specification in its groups', async () => {
    const models = await providerWith(ok).provider.models(new AbortController().signal)
    expect(models.map(({name}) => name)).toContain('gpt-5-all')
    expect(models.map(({name}) => name)).toContain('grok-4')
    expect(models.map(({name}) => name)).not.toContain('deepseek-r1')
  })
})
