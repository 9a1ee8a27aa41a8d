import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {ProviderFailure} from '#server/providers/provider.ts'
import {answers} from '#server/store/schema/chat.ts'
import {usages} from '#server/store/schema/credits.ts'
import {
  ask,
  balanceOf,
  createAiServer,
  createAsker,
  headOf,
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

describe('failures of the provider', () => {
  const failing = async (error: unknown, ...texts: string[]) => {
    const stream = openStream(await ask(on, asker))
    const turn = await model.next()
    turn.say(...texts)
    turn.fail(error)
    const {id} = await headOf(stream)
    const frames = await stream.rest()
    return {id, last: frames.at(-1)?.data, text: textOf(frames), message: (await retrieve(id)).messages[1]}
  }

  test('a refusal before the first word: said, stored, free, no [DONE]', async () => {
    const before = await balanceOf(on, asker)
    const {id, last, message} = await failing(new ProviderFailure('content_too_large', 'Too long for foo.'))
    const error = {code: 'content_too_large', message: 'Too long for foo.'}
    expect(last).toEqual({id, error, outcome: 'refused'})
    expect(message).toMatchObject({state: 'failed', outcome: 'refused', error, content: ''})
    expect(await balanceOf(on, asker)).toEqual(before)
  })

  test('contact lost in mid-answer: interrupted, the text kept and charged as counted', async () => {
    const before = await balanceOf(on, asker)
    const lost = new ProviderFailure('api_error', 'The connection to foo broke off.', {interrupted: true})
    const {id, last, text, message} = await failing(lost, 'half an', ' answer')
    expect(last).toEqual({
      id,
      error: {code: 'api_error', message: 'The connection to foo broke off.'},
      outcome: 'interrupted',
    })
    expect(text).toBe('half an answer')
    expect([message.state, message.outcome, message.content]).toEqual(['failed', 'interrupted', 'half an answer'])
    const after = await balanceOf(on, asker)
    // 'foo' is 1 token in a message of 4; 14 characters are 4 tokens: (5 × 0.01 + 4 × 0.03) / 1000
    expect(Number(before.remaining) - Number(after.remaining)).toBeCloseTo(0.00017, 6)
  })

  test('what Atrium does not know is unknown, without inner details', async () => {
    const {last} = await failing(new Error('secret inner detail'))
    expect(last).toEqual({
      error: {
        code: 'unknown',
        message: 'The provider failed in a way that Atrium does not know. The operator finds it in the log.',
      },
      outcome: 'refused',
      id: expect.any(String),
    })
    expect(JSON.stringify(last)).not.toContain('secret')
  })
})

describe('credits', () => {
  test('settled by the usage the provider reports, with one usage row', async () => {
    const rich = await createAsker(on, '1')
    const stream = openStream(await ask(on, rich))
    const turn = await model.next()
    expect(Number((await balanceOf(on, rich)).remaining)).toBeCloseTo(1 - (5 * 0.01 + 1024 * 0.03) / 1000, 6)
    turn.say('ok')
    turn.usage(1000, 500)
    turn.finish()
    await stream.rest()
    expect(await balanceOf(on, rich)).toEqual({remaining: '0.975000', used: '0.025000'})
    const rows = await on.server.deps.database.asSystem((transaction) =>
      transaction.select().from(usages).where(eq(usages.userId, rich.userId)),
    )
    expect(rows).toMatchObject([
      {
        statusCode: 200,
        deductedAmount: '0.025000',
        remainingAmount: '0.975000',
        credentialId: rich.credentialId,
        metadata: {model: 'foo-model', provider: 'foo', prompt_tokens: 1000, completion_tokens: 500, estimated: 0},
      },
    ])
  })

  test('used_up before the stream when the hold is not covered; nothing is stored', async () => {
    const poor = await createAsker(on, '0.001')
    const response = await ask(on, poor)
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({
      error: {
        code: 'used_up',
        application_id: expect.any(String),
        needed: expect.stringMatching(/^0\.\d{6}$/),
        available: '0.001000',
        message: 'The credits of this application do not cover this request.',
      },
      trace_id: expect.any(String),
      success: false,
    })
    expect(await (await post(on, poor, {action: 'retrieve_batch'})).json()).toEqual({count: 0, items: []})
    expect(await balanceOf(on, poor)).toEqual({remaining: '0.001000', used: '0.000000'})
  })

  test('a provider that charges more than the hold takes no more than the hold', async () => {
    const rich = await createAsker(on, '0.1')
    const stream = openStream(await ask(on, rich))
    const turn = await model.next()
    turn.say('ok')
    turn.usage(1_000_000, 1_000_000)
    turn.finish()
    await stream.rest()
    expect(Number((await balanceOf(on, rich)).used)).toBeCloseTo((5 * 0.01 + 1024 * 0.03) / 1000, 6)
  })
})

test('no answer is left open, and each is paid once', async () => {
  const rows = await on.server.deps.database.asSystem((transaction) => transaction.select().from(answers))
  expect(rows.filter(({state}) => state === 'pending' || state === 'answering')).toEqual([])
})
