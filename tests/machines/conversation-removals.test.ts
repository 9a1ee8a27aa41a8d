import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import type {ConversationEvent} from '#machines/conversation/conversation.types.ts'
import {selectMessages, selectRejection} from '#machines/conversation/conversation.selectors.ts'
import {ask, start, unreachable, unsentAnswer} from './conversation-fixture.ts'
import {one, first, two, second, deleted, open, giveUp, contents} from './conversation-removals-fixture.ts'

describe('what was deleted is gone from the server before the model is asked', () => {
  test.each([
    ['a question', ask, ['one', 'two', 'second', 'foo'], undefined],
    [
      'a changed question',
      {type: 'message.edit', index: 2, question: 'bar', references: [], key: 'k', at: 9},
      ['one', 'bar'],
      'q-2',
    ],
    ['an answer again', {type: 'answer.regenerate', key: 'k', at: 9}, ['one', 'two'], 'a-2'],
    [
      'a follow-up',
      {type: 'followUp.due', ask: {question: 'foo', references: [], key: 'k'}},
      ['one', 'two', 'second', 'foo'],
      undefined,
    ],
  ] satisfies [string, ConversationEvent, string[], string | undefined][])(
    '%s',
    async (_name, event, shown, versionOf) => {
      const {actor, truncations, opened} = open([one, deleted(first), two, second], [one, two, second])
      actor.send(event)
      expect(actor.getSnapshot().matches('truncating')).toBe(true)
      expect(opened).toEqual([])
      expect(selectMessages(actor.getSnapshot()).at(-1)?.role).toBe('user')
      expect(truncations).toEqual([
        {
          conversation: 'c-1',
          removing: ['a-1'],
          messages: undefined,
          capabilities: ['resume', 'stop', 'idempotency', 'versions'],
          last: 'a-2',
        },
      ])
      await waitFor(actor, (snapshot) => snapshot.matches('asking'))
      expect(opened[0]?.input.versionOf).toBe(versionOf)
      expect(contents(actor.getSnapshot().context.messages)).toEqual(shown)
    },
  )

  test('another version that replaces it is the one that is answered again', async () => {
    const versions = ['a-2', 'a-3']
    const {actor, opened} = open(
      [one, first, two, deleted({...second, id: 'a-3', versions})],
      [one, first, two, {...second, versions: ['a-2']}],
    )
    actor.send({type: 'answer.regenerate', key: 'k', at: 9})
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened[0]?.input.versionOf).toBe('a-2')
    expect(contents(actor.getSnapshot().context.messages)).toEqual(['one', 'first', 'two'])
  })

  test('a service that deletes no single messages is asked at once; they stay deleted here', () => {
    const record: ConversationRecord = {
      key: 'c-1',
      id: 'c-1',
      model: 'm',
      messages: [one, deleted(first)],
      updatedAt: 0,
    }
    const {actor, opened, truncations} = start({record, capabilities: ['resume', 'stop', 'idempotency']})
    actor.send(ask)
    expect([opened.length, truncations]).toEqual([1, []])
    expect(selectMessages(actor.getSnapshot())).toEqual([
      {role: 'user', content: 'one', id: 'q-1', state: 'finished'},
      {removing: true, role: 'assistant', content: 'first', id: 'a-1', attempt: 1, state: 'finished'},
      {content: 'foo', role: 'user', created_at: 10},
    ])
  })

  test('a deleted question is not asked again', () => {
    const {actor, opened} = open([one, first, deleted(two), second], [])
    actor.send({type: 'answer.regenerate', key: 'k', at: 9})
    expect([actor.getSnapshot().value, opened]).toEqual(['finished', []])
  })
})

