import {Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import type {AnswerInput} from '#domain/answer.ts'
import type {ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import {truncationOf} from '#domain/truncation.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import {selectRecord} from '#machines/conversation/conversation.selectors.ts'
import type {
  AnswerStreamEvent,
  ConversationInput,
  TruncatedConversation,
  TruncateInput,
} from '#machines/conversation/conversation.types.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {ownAnswer, firstAttempt} from './conversation-fixture.ts'
import {startEnvironment} from './environment-fixture.ts'
import {nobody} from './nobody.ts'

const history: RecordMessage[] = [
  {role: 'user', content: 'foo', id: 'q-1', state: 'finished'},
  {role: 'assistant', content: 'bar', id: 'a-1', attempt: 1, state: 'finished'},
]
const stored: ConversationRecord = {key: 'k', id: 'c-1', model: 'm', messages: history, updatedAt: 0}
const all: ConversationInput['capabilities'] = ['resume', 'stop', 'idempotency', 'versions']
const started = {type: 'answer.started', conversation: 'c-1', message: 'a-2', attempt: 1, question: 'q-2'} as const

function start(record = stored, capabilities = all) {
  const opened: AnswerInput[] = []
  const truncations: object[] = []
  const streams: Subject<AnswerStreamEvent>[] = []
  const machine = conversationMachine.provide({
    actors: {
      answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
        opened.push(input)
        const stream = new Subject<AnswerStreamEvent>()
        streams.push(stream)
        return stream
      }),
      truncateConversation: fromPromise<TruncatedConversation, TruncateInput>(({input}) => {
        truncations.push({...input, ...truncationOf(input), cut: undefined})
        return new Promise(() => {})
      }),
      retrieveConversation: fromPromise(() => Promise.resolve({id: 'c-1', messages: history})),
    },
  })
  const input = {record, capabilities, environment: startEnvironment(), parentRef: nobody}
  const actor = stopAfterTest(createActor(machine, {input}).start())
  const record$ = () => selectRecord(actor.getSnapshot())
  return {actor, opened, truncations, record: record$, stream: () => streams.at(-1)}
}

