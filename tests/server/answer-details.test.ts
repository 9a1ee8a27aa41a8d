import {randomUUID} from 'node:crypto'
import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {answerDetails} from '#contract/answer-details.ts'
import type {Conversation} from '#contract/chat.ts'
import type {ConversationTree} from '#contract/imports.ts'
import {messages} from '#server/store/schema/chat.ts'
import {
  ask,
  balanceOf,
  createAiServer,
  createAsker,
  headOf,
  openStream,
  post,
  type AiServer,
  type Asker,
} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import type {TestUser} from './harness.ts'

const model = createScriptedProvider()
let on: AiServer
let owner: TestUser
let asker: Asker
beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], config: {limitFactor: 100}})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  owner = await on.server.createUser()
  asker = await createAsker(on, '10', owner)
})
afterAll(() => on.close())

const detailsOf = (message: string, token?: string) =>
  on.server.call('GET', `/services/platform/api/v1/answers/${message}`, {token})

test('an answer tells its owner its model, times, tokens, cost and trace, and others nothing', async () => {
  const stream = openStream(await ask(on, asker, {question: 'foo?'}))
  const turn = await model.next()
  turn.say('bar')
  turn.usage(1_000, 500)
  turn.finish()
  const {message} = await headOf(stream)
  await stream.rest()

  const response = await detailsOf(message, owner.accessToken)
  expect(response.status).toBe(200)
  const {attempts} = answerDetails.parse(await response.json())
  expect(attempts).toEqual([
    {
      attempt: 1,
      state: 'finished',
      model: 'foo-model',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      started_at: expect.stringMatching(/^\d{4}-.*Z$/),
      finished_at: expect.stringMatching(/^\d{4}-.*Z$/),
      prompt_tokens: 1_000,
      completion_tokens: 500,
      tokens_estimated: false,
      cost: Number((await balanceOf(on, asker)).used),
      trace_id: expect.stringMatching(/\S/),
    },
  ])

  const other = await on.server.createUser()
  const refusalOf = async (response: Response) => {
    const {code, detail} = (await response.json()) as {code: string; detail: string} // as: asserted below
    return {status: response.status, code, detail}
  }
  const unknown = await refusalOf(await detailsOf(randomUUID(), owner.accessToken))
  expect(unknown).toEqual({status: 404, code: 'not_found', detail: 'There is nothing here, or it is not yours.'})
  expect(await refusalOf(await detailsOf(message, other.accessToken))).toEqual(unknown)
  expect(await refusalOf(await detailsOf('no-uuid', owner.accessToken))).toEqual(unknown)
  for (const token of [undefined, 'nonsense-nonsense-nonsense', asker.token])
    expect(await refusalOf(await detailsOf(message, token))).toEqual({
      status: 401,
      code: 'invalid_token',
      detail: 'Sign in again: the token is missing, wrong or expired.',
    })
})

test('an answer that was refused tells its error and costs nothing', async () => {
  const stream = openStream(await ask(on, asker, {question: 'foo?'}))
  const turn = await model.next()
  turn.fail(new Error('bar'))
  const {message} = await headOf(stream)
  await stream.rest()
  const {attempts} = answerDetails.parse(await (await detailsOf(message, owner.accessToken)).json())
  expect(attempts).toEqual([
    {
      attempt: 1,
      state: 'failed',
      error: expect.stringMatching(/\S/),
      cost: 0,
      outcome: 'refused',
      model: 'foo-model',
      created_at: expect.any(String),
      started_at: expect.any(String),
      finished_at: expect.any(String),
      prompt_tokens: 5,
      completion_tokens: 0,
      tokens_estimated: true,
      trace_id: expect.any(String),
    },
  ])
})

