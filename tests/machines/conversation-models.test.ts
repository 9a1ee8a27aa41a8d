import {describe, expect, test} from 'vitest'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {ask, delta, start, started, unreachable} from './conversation-fixture.ts'

const asked = (id: string): RecordMessage => ({role: 'user', content: id, id, state: 'finished'})
const answered = (id: string, time?: number): RecordMessage => ({
  role: 'assistant',
  content: id,
  id,
  attempt: 1,
  state: 'finished',
  ...(time !== undefined && {created_at: time}),
})
const record = (model: string, ...messages: RecordMessage[]): ConversationRecord => ({
  key: 'c-1',
  id: 'c-1',
  model,
  messages,
  updatedAt: 5,
})
const modelAfter = (theirs: ConversationRecord) => {
  const {actor} = start({record: record('first', asked('q-1'), answered('a-1', 20))})
  actor.send({type: 'model.choose', model: 'chosen'})
  actor.send({type: 'history.loaded', record: {...theirs, updatedAt: 6}})
  return actor.getSnapshot().context.model
}

describe('the model of the next question, once the copy of the server was read', () => {
  test('is that of an answer which another device was given since', () => {
    const longer = record('other', asked('q-1'), answered('a-1', 20), asked('q-2'), answered('a-2'))
    expect(modelAfter(longer)).toBe('other')
    expect(modelAfter(record('other', asked('q-3'), answered('a-3', 21)))).toBe('other')
  })

  test('stays as it was chosen after the same answer, and on an earlier path', () => {
    expect(modelAfter(record('other', asked('q-1'), answered('a-1', 20)))).toBe('chosen')
    expect(modelAfter(record('other', asked('q-1'), answered('a-0', 19)))).toBe('chosen')
    expect(modelAfter(record('other', asked('q-1'), answered('a-0')))).toBe('chosen')
    expect(modelAfter(record('', asked('q-1'), answered('a-1', 20), asked('q-2'), answered('a-2')))).toBe('chosen')
  })
})

describe('a model chosen while an answer is written', () => {
  const choose = {type: 'model.choose', model: 'other'} as const

  test('is that of the next question alone', () => {
    const {actor, stream, opened} = start({capabilities: ['resume', 'idempotency']})
    actor.send(ask)
    stream().next(started)
    actor.send(choose)
    expect(selectRecord(actor.getSnapshot()).messages.at(-1)?.model).toBe('m')
    stream().next(delta(1, 'bar'))
    stream().next({type: 'answer.completed'})
    const {messages, model} = actor.getSnapshot().context
    expect([messages.at(-1)?.model, model]).toEqual(['m', 'other'])
    actor.send({...ask, question: 'more', key: 'key-2'})
    expect(opened.map(({input}) => input.model)).toEqual(['m', 'other'])
  })

  test('does not change the request that is repeated under the same key', () => {
    const {actor, clock, stream, opened} = start({capabilities: ['idempotency']})
    actor.send(ask)
    actor.send(choose)
    stream().error(unreachable())
    clock.increment(5_000)
    expect(opened.map(({input: {exchange, model}}) => [exchange.key, model])).toEqual([
      ['key-1', 'm'],
      ['key-1', 'm'],
    ])
  })

  test('does not change the request that is repeated after a reload either', () => {
    const before = start({capabilities: ['idempotency']})
    before.actor.send(ask)
    const stored = selectRecord(before.actor.getSnapshot())
    const {actor, clock, opened} = start({capabilities: ['idempotency'], record: stored})
    actor.send(choose)
    clock.increment(5_000)
    expect(opened.map(({input: {exchange, model}}) => [exchange.key, model])).toEqual([['key-1', 'm']])
  })

  test('leaves its model to a question that failed, also after a reload', () => {
    const {actor, stream, opened} = start({capabilities: []})
    actor.send(ask)
    actor.send(choose)
    stream().error({code: 'bad_request', detail: 'foo', status: 400})
    const again = start({record: selectRecord(actor.getSnapshot())})
    for (const each of [actor, again.actor]) each.send({type: 'answer.retry', key: 'key-2', at: 11})
    expect([opened.at(-1)?.input.model, again.opened.at(-1)?.input.model]).toEqual(['m', 'm'])
  })
})
