import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {buyingTime, type ConversationRecord} from '#domain/conversation.ts'
import type {ConversationEvent} from '#machines/conversation/conversation.types.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {ask, fresh, started, delta, start} from './conversation-fixture.ts'

test('a question whose turn has come does not have the time of the one before it', () => {
  const record: ConversationRecord = {...fresh, messages: [{role: 'user', content: 'one'}], updatedAt: 5}
  const {actor, stream} = start({record})
  actor.send({type: 'followUp.due', ask: {question: 'foo', references: [], key: 'key-1'}})
  stream().next({...started, message: 'm-1'})
  stream().next({type: 'answer.completed'})
  const {messages, updatedAt} = selectRecord(actor.getSnapshot())
  expect(updatedAt).toBe(5)
  expect(messages.slice(1).map((message) => message.created_at)).toEqual([undefined, undefined])
})

test('a question whose turn has come, and its answer, have the time of the turn', () => {
  const record: ConversationRecord = {...fresh, messages: [{role: 'user', content: 'one'}], updatedAt: 5}
  const {actor, stream} = start({record})
  actor.send({type: 'followUp.due', ask: {question: 'foo', references: [], key: 'key-1'}, at: 7})
  stream().next({...started, message: 'm-1'})
  stream().next({type: 'answer.completed'})
  const {messages, updatedAt} = selectRecord(actor.getSnapshot())
  expect(updatedAt).toBe(7)
  expect(messages.slice(1).map((message) => message.created_at)).toEqual([7, 7])
})

