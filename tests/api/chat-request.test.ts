import {describe, expect, test} from 'vitest'
import {ApiError} from '#api/api-error.ts'
import type {Failure} from '#domain/failure.ts'
import {createFakeFetch, json} from './fake-fetch.ts'
import {question, rest, setUp, collect, stream} from './chat-fixture.ts'

describe('the request', () => {
  test('a new conversation: exactly the specified body and headers', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$(question)).ended
    expect(fake.seen[0]).toEqual({
      url: 'https://api.test/aichat/conversations',
      method: 'POST',
      body: {question: 'What is tea?', model: 'gpt-4o-all', references: ['https://foo.test/a.png'], stateful: true},
      headers: {accept: 'text/event-stream', authorization: 'Bearer credential', 'content-type': 'application/json'},
      signal: expect.any(AbortSignal),
      keepalive: false,
    })
    expect(fake.seen[0]?.body).not.toHaveProperty('id')
    expect(fake.seen[0]?.headers).toEqual({
      authorization: 'Bearer credential',
      'content-type': 'application/json',
      accept: 'text/event-stream',
    })
  })

  test('a known conversation is named', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$({...question, conversation: 'c-1'})).ended
    expect(fake.seen[0]?.body).toEqual({
      id: 'c-1',
      question: 'What is tea?',
      model: 'gpt-4o-all',
      references: ['https://foo.test/a.png'],
      stateful: true,
    })
  })

  test('an idempotency key only where it is offered', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$({...question, capabilities: ['idempotency']})).ended
    expect(fake.seen[0]?.headers).toEqual({
      'idempotency-key': 'k-1',
      accept: 'text/event-stream',
      authorization: 'Bearer credential',
      'content-type': 'application/json',
    })
  })

  test('resume names the message, the attempt and the last delta', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    await collect(setUp(fake).chat.answer$({...rest, capabilities: ['idempotency', 'resume']})).ended
    expect(fake.seen[0]?.body).toEqual({action: 'resume', id: 'c-1', message: 'm-1', attempt: 2, last_seq: 7})
    expect(fake.seen[0]?.headers).not.toHaveProperty('idempotency-key')
  })

  test('is cold: nothing is asked before a subscription, and each subscriber asks', async () => {
    const fake = createFakeFetch(stream('data: [DONE]\n\n'))
    const answer$ = setUp(fake).chat.answer$(question)
    expect(fake.seen).toHaveLength(0)
    await collect(answer$).ended
    await collect(answer$).ended
    expect(fake.seen).toHaveLength(2)
  })
})

describe('refusals', () => {
  test.each<[string, Response, Failure]>([
    [
      'the body says it',
      json({error: {code: 'used_up', message: 'foo', needed: '0.250000', available: '0.1'}, trace_id: 't'}, 403),
      {code: 'used_up', detail: 'foo', status: 403, traceId: 't', needed: '0.250000', available: '0.1'},
    ],
    ['the body says nothing', json({}, 400), {code: 'bad_request', detail: 'An error occurred', status: 400}],
    ['the older form', json({code: 'busy', detail: 'foo'}, 500), {code: 'busy', detail: 'foo', status: 500}],
    [
      '401',
      json({error: {code: 'invalid_token'}}, 401),
      {code: 'invalid_token', detail: 'An error occurred', status: 401},
    ],
    ['too many', json({error: {}}, 429), {code: 'too_many_requests', detail: 'An error occurred', status: 429}],
    ['a page', new Response('<html>', {status: 404}), {code: 'unknown', detail: 'An error occurred', status: 404}],
    [
      'a gateway page',
      new Response('<html>', {status: 504}),
      {code: 'timeout', detail: 'An error occurred', status: 504},
    ],
    ['no body to read', new Response(null), {code: 'api_error', detail: 'ReadableStream not supported.', status: 500}],
  ])('%s', async (_, response, failure) => {
    const run = collect(setUp(createFakeFetch(response)).chat.answer$(question))
    await run.ended
    expect(run.end()).toEqual({error: new ApiError(failure)})
    expect(run.events).toEqual([])
  })

  test('a web page with status 200', async () => {
    const run = collect(setUp(createFakeFetch(stream('<!doctype html>', 'text/html'))).chat.answer$(question))
    await run.ended
    expect(run.events.at(-1)).toEqual({
      type: 'answer.failed',
      failure: {code: 'unknown', status: 200, detail: 'The server sent a web page instead of an answer.'},
      outcome: 'refused',
    })
  })
})
