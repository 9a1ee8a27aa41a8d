import {randomUUID} from 'node:crypto'
import {lastValueFrom, toArray} from 'rxjs'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import type {AnswerInput} from '#domain/answer.ts'
import {conversationPath} from '#contract/conversation-path.ts'
import {ApiError} from '#api/api-error.ts'
import {parseFrame} from '#api/answer-frame.ts'
import {createClients, createContractServer} from './contract.fixtures.ts'
import {chatPath} from './ai.harness.ts'
import {testOrigin, type TestServer} from './harness.ts'

/* Chat by the app's own clients on the whole server: what one writes the other reads. */

let installation: Awaited<ReturnType<typeof createContractServer>>
let server: TestServer
let clients: ReturnType<typeof createClients>
let credential: string
let userId: string
const capabilities: AnswerInput['capabilities'] = [
  'resume',
  'stop',
  'idempotency',
  'follow',
  'naming',
  'last',
  'preset',
]

beforeAll(async () => {
  installation = await createContractServer()
  server = installation.server
  await server.createUser() // the operator
})
beforeEach(async () => {
  const {accessToken, user} = await server.createUser()
  userId = user.id
  const {management} = createClients(server, {token: accessToken})
  const application = await management.applications.create({type: 'Usage', scope: 'Global'})
  credential = (await management.credentials.create({application_id: application.id, host: testOrigin})).token ?? ''
  clients = createClients(server, {token: accessToken, credential})
})
afterAll(() => installation.close())

const input = (changes: Partial<AnswerInput> = {}, exchange: Partial<AnswerInput['exchange']> = {}): AnswerInput => ({
  request: 'ask',
  model: 'gpt-4o',
  capabilities,
  ...changes,
  exchange: {question: 'foo', references: [], key: randomUUID(), message: 'local', attempt: 1, lastSeq: 0, ...exchange},
})

const collect = (asked: AnswerInput) => lastValueFrom(clients.chat.answer$(asked).pipe(toArray()))

/** A whole exchange; its events, and the ids the server gave. */
async function exchange(asked: AnswerInput, ...texts: string[]) {
  const events = collect(asked)
  const turn = await installation.model.next()
  turn.say(...texts)
  turn.finish()
  const heard = await events
  const started = heard.find((event) => event.type === 'answer.started')
  if (started?.conversation === undefined) throw new Error('The answer has no conversation')
  return {heard, conversation: started.conversation, message: started.message, turn}
}

/* A conversation of this file as the server keeps it, its questions and its answers. */
const unmarked = {model: 'gpt-4o', updated_at: expect.any(Number), pinned: false, archived: false, labels: []}
const storedQuestion = {role: 'user', id: expect.any(String), state: 'finished', created_at: expect.any(Number)}
const storedAnswer = {
  role: 'assistant',
  attempt: 1,
  model: 'gpt-4o',
  provider: 'foo',
  sandbox: false,
  created_at: expect.any(Number),
}

