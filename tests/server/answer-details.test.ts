import {randomUUID} from 'node:crypto'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {answerDetails} from '#contract/answer-details.ts'
import {
  ask,
  balanceOf,
  createAiServer,
  createAsker,
  createScriptedProvider,
  headOf,
  openStream,
  type AiServer,
  type Asker,
} from './ai.harness.ts'
import type {TestUser} from './harness.ts'

const model = createScriptedProvider()
let on: AiServer
let owner: TestUser
let asker: Asker
beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], config: {limitFactor: 100}})
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
  const told = async (response: Response) => {
    const {code, detail} = (await response.json()) as {code: string; detail: string} // as: asserted below
    return {status: response.status, code, detail}
  }
  const unknown = await told(await detailsOf(randomUUID(), owner.accessToken))
  expect(unknown).toMatchObject({status: 404, code: 'not_found'})
  expect(await told(await detailsOf(message, other.accessToken))).toEqual(unknown)
  expect(await told(await detailsOf('no-uuid', owner.accessToken))).toEqual(unknown)
  for (const token of [undefined, 'nonsense-nonsense-nonsense', asker.token])
    expect(await told(await detailsOf(message, token))).toMatchObject({status: 401, code: 'invalid_token'})
})

test('an answer that was refused tells its error and costs nothing', async () => {
  const stream = openStream(await ask(on, asker, {question: 'foo?'}))
  const turn = await model.next()
  turn.fail(new Error('bar'))
  const {message} = await headOf(stream)
  await stream.rest()
  const {attempts} = answerDetails.parse(await (await detailsOf(message, owner.accessToken)).json())
  expect(attempts).toMatchObject([{attempt: 1, state: 'failed', error: expect.stringMatching(/\S/), cost: 0}])
})

test('a copy of an answer in a branch tells what its original does, and nothing once that is deleted', async () => {
  const stream = openStream(await ask(on, asker, {question: 'foo?'}))
  const turn = await model.next()
  turn.say('bar')
  turn.usage(1_000, 500)
  turn.finish()
  const {id: conversation, message} = await headOf(stream)
  await stream.rest()
  const command = async (body: object) => {
    const response = await on.server.call('POST', '/services/api/aichat/conversations', {token: asker.token, body})
    // as: the contract tests check this answer
    return (await response.json()) as {id: string; messages: {id: string}[]}
  }
  const branchOf = (id: string, upTo: string | undefined) => command({action: 'branch', id, message: upTo})
  const branch = await branchOf(conversation, message)
  const inBranch = branch.messages.at(-1)?.id
  const deep = await branchOf(branch.id, inBranch)
  const copies = [inBranch, deep.messages.at(-1)?.id]
  expect(new Set([message, ...copies]).size).toBe(3)
  const original = await (await detailsOf(message, owner.accessToken)).json()
  for (const copy of copies) {
    const response = await detailsOf(copy ?? '', owner.accessToken)
    expect([response.status, await response.json()]).toEqual([200, original])
  }
  expect((await detailsOf(branch.messages[0]?.id ?? '', owner.accessToken)).status).toBe(404)
  expect((await detailsOf(copies[0] ?? '', (await on.server.createUser()).accessToken)).status).toBe(404)
  await command({action: 'delete', id: conversation})
  expect((await detailsOf(copies[0] ?? '', owner.accessToken)).status).toBe(404)
})
