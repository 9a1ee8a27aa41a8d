import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {Ask, ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {selectFollowUps, selectRecord} from '#machines/conversation/conversation.selectors.ts'
import {selectItems} from '#machines/follow-ups/follow-ups.machine.ts'
import {start} from './conversation-fixture.ts'

/* An answer that others follow is given again: it becomes a version, and what followed stays with the one before. */

const [one, first, two, second] = [
  {role: 'user', content: 'one', id: 'q-1', state: 'finished'},
  {role: 'assistant', content: 'first', id: 'a-1', attempt: 1, state: 'finished'},
  {role: 'user', content: 'two', id: 'q-2', state: 'finished'},
  {role: 'assistant', content: 'second', id: 'a-2', attempt: 1, state: 'finished'},
] as const satisfies RecordMessage[]
const history: RecordMessage[] = [one, first, two, second]
const deleted = (message: RecordMessage): RecordMessage => ({...message, removing: true})
const versioned: ChatCapability[] = ['resume', 'stop', 'idempotency', 'versions']
const again = {type: 'answer.regenerate', key: 'key-1', at: 9, end: 2} as const

type Options = {
  messages?: RecordMessage[]
  capabilities?: ChatCapability[]
  followUps?: Ask[]
  truncate?: () => Promise<Conversation>
  retrieve?: () => Promise<Conversation>
}

function open({messages = history, capabilities = versioned, followUps = [], ...ports}: Options = {}) {
  const record: ConversationRecord = {key: 'c-1', id: 'c-1', model: 'm', messages, followUps, updatedAt: 0}
  return start({record, capabilities, ...ports})
}
const reload = (record: ConversationRecord) =>
  start({record: JSON.parse(JSON.stringify(record)) as ConversationRecord, capabilities: versioned}) // as: what is stored is JSON
/** The request of a new version of an answer, as a page sends it that was not left meanwhile. */
const inputOf = (exchange: object = {}, versionOf = 'a-1') => ({
  request: 'ask',
  conversation: 'c-1',
  versionOf,
  model: 'm',
  capabilities: versioned,
  exchange: {
    question: 'one',
    references: [],
    key: 'key-1',
    message: 'key-1',
    versions: [versionOf],
    answer: '',
    attempt: 1,
    model: 'm',
    lastSeq: 0,
    reconnects: 0,
    at: 9,
    ...exchange,
  },
})
const contents = ({messages}: Pick<ConversationRecord, 'messages'>) => messages.map(({content}) => content)

test('the answer joins its versions, its question stands, and what followed waits with the version before', () => {
  const {actor, opened, truncations} = open()
  actor.send({...again, model: 'other'})
  expect(truncations).toEqual([])
  expect(opened[0]?.input).toEqual({...inputOf({model: 'other'}), model: 'other'})
  expect(actor.getSnapshot().context.messages).toEqual([one])
  opened[0]?.stream.next({type: 'answer.started', conversation: 'c-1', message: 'a-3', attempt: 1, question: 'q-1'})
  opened[0]?.stream.next({type: 'answer.completed'})
  expect(selectRecord(actor.getSnapshot()).messages).toEqual([
    one,
    {
      id: 'a-3',
      versions: ['a-1'],
      role: 'assistant',
      content: '',
      attempt: 1,
      model: 'other',
      created_at: expect.any(Number),
      state: 'finished',
    },
  ])
  expect(actor.getSnapshot().context.model).toBe('m')
})

test('a page that is left asks for the same version', () => {
  const {actor} = open()
  actor.send(again)
  const next = reload(selectRecord(actor.getSnapshot()))
  next.clock.increment(1_000)
  expect(next.opened[0]?.input).toEqual(inputOf({reconnects: 1, at: undefined}))
})

test('a refusal leaves the way back to the answer before, and Retry asks for the same', () => {
  const {actor, opened} = open()
  actor.send(again)
  opened[0]?.stream.error({code: 'bad_request', detail: 'foo', status: 400})
  expect(selectRecord(actor.getSnapshot()).messages).toEqual([
    one,
    {
      id: 'key-1',
      role: 'assistant',
      model: 'm',
      content: '',
      created_at: 9,
      attempt: 1,
      state: 'failed',
      outcome: 'refused',
      error: {code: 'bad_request', message: 'foo'},
      unsent: true,
      versions: ['a-1'],
    },
  ])
  actor.send({type: 'answer.retry', key: 'key-2', at: 10})
  expect(opened[1]?.input).toEqual(inputOf({key: 'key-2', message: 'key-2', at: 10}))
})

test('an answer to the same words later in the conversation is not taken for it', async () => {
  const copy = {id: 'c-1', messages: [one, first, {...two, content: 'one'}, second]}
  const {actor, clock, opened} = open({
    messages: copy.messages,
    capabilities: ['resume', 'versions'],
    retrieve: () => Promise.resolve(copy),
  })
  actor.send(again)
  opened[0]?.stream.complete()
  await waitFor(actor, (snapshot) => {
    clock.increment(60_000)
    return snapshot.hasTag('settled')
  })
  expect(actor.getSnapshot().matches({failed: 'interrupted'})).toBe(true)
  expect(contents(selectRecord(actor.getSnapshot()))).toEqual(['one', ''])
})

describe('what was deleted is gone before', () => {
  const three: RecordMessage = {role: 'user', content: 'three', id: 'q-3', state: 'finished'}
  test.each([
    ['behind it', [one, first, deleted(two), second], [one, first, second], 2, 'a-1', ['one']],
    ['before it', [one, deleted(first), two, second, three], [one, two, second, three], 4, 'a-2', ['one', 'two']],
  ] satisfies [string, RecordMessage[], RecordMessage[], number, string, string[]][])(
    '%s',
    async (_name, messages, copy, end, versionOf, shown) => {
      const truncate = () => Promise.resolve({id: 'c-1', messages: copy, updated_at: 1})
      const {actor, opened} = open({messages, truncate})
      actor.send({...again, end})
      expect(actor.getSnapshot().matches('truncating')).toBe(true)
      await waitFor(actor, (snapshot) => snapshot.matches('asking'))
      expect(opened[0]?.input).toEqual(inputOf({question: shown.at(-1)}, versionOf))
      expect(contents(actor.getSnapshot().context)).toEqual(shown)
    },
  )

  test('a page that is left meanwhile asks the same question', async () => {
    const left = open({messages: [one, first, deleted(two), second]})
    left.actor.send(again)
    const next = start({
      record: selectRecord(left.actor.getSnapshot()),
      capabilities: versioned,
      truncate: () => Promise.resolve({id: 'c-1', messages: [one, first, second]}),
    })
    next.clock.increment(1_000)
    await waitFor(next.actor, (snapshot) => snapshot.matches('asking'))
    expect(next.truncations).toEqual([
      {
        conversation: 'c-1',
        capabilities: ['resume', 'stop', 'idempotency', 'versions'],
        removing: ['q-2'],
        last: 'q-1',
      },
    ])
    expect(next.opened[0]?.input).toEqual(inputOf({at: undefined}))
  })

  test('one whose question another page deleted goes nowhere else', async () => {
    const messages = [one, first, two, deleted(second)]
    const {actor, opened} = open({
      messages,
      truncate: () => Promise.resolve({id: 'c-1', messages: [two], updated_at: 1}),
    })
    actor.send(again)
    await waitFor(actor, (snapshot) => snapshot.matches('asking'))
    expect(opened[0]?.input).toEqual(inputOf({versions: undefined}))
  })
})

describe('it is not given again', () => {
  const waiting: Ask = {question: 'foo', references: [], key: 'key-9'}
  const failed: RecordMessage = {...second, state: 'failed', outcome: 'interrupted'}
  const cases: [string, Options, number][] = [
    ['where the server keeps no versions', {capabilities: ['resume', 'stop', 'idempotency']}, 2],
    ['where its question is deleted', {messages: [deleted(one), first, two, second]}, 2],
    ['where another answer stands before it', {messages: [one, first, second, two]}, 3],
    ['where no server has it', {messages: [one, {...first, unsent: true}, two, second]}, 2],
    ['where a question is meant', {}, 3],
    ['while questions wait behind what would be left', {messages: [one, first, two, failed], followUps: [waiting]}, 2],
  ]
  test.each(cases)('%s', (_name, options, end) => {
    const {actor, opened} = open(options)
    expect(actor.getSnapshot().can({...again, end})).toBe(false)
    actor.send({...again, end})
    expect([opened, selectItems(selectFollowUps(actor.getSnapshot()).getSnapshot())]).toEqual([
      [],
      options.followUps ?? [],
    ])
  })
})