describe('a copy of an answer', () => {
  /** An answer and its conversation. */
  const answered = async () => {
    const stream = openStream(await ask(on, asker, {question: 'foo?'}))
    const turn = await model.next()
    turn.say('bar')
    turn.usage(1_000, 500)
    turn.finish()
    const {id, message} = await headOf(stream)
    await stream.rest()
    return {id: String(id), answer: String(message)}
  }
  const command = async <T = Conversation>(body: object) => {
    const response = await post(on, asker, body)
    expect(response.status).toBe(200)
    return (await response.json()) as T // as: the contract tests check this answer
  }
  const branchOf = async ({id, answer}: {id: string; answer: string}, more: object = {}) => {
    const branch = await command({action: 'branch', id, message: answer, ...more})
    const [question, copy] = branch.messages
    return {id: branch.id, question: question?.id ?? '', answer: copy?.id ?? ''}
  }
  const attemptsOf = async (message: string, token = owner.accessToken) => {
    const response = await detailsOf(message, token)
    const body: unknown = await response.json()
    return {status: response.status, attempts: response.ok ? answerDetails.parse(body).attempts : undefined}
  }
  const nothing = {status: 404, attempts: undefined}
  /** Stores an origin, as no request can. */
  const setOrigin = (message: string, copiedFrom: string | null) =>
    on.server.deps.database.asSystem((transaction) =>
      transaction.update(messages).set({copiedFrom}).where(eq(messages.id, message)),
    )

  test('in a branch tells what its original does, also for another model and in a branch of the branch', async () => {
    const original = await answered()
    const branch = await branchOf(original)
    const ofAnotherModel = await branchOf(original, {model: 'bar-model'})
    const deep = await branchOf(branch)
    const copies = [branch.answer, ofAnotherModel.answer, deep.answer]
    expect(new Set([original.answer, ...copies]).size).toBe(4)
    const own = await attemptsOf(original.answer)
    expect(own.attempts).toHaveLength(1)
    const other = await on.server.createUser()
    for (const copy of copies) {
      expect(await attemptsOf(copy)).toEqual(own)
      expect(await attemptsOf(copy, other.accessToken)).toEqual(nothing)
    }
    expect(await attemptsOf(branch.question)).toEqual(nothing)
  })

  test('tells its own attempts where it was asked in the branch', async () => {
    const branch = await branchOf(await answered())
    const stream = openStream(await ask(on, asker, {question: 'more?', id: branch.id}))
    const turn = await model.next()
    turn.fail(new Error('bar'))
    const {message} = await headOf(stream)
    await stream.rest()
    expect((await attemptsOf(String(message))).attempts).toMatchObject([{state: 'failed'}])
    expect((await attemptsOf(branch.answer)).attempts).toEqual([
      {
        state: 'finished',
        attempt: 1,
        model: 'foo-model',
        created_at: expect.any(String),
        started_at: expect.any(String),
        finished_at: expect.any(String),
        prompt_tokens: 1000,
        completion_tokens: 500,
        tokens_estimated: false,
        cost: 0.025,
        trace_id: expect.any(String),
      },
    ])
  })

  test('needs the original alone: the branch between may go, and with the original its details go', async () => {
    const original = await answered()
    const branch = await branchOf(original)
    const deep = await branchOf(branch)
    const own = await attemptsOf(original.answer)
    await command({action: 'delete', id: branch.id})
    expect(await attemptsOf(deep.answer)).toEqual(own)
    await command({action: 'remove', id: original.id, message: original.answer})
    expect(await attemptsOf(deep.answer)).toEqual(nothing)
    expect((await command({action: 'retrieve', id: deep.id})).messages).toHaveLength(2)
    // nor does a branch of the copy get them back
    expect(await attemptsOf((await branchOf(deep)).answer)).toEqual(nothing)

    const whole = await answered()
    const ofWhole = await branchOf(whole)
    await command({action: 'delete', id: whole.id})
    expect(await attemptsOf(ofWhole.answer)).toEqual(nothing)
  })

  test('tells nothing of an answer of another user, wherever it says that it comes from', async () => {
    const stranger = await on.server.createUser()
    const theirs = await createAsker(on, '10', stranger)
    const stream = openStream(await ask(on, theirs, {question: 'foo?'}))
    const turn = await model.next()
    turn.finish()
    const {message} = await headOf(stream)
    await stream.rest()
    expect((await attemptsOf(String(message), stranger.accessToken)).status).toBe(200)
    const branch = await branchOf(await answered())
    await setOrigin(branch.answer, String(message))
    expect(await attemptsOf(branch.answer)).toEqual(nothing)
    expect(await attemptsOf(branch.answer, stranger.accessToken)).toEqual(nothing)
  })

  test('without an origin has no details, though another answer is equal: imported, or made by an older node', async () => {
    const original = await answered()
    const {items} = await command<{items: ConversationTree[]}>({action: 'export', ids: [original.id]})
    const [tree] = items
    expect(tree?.messages.flatMap((message) => Object.keys(message))).not.toContain('copied_from')
    const messagesOfTree = tree?.messages ?? []
    const item = {source: 'atrium', source_id: randomUUID(), model: 'foo-model', from: 0, messages: messagesOfTree}
    const imported = await command<{items: {id: string}[]}>({
      action: 'import',
      items: [{...item, total: messagesOfTree.length}],
    })
    const shown = await command({action: 'retrieve', id: imported.items[0]?.id})
    expect(shown.messages.map(({content}) => content)).toEqual(['foo?', 'bar'])
    expect(await attemptsOf(shown.messages[1]?.id ?? '')).toEqual(nothing)

    const old = await branchOf(original)
    await setOrigin(old.answer, null)
    expect(await attemptsOf(old.answer)).toEqual(nothing)
    expect(await attemptsOf((await branchOf(old)).answer)).toEqual(nothing)
  })
})