describe('refused questions', () => {
  test('a question that waits for its turn has no deadline; it can be stopped', () => {
    const {actor, stream, clock, value} = start()
    actor.send(ask)
    stream().next({type: 'slot.awaited', until: 'ended'})
    clock.increment(600_000)
    expect(value()).toEqual({asking: {pending: 'queued'}})
    expect(actor.getSnapshot().hasTag('waiting')).toBe(true)
    stream().next({type: 'slot.granted'})
    expect(value()).toEqual({asking: {pending: 'connecting'}})
    clock.increment(15_000)
    expect(value()).toEqual({reconciling: 'waiting'})
  })

  const follows: ConversationEvent = {type: 'service.changed', capabilities: ['follow']}

  test('a question that was asked before the service was known waits no more once it can be followed', () => {
    const {actor, stream, opened, value} = start({capabilities: []})
    actor.send(ask)
    stream().next({type: 'slot.awaited', until: 'ended'})
    actor.send({type: 'service.changed', capabilities: ['stop']})
    expect([value(), opened.length]).toEqual([{asking: {pending: 'queued'}}, 1])
    actor.send(follows)
    expect(value()).toEqual({asking: {pending: 'connecting'}})
    expect(opened.map(({input}) => [input.exchange.key, input.capabilities])).toEqual([
      ['key-1', []],
      ['key-1', ['follow']],
    ])
  })

  test('a question whose service became known while it looked for a slot waits no more once it can be followed', () => {
    const {actor, stream, opened, value} = start({capabilities: []})
    actor.send(ask)
    actor.send(follows)
    expect(opened).toHaveLength(1)
    stream().next({type: 'slot.awaited', until: 'ended'})
    expect(opened).toHaveLength(2)
    stream().next({type: 'slot.awaited', until: 'named'})
    expect(value()).toEqual({asking: {pending: 'queued'}})
  })

  test('a refusal keeps the question, its code and detail; retry asks with a new key', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().error({status: 403, code: 'used_up', detail: 'bar', needed: '2', available: '1'})
    expect(actor.getSnapshot().context.messages).toEqual([
      {role: 'user', content: 'foo', created_at: 10, unsent: true},
      {
        created_at: 10,
        unsent: true,
        role: 'assistant',
        content: '',
        id: 'key-1',
        attempt: 1,
        model: 'm',
        state: 'failed',
        outcome: 'refused',
        error: {code: 'used_up', message: 'bar', needed: '2', available: '1'},
      },
    ])
    actor.send({type: 'answer.retry', key: 'key-2', at: 20})
    expect(opened.map(({input}) => [input.exchange.question, input.exchange.key])).toEqual([
      ['foo', 'key-1'],
      ['foo', 'key-2'],
    ])
    expect(actor.getSnapshot().context.messages).toEqual([{role: 'user', content: 'foo', created_at: 20}])
  })

  test('a refused credential ends the question, which is not asked again by itself', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().error({status: 401, code: 'invalid_token', detail: 'bar'})
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
    actor.send({type: 'credential.ready'})
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
    expect(opened).toHaveLength(1)
  })

  test('asked before anything was applied for: the question waits, and goes out with its own key once there is a credential', async () => {
    const {actor, stream, opened} = start({record: {...fresh, updatedAt: 90}})
    actor.send(ask)
    stream().error({code: 'not_applied', detail: 'no token'})
    await waitFor(actor, (snapshot) => snapshot.matches('failed'))
    expect(actor.getSnapshot().value).toEqual({failed: 'unapplied'})
    expect(actor.getSnapshot().context.messages.map(({unsent}) => unsent)).toEqual([true, true])
    actor.send({type: 'credential.ready'})
    expect(actor.getSnapshot().matches('asking')).toBe(true)
    expect(opened.map(({input}) => [input.exchange.question, input.exchange.key])).toEqual([
      ['foo', 'key-1'],
      ['foo', 'key-1'],
    ])
    expect(actor.getSnapshot().context.messages).toEqual([{role: 'user', content: 'foo', created_at: 10}])
  })

  test('refused for want of credits: it goes out with its own key once there are some, also after a reload', async () => {
    const {actor, stream} = start()
    actor.send(ask)
    stream().error({code: 'used_up', detail: 'foo', status: 403})
    expect(actor.getSnapshot().value).toEqual({failed: 'unpaid'})
    // as: what is stored is JSON
    const stored = JSON.parse(JSON.stringify(selectRecord(actor.getSnapshot()))) as ConversationRecord
    for (const {actor: waiting, opened} of [start({record: stored}), start({record: stored})]) {
      expect(waiting.getSnapshot().value).toEqual({failed: 'unpaid'})
      waiting.send({type: 'credits.added', at: ask.at + buyingTime - 1, left: 1})
      expect(waiting.getSnapshot().matches('asking')).toBe(true)
      expect(opened.map(({input}) => [input.exchange.question, input.exchange.key])).toEqual([['foo', 'key-1']])
      expect(waiting.getSnapshot().context.messages).toEqual([
        {role: 'user', content: 'foo', created_at: expect.any(Number)},
      ])
    }
  })

  test('a model that was to answer once is asked again, by itself or at a press, until another is chosen', () => {
    const answered: ConversationRecord = {
      ...fresh,
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo', id: 'q-1', state: 'finished'},
        {role: 'assistant', content: 'bar', id: 'a-1', state: 'finished', model: 'm'},
      ],
    }
    const refused = () => {
      const begun = start({record: answered, capabilities: ['idempotency', 'versions']})
      begun.actor.send({type: 'answer.regenerate', key: 'key-1', at: 10, model: 'other'})
      begun.stream().error({code: 'used_up', detail: 'foo', status: 403})
      return begun
    }
    // as: what is stored is JSON
    const stored = JSON.parse(JSON.stringify(selectRecord(refused().actor.getSnapshot()))) as ConversationRecord
    const reloaded = () => start({record: stored, capabilities: ['idempotency', 'versions']})
    for (const again of [
      {type: 'credits.added', at: 11, left: 1},
      {type: 'answer.retry', key: 'key-2', at: 11},
    ] as const) {
      for (const {actor, opened} of [refused(), reloaded()]) {
        actor.send(again)
        expect(opened.at(-1)?.input.model).toBe('other')
        expect(actor.getSnapshot().context.model).toBe('m')
      }
    }
    for (const {actor, opened} of [refused(), reloaded()]) {
      actor.send({type: 'model.choose', model: 'third'})
      actor.send({type: 'answer.retry', key: 'key-2', at: 11})
      expect(opened.at(-1)?.input.model).toBe('third')
    }
  })

  test('a page that never saw the credits come goes on with what the list says, once that covers the question', async () => {
    const {actor, stream} = start()
    actor.send(ask)
    stream().error({code: 'used_up', detail: 'foo', status: 403, needed: '0.250000', available: '0.1'})
    // as: what is stored is JSON
    const stored = JSON.parse(JSON.stringify(selectRecord(actor.getSnapshot()))) as ConversationRecord
    const {actor: waiting, opened} = start({record: stored})
    waiting.send({type: 'credits.listed', at: ask.at, left: 0.2})
    waiting.send({type: 'credits.added', at: ask.at, left: 0.249})
    waiting.send({type: 'credits.listed', at: ask.at + buyingTime, left: 100})
    expect(opened).toEqual([])
    waiting.send({type: 'credits.listed', at: ask.at, left: 0.25})
    waiting.send({type: 'credits.listed', at: ask.at, left: 0.25})
    expect(opened.map(({input}) => input.exchange.key)).toEqual(['key-1'])
  })

  test('where nobody said what it needs, a list alone sends nothing', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().error({code: 'used_up', detail: 'foo', status: 403})
    actor.send({type: 'credits.listed', at: ask.at, left: 100})
    expect(opened).toHaveLength(1)
  })

  test('credits that come when no order of that time can be paid any more send nothing: the user may not remember the question', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().error({code: 'used_up', detail: 'foo', status: 403})
    actor.send({type: 'credits.added', at: ask.at + buyingTime, left: 1})
    expect(actor.getSnapshot().value).toEqual({failed: 'unpaid'})
    expect(opened).toHaveLength(1)
    actor.send({type: 'answer.retry', key: 'key-2', at: ask.at + buyingTime})
    expect(opened.map(({input}) => input.exchange.key)).toEqual(['key-1', 'key-2'])
  })

  test('an answer that used up the credits on its way keeps its words and is not asked again by itself', () => {
    const {actor, stream, opened} = start()
    actor.send(ask)
    stream().next(started)
    stream().next(delta(1, 'ba'))
    stream().next({type: 'answer.failed', failure: {code: 'used_up', detail: 'foo', status: 403}})
    actor.send({type: 'credits.added', at: ask.at, left: 1})
    expect(actor.getSnapshot().context.messages.at(-1)?.content).toBe('ba')
    expect(opened).toHaveLength(1)
  })

  test('a refusal of the server that names not_applied is one: set-up is not asked again', () => {
    const {actor, stream} = start()
    actor.send(ask)
    stream().error({status: 403, code: 'not_applied', detail: 'bar'})
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
  })
})
