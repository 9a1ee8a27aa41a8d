import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {loadPrompt} from '#server/ai/answers/prompt.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {answers} from '#server/store/schema/chat.ts'
import {instructions} from '#server/store/schema/prompts.ts'
import {
  ask,
  createAiServer,
  createAsker,
  exchangeWith,
  openStream,
  post,
  textOf,
  type AiServer,
  type Asker,
} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'

const model = createScriptedProvider()
let on: AiServer
let asker: Asker

beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], config: {limitFactor: 100}})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  asker = await createAsker(on)
})
afterAll(() => on.close())

const retrieve = async (id: string, who = asker) => (await post(on, who, {action: 'retrieve', id})).json()

const exchange = (body: Record<string, unknown>, ...texts: string[]) => exchangeWith({on, model, asker}, body, ...texts)

describe('one answer', () => {
  test('as an event stream: numbered deltas while the provider still writes, then [DONE]', async () => {
    const response = await ask(on, asker)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(response.headers.get('cache-control')).toContain('no-store')
    const stream = openStream(response)
    const turn = await model.next()
    const first = await stream.next()
    expect(first).toEqual({
      seq: 0,
      data: {
        id: expect.any(String),
        message: expect.any(String),
        attempt: 1,
        question: expect.any(String),
        provider: 'foo',
        sandbox: false,
        delta_answer: '',
      },
    })
    const id = (first?.data as {id: string}).id
    turn.say('Hel')
    expect(await stream.next()).toEqual({seq: 1, data: {id, delta_answer: 'Hel'}})
    turn.say('lo')
    expect(await stream.next()).toEqual({seq: 2, data: {id, delta_answer: 'lo'}})
    turn.finish()
    expect(await stream.rest()).toEqual([{seq: undefined, data: '[DONE]'}])
    expect(await retrieve(id)).toEqual({
      id,
      model: 'foo-model',
      pinned: false,
      archived: false,
      labels: [],
      messages: [
        {id: expect.any(String), role: 'user', created_at: expect.any(Number), content: 'foo', state: 'finished'},
        {
          id: (first?.data as {message: string}).message,
          role: 'assistant',
          content: 'Hello',
          state: 'finished',
          created_at: expect.any(Number),
          attempt: 1,
          model: 'foo-model',
          provider: 'foo',
          sandbox: false,
        },
      ],
      updated_at: expect.any(Number),
    })
  })

  test('as ndjson: the whole answer in each line, the state in the last', async () => {
    const response = await post(on, asker, {question: 'foo', model: 'foo-model'}, {accept: 'application/x-ndjson'})
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const turn = await model.next()
    turn.say('a', 'b\n')
    turn.finish()
    const lines = (await response.text())
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    const {id} = lines[0] as {id: string}
    // words that come in one moment are one line
    const between = lines.slice(1, -1) as {answer: string; delta_answer: string}[]
    expect(between.map((line) => line.delta_answer).join('')).toBe('ab\n')
    expect(between.at(-1)).toEqual({id, answer: 'ab\n', delta_answer: 'b\n'})
    expect([lines[0], lines.at(-1)]).toEqual([
      {
        id,
        message: expect.any(String),
        attempt: 1,
        question: expect.any(String),
        provider: 'foo',
        sandbox: false,
        delta_answer: '',
        answer: '',
      },
      {id, answer: 'ab\n', delta_answer: '', state: 'finished'},
    ])
  })

  test('as JSON: waits and answers as a whole', async () => {
    const pending = post(on, asker, {question: 'foo', model: 'foo-model'})
    const turn = await model.next()
    turn.say('all', ' of it')
    turn.finish()
    const response = await pending
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({answer: 'all of it', id: expect.any(String)})
  })

  test.each(['text/event-stream', 'application/x-ndjson', 'application/json'])(
    'that reached its longest length is finished and says that it is truncated, as %s and read again',
    async (accept) => {
      const pending = post(on, asker, {question: 'foo', model: 'foo-model'}, {accept})
      const turn = await model.next()
      turn.say('all', ' but')
      turn.finish({isTruncated: true})
      const text = (await (await pending).text()).trimEnd()
      const last = accept === 'text/event-stream' ? text.replace(/^[^]*data: (.*)\n\ndata: \[DONE\]$/, '$1') : text
      const end = JSON.parse(last.split('\n').at(-1) ?? '') as {id: string; outcome: string}
      expect(end.outcome).toBe('truncated')
      const stored = await (await post(on, asker, {action: 'retrieve', id: end.id})).json()
      expect(stored).toMatchObject({messages: [{}, {content: 'all but', state: 'finished', outcome: 'truncated'}]})
    },
  )

  test('JSON of a failed answer has the status and the body of an error', async () => {
    const pending = post(on, asker, {question: 'foo', model: 'foo-model'})
    ;(await model.next()).fail(new ProviderFailure('too_many_requests', 'Slow down.'))
    const response = await pending
    expect(response.status).toBe(429)
    expect(await response.json()).toEqual({
      error: {code: 'too_many_requests', message: 'Slow down.'},
      trace_id: expect.any(String),
      success: false,
    })
  })

  test('the next question carries the conversation so far, the preset first', async () => {
    const {id} = await exchange({question: 'one', preset: 'Be brief.'}, 'first answer')
    const {turn} = await exchange(
      {question: 'two', id, references: ['https://files.test/a.PNG', 'https://files.test/b.pdf']},
      'second',
    )
    expect(turn.input.messages).toEqual([
      {role: 'system', content: 'Be brief.'},
      {role: 'user', content: 'one'},
      {role: 'assistant', content: 'first answer'},
      {
        role: 'user',
        content: [
          {type: 'text', text: 'two'},
          {type: 'image_url', image_url: 'https://files.test/a.PNG'},
          {type: 'file_url', file_url: 'https://files.test/b.pdf'},
        ],
      },
    ])
    expect(turn.input.answerCap).toBe(1024)
  })

  test("the user's instructions come before those of the conversation, which can be changed and taken away", async () => {
    const changed = {userId: asker.userId, text: 'Answer in verse.', updatedAt: new Date()}
    await on.server.deps.database.asSystem((transaction) => transaction.insert(instructions).values(changed))
    const {id, turn} = await exchange({question: 'one'}, 'first')
    expect(turn.input.messages[0]).toEqual({role: 'system', content: 'Answer in verse.'})
    const updated = await (await post(on, asker, {action: 'update', id, preset: ' Be brief. '})).json()
    expect([updated.id, updated.preset]).toEqual([id, 'Be brief.'])
    const {turn: second} = await exchange({question: 'two', id}, 'second')
    expect(second.input.messages[0]).toEqual({role: 'system', content: 'Answer in verse.\n\nBe brief.'})
    // an answer that is begun later, as after a restart, is told the same
    const later = await on.server.deps.database.asSystem(async (transaction) => {
      const rows = await transaction.select().from(answers).where(eq(answers.conversationId, id))
      return Promise.all(rows.map((row) => loadPrompt(transaction, row)))
    })
    expect(later).toContainEqual(second.input.messages)
    const without = await (await post(on, asker, {action: 'update', id, preset: ''})).json()
    expect(without).not.toHaveProperty('preset')
    await on.server.deps.database.asSystem((transaction) =>
      transaction.delete(instructions).where(eq(instructions.userId, asker.userId)),
    )
  })

  test('surrogate pairs cut between deltas arrive whole, and what cannot be stored is replaced for all alike', async () => {
    const {id, frames} = await exchange({}, 'a\ud83d', '\ude00b', 'c\0d', '\udc00', 'e\ud83d')
    expect(textOf(frames)).toBe('a😀bc\uFFFDd\uFFFDe\uFFFD')
    expect((await retrieve(id)).messages[1].content).toBe('a😀bc\uFFFDd\uFFFDe\uFFFD')
  })
})

test('no answer is left open, and each is paid once', async () => {
  const rows = await on.server.deps.database.asSystem((transaction) => transaction.select().from(answers))
  expect(rows.filter(({state}) => state === 'pending' || state === 'answering')).toEqual([])
})
