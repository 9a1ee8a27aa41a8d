import {createActor, fromPromise, setup, type InspectionEvent} from 'xstate'
import type {StatelyInspectionEvent} from '@stately/inspect'
import {describe, expect, test} from 'vitest'
import {compactHistory, createInspectionConverter} from '#app/inspector/inspection.ts'
import {createSanitizer, hidden} from '#app/inspector/sanitize.ts'
import {eventually} from './eventually.ts'

const canary = 'canary-5ecret-Q1w2E3r4T5'

describe('sanitizing', () => {
  test.each([
    'access',
    'refresh',
    'access_token',
    'refresh_token',
    'accessToken',
    'token',
    'verifier',
    'code_verifier',
    'codeVerifier',
    'password',
    'secret',
    'authorization',
    'apiKey',
    'api_key',
    'cookie',
  ])('a text under %s is hidden, at any depth', (name) => {
    const clean = createSanitizer()({a: [{b: {[name]: canary}}]})
    expect(clean).toEqual({a: [{b: {[name]: hidden}}]})
  })

  test('the code of a login is hidden, the code of a failure is not', () => {
    const sanitize = createSanitizer()
    expect(sanitize({type: 'code.received', code: 'c-1', isOurs: true})).toEqual({
      type: 'code.received',
      code: hidden,
      isOurs: true,
    })
    expect(sanitize({code: 'used_up', detail: 'foo'})).toEqual({code: 'used_up', detail: 'foo'})
  })

  test.each([
    `Bearer ${canary}`,
    `bearer  ${canary}`,
    'sk-atrium-0123456789abcdef',
    'eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl',
    `https://hub.test/auth/callback?redirect=%2F&code=${canary}`,
    `https://hub.test/?state=${canary}&a=b`,
    `https://hub.test/#access_token=${canary}`,
  ])('%s is hidden wherever it stands', (text) => {
    const clean = JSON.stringify(createSanitizer()({note: `see ${text} there`}))
    expect(clean).toContain(hidden)
    expect(clean).not.toMatch(/canary|0123456789abcdef|c2lnbmF0dXJl/)
  })

  test('a secret that was seen once is hidden in every later text', () => {
    const sanitize = createSanitizer()
    sanitize({token: {access: canary}})
    expect(sanitize({message: `no ${canary} here`, list: [canary]})).toEqual({
      message: `no ${hidden} here`,
      list: [hidden],
    })
  })

  test('what is no secret stays', () => {
    const plain = {value: 'asking', key: 'k-1', token: undefined, refreshAt: 5, tokens: 12, attempt: null, done: false}
    expect(createSanitizer()(plain)).toEqual(plain)
  })

  test('whatever an actor holds becomes plain data', () => {
    const cyclic: Record<string, unknown> = {name: 'foo'}
    cyclic.self = cyclic
    const clean = createSanitizer()({
      cyclic,
      error: new Error('foo'),
      set: new Set([1]),
      map: new Map([['a', 1]]),
      date: new Date(0),
      big: 5n,
      act: function act() {},
      instance: new (class Foo {
        secret = canary
      })(),
      actor: {sessionId: 'x:1', id: 'child', send: () => undefined, secret: canary},
      many: Array.from({length: 1000}, (_, at) => at),
      long: 'x'.repeat(100_000),
    }) as Record<string, unknown>
    expect(clean).toMatchObject({
      cyclic: {name: 'foo', self: '[cycle]'},
      error: {name: 'Error', message: 'foo'},
      set: [1],
      map: [['a', 1]],
      date: '1970-01-01T00:00:00.000Z',
      big: '5',
      act: 'function act',
      instance: '[Foo]',
      actor: 'actor child',
    })
    expect(clean.many).toHaveLength(301)
    expect(clean.many).toMatchObject({0: 0, 149: 149, 150: '… 700 more', 151: 850, 300: 999})
    expect((clean.long as string).length).toBeLessThan(21_000)
    expect(() => JSON.stringify(clean)).not.toThrow()
  })
})

test('a graph of shared references does not unfold without end', () => {
  let shared: unknown = 'foo'
  for (let depth = 0; depth < 39; depth += 1) shared = {left: shared, right: shared}
  expect(JSON.stringify(createSanitizer()(shared)).length).toBeLessThan(1_000_000)
})

/** A chart that holds, sends, invokes with, answers with and fails with a secret. */
const leakyMachine = setup({
  types: {
    context: {} as {token?: {access: string}; note: string},
    events: {} as {type: 'login.received'; token: {access: string}},
  },
  actors: {
    exchangeCode: fromPromise<{access: string}, {code: string; verifier: string}>(async ({input}) => ({
      access: `${input.verifier}-token`,
    })),
    failing: fromPromise<void, {access: string}>(({input}) => Promise.reject(new Error(`refused ${input.access}`))),
  },
}).createMachine({
  id: 'leaky',
  context: {note: 'foo'},
  initial: 'exchanging',
  states: {
    exchanging: {
      invoke: {
        id: 'exchangeCode',
        src: 'exchangeCode',
        input: {code: canary, verifier: canary},
        onDone: {target: 'failing'},
      },
    },
    failing: {
      invoke: {id: 'failing', src: 'failing', input: {access: canary}, onError: {target: 'waiting'}},
    },
    waiting: {on: {'login.received': {target: 'finished'}}},
    finished: {type: 'final'},
  },
})

test('a canary planted in context, events, inputs, outputs and errors never leaves the page', async () => {
  const reports: InspectionEvent[] = []
  const actor = createActor(leakyMachine, {inspect: (report) => reports.push(report)})
  actor.start()
  await eventually(() => expect(actor.getSnapshot().value).toBe('waiting'))
  actor.send({type: 'login.received', token: {access: canary}})
  const convert = createInspectionConverter()
  const sent = reports.flatMap((report) => convert(report, 1000) ?? [])
  expect(sent.filter(({type}) => type === '@xstate.actor').map((event) => 'name' in event && event.name)).toEqual([
    'leaky',
    'exchangeCode',
    'failing',
  ])
  expect(sent.some((event) => event.type === '@xstate.event' && event.event.type === 'login.received')).toBe(true)
  const wire = JSON.stringify(sent)
  expect(wire).toContain('xstate.done.actor.exchangeCode')
  expect(wire).toContain(hidden)
  expect(wire).not.toContain(canary)
})

describe('the story for an inspector that opens late', () => {
  const event = (type: '@xstate.actor' | '@xstate.snapshot' | '@xstate.event', sessionId: string, id: number) =>
    ({type, sessionId, id: String(id)}) as StatelyInspectionEvent // what compacting looks at

  test('a short one is told whole', () => {
    const story = [event('@xstate.actor', 'a', 0), event('@xstate.event', 'a', 1)]
    expect(compactHistory(story, 1)).toEqual(story)
  })

  test('of a long one the newest, every beginning, and the last known state of each', () => {
    const story = [
      event('@xstate.actor', 'a', 0),
      event('@xstate.snapshot', 'a', 1),
      event('@xstate.snapshot', 'a', 2),
      event('@xstate.event', 'a', 3),
      event('@xstate.actor', 'b', 4),
      event('@xstate.snapshot', 'b', 5),
      event('@xstate.event', 'b', 6),
      event('@xstate.snapshot', 'b', 7),
    ]
    expect(compactHistory(story, 2).map(({id}) => id)).toEqual(['0', '2', '4', '6', '7'])
  })
})
