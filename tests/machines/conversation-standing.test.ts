import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {selectMessages, selectRecord} from '#machines/conversation/conversation.selectors.ts'
import type {ConversationInput} from '#machines/conversation/conversation.types.ts'
import {start, unreachable} from './conversation-fixture.ts'
import {contents, deleted, first, one, second, two} from './conversation-removals-fixture.ts'

/* A question that nothing answers is answered as it stands (capability `answer-to`). */

const versioned: ConversationInput['capabilities'] = ['resume', 'stop', 'idempotency', 'versions']
const capable: ConversationInput['capabilities'] = [...versioned, 'answer-to']
const recordOf = (messages: RecordMessage[]): ConversationRecord => ({
  key: 'c-1',
  id: 'c-1',
  model: 'm',
  messages,
  updatedAt: 0,
})
const open = (messages: RecordMessage[], options: Omit<Parameters<typeof start>[0], 'record'> = {}) =>
  start({record: recordOf(messages), capabilities: capable, ...options})
const standing = [one, first, two]
const answer = {type: 'answer.regenerate', key: 'key-1', at: 9} as const
const begun = {type: 'answer.started', conversation: 'c-1', message: 'a-9', attempt: 1, question: 'q-2'} as const
const inputsOf = ({opened}: ReturnType<typeof open>) =>
  opened.map(({input: {versionOf, answerTo, exchange, model}}) => ({
    versionOf,
    answerTo,
    key: exchange.key,
    model,
    question: exchange.question,
  }))
const asked = {versionOf: undefined, answerTo: 'q-2', key: 'key-1', model: 'm', question: 'two'}

describe('a question that nothing answers', () => {
  test('is answered as it stands, and has no other version then', () => {
    const opening = open(standing)
    const {actor, stream, truncations} = opening
    actor.send(answer)
    expect([inputsOf(opening), truncations]).toEqual([[asked], []])
    expect(selectMessages(actor.getSnapshot())).toEqual(standing)
    stream().next(begun)
    stream().next({type: 'answer.completed'})
    const [question, reply] = selectRecord(actor.getSnapshot()).messages.slice(2)
    expect([question, reply?.id, reply?.versions]).toEqual([two, 'a-9', undefined])
  })

  test('is answered by another model, which the conversation does not take over', () => {
    const opening = open(standing)
    opening.actor.send({...answer, model: 'other'})
    expect(inputsOf(opening)).toEqual([{...asked, model: 'other'}])
    expect(selectRecord(opening.actor.getSnapshot()).model).toBe('m')
  })

  test('is the same request after a reload', () => {
    const opening = open(standing)
    opening.actor.send(answer)
    // as: what is stored is JSON
    const stored = JSON.parse(JSON.stringify(selectRecord(opening.actor.getSnapshot()))) as ConversationRecord
    const reloaded = start({record: stored, capabilities: capable})
    reloaded.actor.send({type: 'connection.restored'})
    expect(inputsOf(reloaded)).toEqual([asked])
  })

  test('is asked in the same way after a refusal, also one that says that the conversation is being answered', () => {
    for (const refusal of [
      {code: 'bad_request', detail: 'foo', status: 400},
      {code: 'duplication', detail: 'foo', status: 409},
    ]) {
      const opening = open(standing)
      const {actor, stream, truncations} = opening
      actor.send(answer)
      stream().error(refusal)
      expect(actor.getSnapshot().matches({failed: 'refused'})).toBe(true)
      expect(selectMessages(actor.getSnapshot()).slice(0, 3)).toEqual(standing)
      actor.send({type: 'answer.retry', key: 'key-2', at: 10})
      expect([inputsOf(opening)[1], truncations]).toEqual([{...asked, key: 'key-2'}, []])
      expect(selectMessages(actor.getSnapshot())).toEqual(standing)
    }
  })

  test('is asked in the same way after a stop that came before the network', async () => {
    const opening = open(standing, {isOnline: false})
    const {actor, stream, clock, truncations} = opening
    actor.send(answer)
    actor.send({type: 'answer.stop'})
    for (let tries = 0; tries < 4; tries += 1) {
      stream().error(unreachable())
      await waitFor(actor, (snapshot) => !snapshot.matches({stopping: 'naming'}))
      clock.increment(2_000)
    }
    expect(actor.getSnapshot().matches({failed: 'stopped'})).toBe(true)
    actor.send({type: 'answer.retry', key: 'key-2', at: 10})
    // each try to stop was the same request
    expect(inputsOf(opening)).toEqual([...Array(5).fill(asked), {...asked, key: 'key-2'}])
    expect(truncations).toEqual([])
  })

  test('goes out as a new one when it was deleted on another page', () => {
    const opening = open(standing)
    const {actor, stream, truncations} = opening
    actor.send(answer)
    stream().error({code: 'not_found', detail: '', status: 404, field: 'answer_to'})
    expect(selectMessages(actor.getSnapshot())[2]).toEqual({
      role: 'user',
      content: 'two',
      state: 'finished',
      unsent: true,
    })
    actor.send({type: 'answer.retry', key: 'key-2', at: 10})
    expect([inputsOf(opening)[1], truncations]).toEqual([{...asked, answerTo: undefined, key: 'key-2'}, []])
    expect(contents(selectMessages(actor.getSnapshot()))).toEqual(['one', 'first', 'two'])
  })

  test('since its answer was deleted here is answered once that is gone from the server', async () => {
    const opening = open([one, first, two, deleted(second)], {
      truncate: () => Promise.resolve({id: 'c-1', messages: standing, updated_at: 1}),
    })
    opening.actor.send(answer)
    await waitFor(opening.actor, (snapshot) => snapshot.matches('asking'))
    expect(inputsOf(opening)).toEqual([asked])
    expect(selectMessages(opening.actor.getSnapshot())).toEqual(standing)
  })

  test('that is the last of a path which is visited is answered there', () => {
    const opening = open([one, first])
    opening.actor.send({type: 'path.show', message: 'q-2', messages: standing})
    opening.actor.send(answer)
    expect(inputsOf(opening)).toEqual([asked])
    expect(contents(selectMessages(opening.actor.getSnapshot()))).toEqual(['one', 'first', 'two'])
  })

  test('becomes a version of itself where the server is older', () => {
    const opening = open(standing, {capabilities: versioned})
    opening.actor.send(answer)
    expect(inputsOf(opening)).toEqual([{...asked, versionOf: 'q-2', answerTo: undefined}])
  })
})

test('an answer before others is given again only where it is stored', () => {
  const failure: RecordMessage = {role: 'assistant', content: '', id: 'key-0', state: 'failed', unsent: true}
  const {actor} = open([one, failure, two, second])
  expect(actor.getSnapshot().can({...answer, end: 2})).toBe(false)
  expect(actor.getSnapshot().can({...answer, end: 4})).toBe(true)
})
