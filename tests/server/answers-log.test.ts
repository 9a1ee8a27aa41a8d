import {afterAll, beforeAll, expect, test} from 'vitest'
import {describeError} from '#server/http/boundary.ts'
import {ask, createAiServer, createAsker, openStream, textOf, type AiServer} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {manualTimers} from './providers.fixtures.ts'

const model = createScriptedProvider()
const clock = manualTimers()
const question = 'canary question\n    at canary.question (foo.ts:1:1)'
const answer = 'canary answer\n    at canary.answer (foo.ts:1:1)'
let on: AiServer

beforeAll(async () => {
  on = await createAiServer({providers: [model.provider], timers: clock.timers})
})
afterAll(() => on.close())

const run = (statement: string) => on.server.deps.database.pool.query(statement)
const lines = (message: string) => on.server.logged.filter((line) => line.message === message)
/** Lets the deadlines come, and not what repeats: sweeps started at every turn would fill the line for the database. */
const passTime = async () => {
  clock.fireDeadlines()
  await new Promise((resolve) => setImmediate(resolve))
}
/** The test's own timeout ends a wait in vain. */
const waitForLine = async (message: string) => {
  while (lines(message).length === 0) await passTime()
}

test('a database that refuses an answer brings neither question nor answer into the log (R26)', async () => {
  const asker = await createAsker(on)
  const stream = openStream(await ask(on, asker, {question}))
  const turn = await model.next()
  await run('alter table answer_chunks rename to answer_chunks_away')
  turn.say(answer)
  await waitForLine('storing the text of answers failed')
  turn.finish()
  await waitForLine('ending an answer failed')
  await run('alter table answer_chunks_away rename to answer_chunks')
  const frames = stream.rest()
  let isEnded = false
  void frames.finally(() => (isEnded = true))
  while (!isEnded) await passTime()
  expect(textOf(await frames)).toBe(answer)

  expect(JSON.stringify(on.server.logged)).not.toContain('canary')
  for (const message of ['storing the text of answers failed', 'ending an answer failed'])
    expect(lines(message)[0]?.fields).toMatchObject({error: 'DrizzleQueryError < DatabaseError', code: '42P01'})
})

test('lines of a message that look like frames are not taken for frames', () => {
  const cause = new Error('foo')
  const {frames} = describeError(new Error(`Failed query: select\nparams: ${answer}`, {cause}))
  expect(JSON.stringify(frames)).not.toContain('canary')
  expect(JSON.stringify(frames)).toContain('answers-log.test')
})
