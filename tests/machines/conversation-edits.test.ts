import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import {selectRecord, selectRejection} from '#machines/conversation/conversation.selectors.ts'
import {ask, started, delta, start, fresh, firstAttempt} from './conversation-fixture.ts'

describe('edits and reloads', () => {
  const long: ConversationRecord = {
    key: 'c-1',
    id: 'c-1',
    model: 'm',
    updatedAt: 0,
    messages: [
      {role: 'user', content: 'one', id: 'u-1'},
      {role: 'assistant', content: 'two', id: 'm-1', state: 'finished'},
      {role: 'user', content: 'three', id: 'u-2'},
      {role: 'assistant', content: 'four', id: 'm-2', state: 'finished'},
    ],
  }

  test('edit cuts the history on the server first, then asks', async () => {
    const {actor, truncations, opened} = start({record: long, truncate: () => Promise.resolve(undefined)})
    actor.send({type: 'message.edit', index: 2, question: 'five', references: [], key: 'key-2', at: 20})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(truncations).toEqual([
      {conversation: 'c-1', removing: [], messages: long.messages.slice(0, 2), last: 'm-2', capabilities: []},
    ])
    expect(actor.getSnapshot().context.messages).toEqual([
      ...long.messages.slice(0, 2),
      {role: 'user', content: 'five', created_at: 20},
    ])
    expect(opened[0]?.input).toEqual({
      request: 'ask',
      conversation: 'c-1',
      exchange: {...firstAttempt, key: 'key-2', at: 20, message: 'key-2', question: 'five'},
      model: 'm',
      capabilities: [],
    })
  })

  test('what no server accepted is not cut there: a refused question is simply asked again', async () => {
    const {actor, stream, truncations, opened} = start({record: long, truncate: () => Promise.resolve(undefined)})
    actor.send(ask)
    stream().error({status: 429, code: 'too_many_requests', detail: 'bar'})
    actor.send({type: 'answer.retry', key: 'key-2', at: 20})
    expect([opened.length, truncations.length]).toEqual([2, 0])
    stream().error({status: 429, code: 'too_many_requests', detail: 'bar'})
    actor.send({...ask, question: 'other', key: 'key-3'})
    stream().next({...started, conversation: 'c-1', message: 'm-9'})
    stream().next({type: 'answer.completed'})
    actor.send({type: 'answer.regenerate', key: 'key-4', at: 30})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(truncations).toEqual([
      {conversation: 'c-1', removing: [], messages: long.messages, last: 'm-9', capabilities: []},
    ])
  })

  test('a question stopped before its first word may have arrived: the history is cut to what surely did', async () => {
    const {actor, truncations} = start({record: long, truncate: () => Promise.resolve(undefined)})
    actor.send(ask)
    actor.send({type: 'answer.stop'})
    expect(actor.getSnapshot().value).toEqual({failed: 'stopped'})
    actor.send({type: 'answer.retry', key: 'key-2', at: 20})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(truncations).toEqual([{conversation: 'c-1', removing: [], messages: long.messages, capabilities: []}])
  })

  test('an edit the server refuses changes nothing and gives text and files back', async () => {
    const {actor, opened} = start({record: long, truncate: () => Promise.reject(new Error('bar'))})
    const references = ['https://foo.example/a.txt']
    actor.send({type: 'message.edit', index: 2, question: 'five', references, key: 'key-2', at: 20})
    await waitFor(actor, (snapshot) => snapshot.matches('finished'))
    expect(actor.getSnapshot().context.messages).toEqual(long.messages)
    expect(selectRejection(actor.getSnapshot())).toEqual({
      question: 'five',
      references,
      index: 2,
      failure: {code: 'unknown', detail: 'bar'},
    })
    expect(opened).toEqual([])
  })

  test('a reload in mid-answer goes on where the stored text ends', () => {
    const first = start({capabilities: ['resume']})
    first.actor.send(ask)
    first.stream().next(started)
    first.stream().next(delta(1, 'ba'))
    // as: what is stored is JSON
    const stored = JSON.parse(JSON.stringify(selectRecord(first.actor.getSnapshot()))) as ConversationRecord
    first.actor.stop()
    const {actor, followed} = start({record: stored, capabilities: ['resume', 'follow']})
    expect(actor.getSnapshot().context.exchange?.answer).toBe('ba')
    expect(followed[0]?.input).toEqual({
      conversation: 'c-1',
      exchange: {
        model: 'm',
        lastSeq: 1,
        question: 'foo',
        references: [],
        key: 'm-1',
        attempt: 1,
        answer: 'ba',
        reconnects: 0,
        message: 'm-1',
      },
      request: 'resume',
      model: 'm',
      capabilities: ['resume', 'follow'],
    })
    followed[0]?.stream.next(delta(2, 'r'))
    followed[0]?.stream.next({type: 'answer.completed'})
    expect(actor.getSnapshot().context.messages).toEqual([
      {role: 'user', content: 'foo', created_at: 10},
      {role: 'assistant', content: 'bar', id: 'm-1', attempt: 1, model: 'm', state: 'finished'},
    ])
  })

  test('a reload where the server resumes answers but shares no stream: its own stream goes on', async () => {
    const retrieve = async (): Promise<Conversation> => ({
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'bar', state: 'answering', id: 'm-1', attempt: 1},
      ],
    })
    const record: ConversationRecord = {
      ...fresh,
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'ba', state: 'answering', id: 'm-1', attempt: 1, seq: 1},
      ],
    }
    const {actor, opened, clock} = start({record, capabilities: ['resume'], retrieve})
    clock.increment(1_500)
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened[0]?.input).toEqual({
      request: 'resume',
      exchange: {...firstAttempt, question: 'foo', key: 'm-1', message: 'm-1', lastSeq: 1, answer: 'ba'},
      conversation: 'c-1',
      model: 'm',
      capabilities: ['resume'],
    })
  })

  test('a text that was read from a copy is replaced by the numbered words', () => {
    const record: ConversationRecord = {
      ...fresh,
      id: 'c-1',
      messages: [
        {role: 'user', content: 'foo'},
        {role: 'assistant', content: 'ba', state: 'answering', id: 'm-1', attempt: 1},
      ],
    }
    const {actor, followed} = start({record})
    actor.send({type: 'service.changed', capabilities: ['resume', 'follow']})
    expect(followed).toHaveLength(2)
    followed[1]?.stream.next(delta(1, 'bar'))
    expect(actor.getSnapshot().context.exchange?.answer).toBe('bar')
  })

  test('an answer that was sent but never named is asked for with its first key after a reload', () => {
    const first = start({capabilities: ['idempotency']})
    first.actor.send(ask)
    const stored = selectRecord(first.actor.getSnapshot())
    first.actor.stop()
    const {opened, clock} = start({record: stored, capabilities: ['idempotency']})
    clock.increment(1_000)
    expect(opened[0]?.input).toEqual({
      request: 'ask',
      exchange: {
        key: 'key-1',
        question: 'foo',
        references: [],
        attempt: 1,
        model: 'm',
        lastSeq: 0,
        answer: '',
        reconnects: 1,
        message: 'key-1',
      },
      model: 'm',
      capabilities: ['idempotency'],
    })
  })
})
