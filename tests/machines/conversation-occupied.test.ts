import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {
  ask,
  started,
  delta,
  unreachable,
  type Options,
  start,
  unsentAnswer,
  firstAttempt,
} from './conversation-fixture.ts'

describe('a question that another page was quicker than', () => {
  const history: RecordMessage[] = [
    {role: 'user', content: 'one'},
    {role: 'assistant', content: 'first', id: 'm-0', attempt: 1, state: 'finished'},
  ]
  const theirs: RecordMessage[] = [
    {role: 'user', content: 'quick'},
    {role: 'assistant', content: 'ba', id: 'm-1', attempt: 1, state: 'answering'},
  ]
  const record: ConversationRecord = {key: 'k', id: 'c-1', model: 'm', messages: history, updatedAt: 0}
  const occupied = Object.assign(new Error('foo'), {code: 'duplication', detail: 'foo', status: 409})
  const isYielding = ({value}: {value: unknown}) => JSON.stringify(value).startsWith('{"yielding"')
  const submit = (options: Options) => {
    const started = start({record, capabilities: ['resume', 'stop', 'idempotency'], ...options})
    started.actor.send(ask)
    started.stream().error(occupied)
    expect(isYielding(started.actor.getSnapshot())).toBe(true)
    return started
  }
  const answered = (end: Partial<RecordMessage>): Conversation => ({
    id: 'c-1',
    messages: [...history, ...theirs.map((message) => (message.role === 'user' ? message : {...message, ...end}))],
  })

  test('waits below that answer, is stored with it, and is asked next with its own key', async () => {
    const {actor, clock, opened, followed} = submit({retrieve: async () => answered({})})
    clock.increment(30_000)
    await waitFor(actor, (snapshot) => !isYielding(snapshot))
    const waits = [{question: 'foo', references: [], key: 'key-1'}]
    expect(selectItems(actor.getSnapshot().context.followUps.getSnapshot())).toEqual(waits)
    const stored = selectRecord(actor.getSnapshot())
    expect(stored.messages.map(({content}) => content)).toEqual(['one', 'first', 'quick', ''])
    expect(stored.followUps).toEqual(waits)
    const again = start({record: stored, capabilities: ['resume', 'stop', 'idempotency']})
    expect(selectRecord(again.actor.getSnapshot())).toEqual(stored)

    expect(followed.at(-1)?.input).toEqual({
      exchange: {...firstAttempt, question: 'quick', key: 'm-1', message: 'm-1'},
      request: 'resume',
      conversation: 'c-1',
      model: 'm',
      capabilities: ['resume', 'stop', 'idempotency'],
    })
    followed.at(-1)?.stream.next({...started, message: 'm-1'})
    followed.at(-1)?.stream.next(delta(1, 'bar'))
    followed.at(-1)?.stream.next({type: 'answer.completed'})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened.at(-1)?.input).toEqual({
      request: 'ask',
      exchange: {...firstAttempt, message: 'key-1', question: 'foo', key: 'key-1'},
      conversation: 'c-1',
      model: 'm',
      capabilities: ['resume', 'stop', 'idempotency'],
    })
    expect(actor.getSnapshot().context.messages.map(({content}) => content)).toEqual([
      'one',
      'first',
      'quick',
      'bar',
      'foo',
    ])
  })

  test('waits as well where the deletion before it was refused so', async () => {
    const deleted = history.map((message) => (message.role === 'user' ? message : {...message, removing: true}))
    const {actor, clock, opened, followed} = start({
      record: {...record, messages: deleted},
      capabilities: ['resume', 'stop', 'idempotency', 'versions'],
      truncate: () => Promise.reject(occupied),
      retrieve: async () => answered({}),
    })
    actor.send(ask)
    await waitFor(actor, isYielding)
    clock.increment(30_000)
    await waitFor(actor, (snapshot) => !isYielding(snapshot))
    expect(selectRecord(actor.getSnapshot())).toEqual({
      followUps: [{question: 'foo', key: 'key-1', references: []}],
      messages: [
        {content: 'one', role: 'user'},
        {removing: true, role: 'assistant', content: 'first', id: 'm-0', attempt: 1, state: 'finished'},
        {content: 'quick', role: 'user'},
        {id: 'm-1', role: 'assistant', content: '', model: 'm', state: 'pending', seq: 0, attempt: 1},
      ],
      key: 'k',
      id: 'c-1',
      model: 'm',
      updatedAt: expect.any(Number),
    })
    expect([opened.length, followed.length]).toEqual([0, 1])
  })

  test('is asked at once where that answer has ended meanwhile', async () => {
    const {actor, clock, opened} = submit({retrieve: async () => answered({state: 'finished', content: 'bar'})})
    clock.increment(30_000)
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened.at(-1)?.input.exchange).toEqual({...firstAttempt, message: 'key-1', question: 'foo', key: 'key-1'})
  })

  test('can be taken back while it waits', async () => {
    const {actor, clock, followed, opened} = submit({retrieve: async () => answered({})})
    clock.increment(30_000)
    await waitFor(actor, (snapshot) => !isYielding(snapshot))
    actor.getSnapshot().context.followUps.send({type: 'followUp.remove', key: 'key-1'})
    followed.at(-1)?.stream.next(delta(1, 'bar'))
    followed.at(-1)?.stream.next({type: 'answer.completed'})
    expect(actor.getSnapshot().value).toBe('finished')
    expect(opened).toHaveLength(1)
  })

  test('stays in the thread as refused where the history cannot be read', async () => {
    const {actor, clock} = submit({retrieve: () => Promise.reject(unreachable())})
    const refused = waitFor(actor, (snapshot) => snapshot.matches({failed: 'refused'}))
    for (let attempt = 0; attempt < 6; attempt += 1) {
      clock.increment(30_000)
      await Promise.resolve()
      await Promise.resolve()
    }
    const {context} = await refused
    expect(context.messages.slice(-2)).toEqual([
      {role: 'user', content: 'foo', unsent: true, created_at: 10},
      {...unsentAnswer, outcome: 'refused', error: {code: 'duplication', message: 'foo'}},
    ])
  })

  test("Stop ends the wait, and not the other page's answer", () => {
    const {actor, stops} = submit({})
    actor.send({type: 'answer.stop'})
    expect(actor.getSnapshot().value).toEqual({failed: 'stopped'})
    expect(stops).toEqual([])
    expect(actor.getSnapshot().context.messages.at(-2)).toEqual({
      content: 'foo',
      unsent: true,
      role: 'user',
      created_at: 10,
    })
  })
})
