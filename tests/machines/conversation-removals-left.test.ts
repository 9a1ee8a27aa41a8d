import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationEvent} from '#machines/conversation/conversation.types.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {ask, start, unreachable} from './conversation-fixture.ts'
import {one, first, two, second, deleted, open, giveUp, contents} from './conversation-removals-fixture.ts'

describe('a page that is left while the server has not heard of it yet', () => {
  const capabilities = ['resume', 'stop', 'idempotency', 'versions'] as const
  const versions = ['a-2', 'a-3']
  test.each([
    ['a question', ask, ['one', 'two', 'second', 'foo'], undefined],
    [
      'a changed question',
      {type: 'message.edit', index: 2, question: 'bar', references: [], key: 'key-1', at: 9},
      ['one', 'bar'],
      'q-2',
    ],
    ['an answer again', {type: 'answer.regenerate', key: 'key-1', at: 9}, ['one', 'two'], 'a-2'],
  ] satisfies [string, ConversationEvent, string[], string | undefined][])(
    '%s stands in the record, which is asked only after the deletions',
    async (_name, event, shown, versionOf) => {
      const history = [one, deleted(first), two, deleted({...second, id: 'a-3', versions})]
      const left = start({
        record: {key: 'c-1', id: 'c-1', model: 'm', messages: history, updatedAt: 0},
        capabilities: [...capabilities],
      })
      left.actor.send(event)
      const stored = selectRecord(left.actor.getSnapshot())
      expect(stored.messages.filter(({removing}) => removing).map(({id}) => id)).toEqual(['a-1', 'a-3'])
      expect([stored.messages.at(-1)?.state, stored.messages.at(-1)?.id]).toEqual(['pending', 'key-1'])

      const {actor, clock, truncations, opened} = start({
        record: JSON.parse(JSON.stringify(stored)) as ConversationRecord, // as: what is stored is JSON
        capabilities: [...capabilities],
        truncate: () => Promise.resolve({id: 'c-1', messages: [one, two, {...second, versions: ['a-2']}]}),
      })
      clock.increment(1_000)
      expect(truncations).toEqual([
        {
          removing: ['a-1', 'a-3'],
          messages: undefined,
          conversation: 'c-1',
          capabilities: ['resume', 'stop', 'idempotency', 'versions'],
          last: expect.any(String),
        },
      ])
      expect(opened).toEqual([])
      await waitFor(actor, (snapshot) => snapshot.matches('asking'))
      expect(opened[0]?.input).toMatchObject({request: 'ask', versionOf, exchange: {key: 'key-1'}})
      expect(contents(actor.getSnapshot().context.messages)).toEqual(shown)
    },
  )

  test('a page that is left sees its own call end, and neither it nor the next one gives the question up', async () => {
    const left = start({
      record: {key: 'c-1', id: 'c-1', model: 'm', messages: [one, deleted(first)], updatedAt: 0},
      capabilities: [...capabilities],
      truncate: () => Promise.reject(unreachable()),
    })
    left.actor.send(ask)
    await waitFor(left.actor, (snapshot) => snapshot.matches('reconciling'))
    const stored = selectRecord(left.actor.getSnapshot())
    expect(stored.messages.slice(2)).toEqual([
      {content: 'foo', role: 'user', created_at: 10},
      {state: 'pending', id: 'key-1', role: 'assistant', content: '', model: 'm', seq: 0},
    ])
    const next = start({
      record: stored,
      capabilities: [...capabilities],
      truncate: async () => ({id: 'c-1', messages: [one]}),
    })
    next.clock.increment(1_000)
    await waitFor(next.actor, (snapshot) => snapshot.matches('asking'))
    expect(next.opened[0]?.input.exchange.key).toBe('key-1')
  })

  test('a call that was lost is made again by the same page, and the question goes out once', async () => {
    const answers = [() => Promise.reject(unreachable()), async () => ({id: 'c-1', messages: [one]})]
    const {actor, clock, opened} = start({
      record: {key: 'c-1', id: 'c-1', model: 'm', messages: [one, deleted(first)], updatedAt: 0},
      capabilities: [...capabilities],
      truncate: () => answers.shift()?.() ?? Promise.reject(new Error('foo')),
    })
    actor.send({type: 'message.edit', index: 0, question: 'bar', references: [], key: 'k', at: 9})
    await waitFor(actor, (snapshot) => snapshot.matches('reconciling'))
    clock.increment(1_000)
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(
      opened.map(
        ({
          input: {
            versionOf,
            exchange: {question},
          },
        }) => [versionOf, question],
      ),
    ).toEqual([['q-1', 'bar']])
    expect(contents(actor.getSnapshot().context.messages)).toEqual(['bar'])
  })

  test('a question that cannot go out after it is refused with Retry', async () => {
    const left = open([one, deleted(first)], [])
    left.actor.send(ask)
    const record = selectRecord(left.actor.getSnapshot())
    const {actor, clock, truncations} = start({record, truncate: () => Promise.reject(unreachable())})
    await giveUp({actor, clock})
    expect(truncations).toHaveLength(6)
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
    expect(contents(actor.getSnapshot().context.messages)).toEqual(['one', 'first', 'foo', ''])
  })
})