describe('chat', () => {
  test('a question is answered while the provider still writes, and ends finished', async () => {
    const {heard, conversation, message} = await exchange(input(), 'Hel', 'lo')
    expect(heard).toEqual([
      {type: 'answer.connected'},
      {
        type: 'answer.started',
        conversation,
        message,
        attempt: 1,
        question: expect.any(String),
        provider: 'foo',
        sandbox: false,
      },
      {type: 'answer.received', conversation, message, attempt: 1, from: 1, seq: 1, text: 'Hel'},
      {type: 'answer.received', conversation, message, attempt: 1, from: 2, seq: 2, text: 'lo'},
      {type: 'answer.completed'},
    ])
    const stored = await clients.chat.retrieve({conversation})
    expect(stored).toEqual({
      ...unmarked,
      id: conversation,
      messages: [
        {...storedQuestion, content: 'foo'},
        {...storedAnswer, id: message, content: 'Hello', state: 'finished'},
      ],
    })
    const list = {count: 1, items: [{...stored, revision: expect.any(String)}]}
    expect(await clients.chat.retrieveBatch({userId})).toEqual(list)
    expect(await clients.chat.retrieveBatch({userId, ids: [conversation]})).toEqual(list)
  })

  test('references come back as the parts of the question, in the form the client reads', async () => {
    const references = ['https://example.com/a.png', 'https://example.com/b.pdf']
    const {conversation} = await exchange(input({}, {question: 'look', references}), 'seen')
    const {messages} = await clients.chat.retrieve({conversation})
    expect(messages[0]).toEqual({
      role: 'user',
      content: [
        {type: 'text', text: 'look'},
        {type: 'image_url', image_url: expect.anything()},
        {type: 'file_url', file_url: expect.anything()},
      ],
      id: expect.any(String),
      state: 'finished',
      created_at: expect.any(Number),
    })
  })

  test('an answer is resumed where its reader left it', async () => {
    const asked = input({}, {question: 'resume me'})
    const started = collect(asked)
    const turn = await installation.model.next()
    turn.say('one ', 'two ')
    const batch = await clients.chat.retrieveBatch({userId})
    const [{id: conversation, messages}] = batch.items as [(typeof batch.items)[0]]
    const resumed = collect(
      input({request: 'resume', conversation}, {message: messages[1]?.id ?? '', attempt: 1, lastSeq: 1}),
    )
    turn.say('three')
    turn.finish()
    const texts = (events: Awaited<typeof started>) =>
      events.flatMap((event) => (event.type === 'answer.received' ? [event.text] : []))
    expect(texts(await resumed).join('')).toBe('two three')
    expect(texts(await started).join('')).toBe('one two three')
    expect((await resumed).at(-1)).toEqual({type: 'answer.completed'})
  })

  test('the same click twice is one answer', async () => {
    const asked = input({}, {question: 'once', key: 'foo-key'})
    const {conversation, message} = await exchange(asked, 'bar')
    const again = await collect(asked)
    expect(again).toContainEqual(expect.objectContaining({type: 'answer.started', conversation, message}))
    expect(again.at(-1)).toEqual({type: 'answer.completed'})
    expect(installation.model.unasked()).toBe(true)
    await expect(collect(input({}, {question: 'other', key: 'foo-key'}))).rejects.toHaveProperty('status', 422)
  })

  test('stop ends an answer with its text, for its reader too', async () => {
    const events = collect(input({}, {question: 'stop me'}))
    const turn = await installation.model.next()
    turn.say('kept')
    const {items} = await clients.chat.retrieveBatch({userId})
    const [running] = items
    const answer = running?.messages[1]
    expect(await clients.chat.stop({conversation: running?.id ?? '', message: answer?.id ?? ''})).toEqual({
      id: running?.id,
      message: answer?.id,
      state: 'failed',
    })
    expect((await events).at(-1)).toEqual({
      type: 'answer.failed',
      outcome: 'stopped',
      failure: {code: 'canceled', detail: 'The answer was stopped.'},
    })
    expect(await clients.chat.retrieve({conversation: running?.id ?? ''})).toEqual({
      ...unmarked,
      id: running?.id,
      messages: [
        {...storedQuestion, content: 'stop me'},
        {
          ...storedAnswer,
          id: answer?.id,
          content: 'kept',
          state: 'failed',
          outcome: 'stopped',
          error: {code: 'canceled', message: 'The answer was stopped.'},
        },
      ],
    })
  })

  test('rename, cut the history, delete', async () => {
    const {conversation} = await exchange(input({}, {question: 'first'}), 'one')
    await exchange(input({conversation}, {question: 'second'}), 'two')
    await clients.chat.changeConversations([{key: conversation, title: 'Foo'}])
    const before = await clients.chat.retrieve({conversation})
    expect([before.title, before.messages.length]).toEqual(['Foo', 4])
    await clients.chat.cutHistory({id: conversation, messages: before.messages, cut: 2, capabilities: ['resume']})
    expect((await clients.chat.retrieve({conversation})).messages.map(({content}) => content)).toEqual(['first', 'one'])
    await clients.chat.remove([conversation])
    await expect(clients.chat.retrieve({conversation})).rejects.toHaveProperty('status', 404)
  })

  test('a path is read without choosing it, and a question that follows its end chooses it', async () => {
    const {conversation, message: first} = await exchange(input({}, {question: 'one'}), 'first')
    await exchange(input({conversation, versionOf: first}, {question: 'one'}), 'other')
    const texts = async (message?: string) => {
      const body = {action: 'retrieve', id: conversation, message}
      const {messages, chosen} = await clients.chat.command(conversationPath, body, {isRead: true})
      return [chosen, ...messages.map(({content}) => content)]
    }
    expect(await texts(first)).toEqual([false, 'one', 'first'])
    expect(await texts()).toEqual([undefined, 'one', 'other'])
    await exchange(input({conversation, after: first}, {question: 'two'}), 'second')
    expect(await texts()).toEqual([undefined, 'one', 'first', 'two', 'second'])
    expect(await texts(first)).toEqual(await texts())
    const lost = input({conversation, after: randomUUID()}, {question: 'three'})
    await expect(collect(lost)).rejects.toEqual(
      new ApiError({
        code: 'not_found',
        detail: 'There is nothing here, or it is not yours.',
        status: 404,
        traceId: expect.any(String),
        field: 'after',
      }),
    )
    await expect(texts(randomUUID())).rejects.toHaveProperty('status', 404)
  })

  test('a key of nobody is an ordinary failure and starts no login', async () => {
    const stranger = createClients(server, {credential: 'nonsense-nonsense-nonsense'})
    await expect(lastValueFrom(stranger.chat.answer$(input()))).rejects.toHaveProperty('status', 401)
    await expect(stranger.chat.retrieveBatch({userId})).rejects.toHaveProperty('status', 401)
    expect(stranger.rejected).toEqual([])
  })

  test('without a key nothing is sent', async () => {
    const nobody = createClients(server, {})
    await expect(lastValueFrom(nobody.chat.answer$(input()))).rejects.toHaveProperty('code', 'not_applied')
    expect(nobody.sent).toEqual([])
  })

  test('reads are exempt from the records, answers are asked as event streams', async () => {
    const watched = createClients(server, {credential})
    await watched.chat.retrieveBatch({userId})
    const events = lastValueFrom(watched.chat.answer$(input()).pipe(toArray()))
    ;(await installation.model.next()).finish()
    await events
    expect(
      watched.sent.map(({path, headers}) => [
        path,
        headers.get('accept'),
        headers.get('x-record-exempt'),
        headers.has('idempotency-key'),
      ]),
    ).toEqual([
      [chatPath, 'application/json', 'true', false],
      [chatPath, 'text/event-stream', null, true],
    ])
  })
})

test('every frame the server writes is a frame the client knows', async () => {
  const response = server.call('POST', chatPath, {
    token: credential,
    headers: {accept: 'text/event-stream'},
    body: {question: 'foo', model: 'gpt-4o', references: [], stateful: true},
  })
  const turn = await installation.model.next()
  turn.say('Hello')
  turn.finish()
  const lines = (await (await response).text()).split('\n').filter((line) => line.startsWith('data: '))
  expect(lines.map((line) => parseFrame(line.slice('data: '.length)))).toEqual([
    expect.objectContaining({delta_answer: ''}),
    expect.objectContaining({delta_answer: 'Hello'}),
    '[DONE]',
  ])
})