describe('where the server keeps versions', () => {
  test('an answer given again leaves the question as it is, and joins the answer before it', () => {
    const {actor, opened, truncations, record, stream} = start()
    actor.send({type: 'answer.regenerate', key: 'key-1', at: 5})
    expect(truncations).toEqual([])
    expect(opened).toEqual([
      {
        request: 'ask',
        conversation: 'c-1',
        versionOf: 'a-1',
        model: 'm',
        capabilities: ['resume', 'stop', 'idempotency', 'versions'],
        exchange: {...firstAttempt, question: 'foo', key: 'key-1', at: 5, versions: ['a-1'], message: 'key-1'},
      },
    ])
    expect(record().messages[0]).toBe(history[0])
    stream()?.next({...started, question: 'q-1'})
    stream()?.next({type: 'answer.completed'})
    expect(record().messages).toEqual([
      history[0],
      {...ownAnswer, content: '', created_at: 5, state: 'finished', id: 'a-2', versions: ['a-1']},
    ])
    actor.send({type: 'answer.regenerate', key: 'key-2', at: 6})
    expect(opened[1]).toEqual({
      versionOf: 'a-2',
      request: 'ask',
      conversation: 'c-1',
      model: 'm',
      capabilities: ['resume', 'stop', 'idempotency', 'versions'],
      exchange: {...firstAttempt, question: 'foo', key: 'key-2', at: 6, versions: ['a-1', 'a-2'], message: 'key-2'},
    })
    expect(actor.getSnapshot().context.exchange?.versions).toEqual(['a-1', 'a-2'])
  })

  test('a model that answers again is that of this answer alone, also after a reload', () => {
    const {actor, opened, record, stream} = start()
    actor.send({type: 'answer.regenerate', key: 'key-1', at: 5, model: 'other'})
    const reloaded = start(JSON.parse(JSON.stringify(record())) as ConversationRecord) // as: what is stored is JSON
    reloaded.actor.send({type: 'connection.restored'})
    expect([opened[0]?.model, reloaded.opened[0]?.model]).toEqual(['other', 'other'])
    stream()?.next({...started, question: 'q-1'})
    stream()?.next({type: 'answer.completed'})
    expect(record()).toEqual({
      model: 'm',
      messages: [
        {role: 'user', content: 'foo', id: 'q-1', state: 'finished'},
        {
          id: 'a-2',
          model: 'other',
          role: 'assistant',
          content: '',
          attempt: 1,
          versions: ['a-1'],
          created_at: 5,
          state: 'finished',
        },
      ],
      key: 'k',
      id: 'c-1',
      updatedAt: 5,
    })
    actor.send({type: 'answer.regenerate', key: 'key-2', at: 6})
    expect(opened[1]?.model).toBe('m')
  })

  test('a changed question joins the one before it, and is named by the server', () => {
    const {actor, opened, truncations, record, stream} = start()
    actor.send({type: 'message.edit', index: 0, question: 'new', references: [], key: 'key-1', at: 5})
    expect(truncations).toEqual([])
    expect(opened).toEqual([
      {
        versionOf: 'q-1',
        request: 'ask',
        conversation: 'c-1',
        model: 'm',
        capabilities: ['resume', 'stop', 'idempotency', 'versions'],
        exchange: {...firstAttempt, question: 'new', key: 'key-1', at: 5, message: 'key-1'},
      },
    ])
    stream()?.next(started)
    expect(record().messages[0]).toEqual({
      role: 'user',
      content: 'new',
      id: 'q-2',
      versions: ['q-1'],
      created_at: 5,
    })
  })

  const gone = {code: 'not_found', detail: '', status: 404, field: 'version_of'}

  test('where something else is gone it asks for the same version again', () => {
    const question = {...history[0], id: 'q-2', versions: ['q-1', 'q-2']} as RecordMessage // as: the history has two messages
    const edited = start({...stored, messages: [question, ...history.slice(1)]})
    edited.actor.send({type: 'message.edit', index: 0, question: 'new', references: [], key: 'key-1', at: 5})
    edited.stream()?.error({...gone, field: undefined})
    edited.actor.send({type: 'answer.retry', key: 'key-2', at: 6})
    expect(edited.opened.map(({versionOf}) => versionOf)).toEqual(['q-2', 'q-2'])
  })

  test('a changed question whose original was deleted on another page goes out as a new one when it is asked again', () => {
    const {actor, opened, truncations, record, stream} = start()
    const refuse = () => stream()?.error(gone)
    actor.send({type: 'message.edit', index: 0, question: 'new', references: [], key: 'key-1', at: 5})
    refuse()
    expect(actor.getSnapshot().matches({failed: 'refused'})).toBe(true)
    actor.send({type: 'answer.retry', key: 'key-2', at: 6})
    expect([opened[1]?.versionOf, opened[1]?.exchange.question, truncations]).toEqual([undefined, 'new', []])
    stream()?.next(started)
    stream()?.next({type: 'answer.completed'})
    expect(record().messages).toEqual([
      {role: 'user', content: 'new', id: 'q-2', created_at: 6},
      {...ownAnswer, content: '', created_at: 6, id: 'a-2', state: 'finished'},
    ])
  })

  test('where other versions are left it joins the next of them, and an answer given again joins its question', () => {
    const question = {...history[0], id: 'q-2', versions: ['q-1', 'q-2']} as RecordMessage // as: the history has two messages
    const edited = start({...stored, messages: [question, ...history.slice(1)]})
    edited.actor.send({type: 'message.edit', index: 0, question: 'new', references: [], key: 'key-1', at: 5})
    edited.stream()?.error(gone)
    edited.actor.send({type: 'answer.retry', key: 'key-2', at: 6})
    expect(edited.opened.map(({versionOf}) => versionOf)).toEqual(['q-2', 'q-1'])
    const again = start()
    again.actor.send({type: 'answer.regenerate', key: 'key-1', at: 5})
    again.stream()?.error(gone)
    again.actor.send({type: 'answer.retry', key: 'key-2', at: 6})
    expect(again.opened.map(({versionOf}) => versionOf)).toEqual(['a-1', 'q-1'])
  })

  test('a reload before the server named it asks the same again', () => {
    const {actor, opened, record} = start()
    actor.send({type: 'answer.regenerate', key: 'key-1', at: 5})
    const reloaded = start(JSON.parse(JSON.stringify(record())) as ConversationRecord) // as: what is stored is JSON
    reloaded.actor.send({type: 'connection.restored'})
    expect(reloaded.opened).toEqual([{...opened[0], exchange: expect.objectContaining({key: 'key-1'})}])
  })

  test('a refusal keeps the question and the way back to the answer before', () => {
    const {actor, opened, record, stream} = start()
    actor.send({type: 'answer.regenerate', key: 'key-1', at: 5})
    stream()?.error({code: 'bad_request', detail: 'foo', status: 400})
    expect(actor.getSnapshot().matches({failed: 'refused'})).toBe(true)
    expect(record().messages).toEqual([
      history[0],
      {
        state: 'failed',
        unsent: true,
        versions: ['a-1'],
        role: 'assistant',
        content: '',
        id: 'key-1',
        attempt: 1,
        model: 'm',
        created_at: 5,
        outcome: 'refused',
        error: {code: 'bad_request', message: 'foo'},
      },
    ])
    actor.send({type: 'answer.retry', key: 'key-2', at: 6})
    expect(opened[1]).toEqual({
      versionOf: 'a-1',
      request: 'ask',
      conversation: 'c-1',
      model: 'm',
      capabilities: ['resume', 'stop', 'idempotency', 'versions'],
      exchange: {...firstAttempt, question: 'foo', key: 'key-2', at: 6, versions: ['a-1'], message: 'key-2'},
    })
  })

  test('the answer that is replaced is not found as the new one', async () => {
    const {actor, stream} = start(stored, ['resume', 'versions'])
    actor.send({type: 'answer.regenerate', key: 'key-1', at: 5})
    stream()?.complete()
    actor.send({type: 'connection.restored'})
    await new Promise((resolve) => setTimeout(resolve))
    expect(actor.getSnapshot().matches({failed: 'interrupted'})).toBe(true)
  })
})