describe('where the server does not hear of it nothing is asked', () => {
  const messages = [one, deleted(first)]
  const offline = () =>
    start({
      record: {key: 'c-1', id: 'c-1', model: 'm', messages, updatedAt: 0},
      truncate: () => Promise.reject(unreachable()),
    })

  test('a new question stays in the thread with its files, and is asked again at a press', async () => {
    const {actor, clock, opened, truncations} = offline()
    actor.send({...ask, references: ['file']})
    await giveUp({actor, clock})
    const file = {type: 'file_url', file_url: 'file'}
    expect(actor.getSnapshot().value).toEqual({failed: 'refused'})
    expect(actor.getSnapshot().context.messages.slice(2)).toEqual([
      {
        role: 'user',
        content: [
          {text: 'foo', type: 'text'},
          {file_url: 'file', type: 'file_url'},
        ],
        unsent: true,
        created_at: 10,
      },
      {...unsentAnswer, error: {code: 'timeout'}, outcome: 'refused'},
    ])
    actor.send({type: 'answer.retry', key: 'key-2', at: 20})
    expect(truncations.at(-1)).toEqual({
      removing: ['a-1'],
      messages: undefined,
      conversation: 'c-1',
      capabilities: [],
      last: 'q-1',
    })
    await giveUp({actor, clock})
    expect([actor.getSnapshot().value, selectRejection(actor.getSnapshot())]).toEqual([{failed: 'refused'}, undefined])
    expect(contents(actor.getSnapshot().context.messages.slice(2))).toEqual([[{type: 'text', text: 'foo'}, file], ''])
    expect(opened).toEqual([])
  })

  test.each(['truncating', 'reconciling'] as const)('one that is stopped while %s shows as stopped', async (state) => {
    const {actor, stops} = offline()
    actor.send(ask)
    await waitFor(actor, (snapshot) => snapshot.matches(state))
    actor.send({type: 'answer.stop'})
    expect([actor.getSnapshot().value, stops]).toEqual([{failed: 'refused'}, []])
    expect(actor.getSnapshot().context.messages.at(-1)).toEqual({
      ...unsentAnswer,
      outcome: 'refused',
      error: {code: 'canceled', message: ''},
    })
  })

  test('an answer stays as it was, and nothing goes to the composer, where it is not given again', async () => {
    const history = [one, deleted(first), two, second]
    const {actor, clock, opened} = start({
      record: {key: 'c-1', id: 'c-1', model: 'm', messages: history, updatedAt: 0},
      truncate: () => Promise.reject(unreachable()),
    })
    actor.send({type: 'answer.regenerate', key: 'k', at: 9})
    await giveUp({actor, clock})
    expect([opened, actor.getSnapshot().context.messages]).toEqual([[], history])
    expect(selectRejection(actor.getSnapshot())).toEqual({
      question: '',
      references: [],
      index: 2,
      failure: {lost: true, code: 'timeout', detail: 'The server did not answer in time.'},
    })
  })

  test.each([
    ['text', 'bar', []],
    ['file', 'one', ['https://foo.example/a.txt']],
  ])('another %s goes back to the composer', async (_, question, references) => {
    const {actor, clock, opened} = offline()
    actor.send({type: 'message.edit', index: 0, question, references, key: 'k', at: 9})
    await giveUp({actor, clock})
    expect([opened, actor.getSnapshot().context.messages]).toEqual([[], messages])
    expect(selectRejection(actor.getSnapshot())).toEqual({
      question,
      references,
      index: 0,
      failure: {lost: true, code: 'timeout', detail: 'The server did not answer in time.'},
    })
  })
})

test("the server's copy from before does not bring a deleted message back, until that is taken back here", () => {
  const {actor} = open([one, deleted(first)], [])
  const heard = (messages: RecordMessage[], updatedAt: number) =>
    actor.send({type: 'history.loaded', record: {key: 'c-1', id: 'c-1', model: 'm', messages, updatedAt}})
  heard([one, first], 5)
  expect(actor.getSnapshot().context.messages[1]).toEqual({
    removing: true,
    role: 'assistant',
    content: 'first',
    id: 'a-1',
    attempt: 1,
    state: 'finished',
  })
  heard([one, {...first, removing: false}], 6)
  expect(actor.getSnapshot().context.messages[1]).toEqual({
    removing: false,
    role: 'assistant',
    content: 'first',
    id: 'a-1',
    attempt: 1,
    state: 'finished',
  })
})