test('another server cuts its history, as the specification says', () => {
  const {actor, opened, truncations} = start(stored, ['resume', 'idempotency'])
  actor.send({type: 'answer.regenerate', key: 'key-1', at: 5})
  expect(truncations).toEqual([
    {conversation: 'c-1', messages: [], capabilities: ['resume', 'idempotency'], removing: [], last: 'a-1'},
  ])
  expect(opened).toEqual([])
})

describe('instructions of a new conversation', () => {
  const unnamed: ConversationRecord = {key: 'k', model: 'm', messages: [], updatedAt: 0}
  test('go with its first question, also when that is asked again or after a reload, until the server has them', () => {
    const {actor, opened, record, stream} = start(unnamed, [...all, 'preset'])
    actor.send({type: 'prompt.submit', question: 'foo', references: [], key: 'key-1', at: 5, preset: 'Be brief.'})
    expect(opened[0]).toEqual({
      preset: 'Be brief.',
      request: 'ask',
      model: 'm',
      capabilities: ['resume', 'stop', 'idempotency', 'versions', 'preset'],
      exchange: {...firstAttempt, question: 'foo', key: 'key-1', at: 5, message: 'key-1'},
    })
    expect(record()).toEqual({
      preset: 'Be brief.',
      key: 'k',
      model: 'm',
      messages: [
        {role: 'user', content: 'foo', created_at: 5},
        {role: 'assistant', content: '', id: 'key-1', model: 'm', state: 'pending', seq: 0},
      ],
      updatedAt: 5,
    })
    const reloaded = start(record(), [...all, 'preset'])
    expect(reloaded.record()).toEqual({
      preset: 'Be brief.',
      key: 'k',
      model: 'm',
      messages: [
        {role: 'user', content: 'foo', created_at: 5},
        {role: 'assistant', content: '', id: 'key-1', model: 'm', state: 'pending', seq: 0},
      ],
      updatedAt: 5,
    })
    stream()?.error(Object.assign(new Error('no'), {code: 'used_up', status: 403, detail: ''}))
    actor.send({type: 'answer.retry', key: 'key-2', at: 6})
    expect(opened[1]).toEqual({
      preset: 'Be brief.',
      request: 'ask',
      model: 'm',
      capabilities: ['resume', 'stop', 'idempotency', 'versions', 'preset'],
      exchange: {...firstAttempt, question: 'foo', key: 'key-2', at: 6, message: 'key-2'},
    })
    stream()?.next(started)
    stream()?.next({type: 'answer.completed'})
    expect(record()).not.toHaveProperty('preset')
    actor.send({type: 'prompt.submit', question: 'bar', references: [], key: 'key-3', at: 7})
    expect(opened[2]).not.toHaveProperty('preset')
  })
})
