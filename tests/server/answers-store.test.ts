import {asc, eq} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {batchMilliseconds, createAnswerWriter} from '#server/ai/answers/answer-writer.ts'
import {silentLog} from '#server/log.ts'
import type {Database} from '#server/store/database.ts'
import {answerChunks, answers, conversations, messages} from '#server/store/schema/chat.ts'
import {createAiServer, createAsker, createScriptedProvider, type AiServer} from './ai.harness.ts'
import {manualTimers} from './providers.fixtures.ts'

let on: AiServer
let userId = ''

beforeAll(async () => {
  on = await createAiServer({providers: [createScriptedProvider().provider], timers: manualTimers().timers})
  userId = (await createAsker(on)).userId
})
afterAll(() => on.close())

async function createRun() {
  return on.server.deps.database.asSystem(async (transaction) => {
    const [conversation] = await transaction.insert(conversations).values({userId, model: 'foo'}).returning()
    const own = {userId, conversationId: conversation?.id ?? ''}
    const [message] = await transaction
      .insert(messages)
      .values({...own, position: 0, role: 'assistant', content: ''})
      .returning()
    const [answer] = await transaction
      .insert(answers)
      .values({
        ...own,
        messageId: message?.id ?? '',
        model: 'foo',
        provider: 'foo',
        traceId: 'foo',
        state: 'answering',
        fence: 1,
        workerId: on.workerId,
      })
      .returning()
    return {id: answer?.id ?? '', userId, fence: 1}
  })
}

const storedOf = async (answerId: string) => {
  const rows = await on.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answerChunks).where(eq(answerChunks.answerId, answerId)).orderBy(asc(answerChunks.seq)),
  )
  return {last: rows.at(-1)?.seq, deltas: rows.flatMap((row) => row.deltas)}
}

/** A database whose next transactions fail before they begin, or after they were committed. */
function failing(faults: ('before' | 'after')[]): Database {
  const {database} = on.server.deps
  return {
    ...database,
    asSystem: async (work) => {
      const fault = faults.shift()
      if (fault === 'before') throw new Error('connection lost before')
      const result = await database.asSystem(work)
      if (fault === 'after') throw new Error('connection lost after the commit')
      return result
    },
  }
}

const turn = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

test.each([
  ['nothing', []],
  ['a fault before the commit', ['before' as const]],
  ['a commit whose confirmation was lost', ['after' as const]],
  ['one after the other', ['after' as const, 'before' as const, 'after' as const]],
])('each delta is stored once, in order: %s', async (_, faults) => {
  const run = await createRun()
  const clock = manualTimers()
  const events = {
    lost: () => expect.fail('lost'),
    stopRequested: () => expect.fail('stop'),
    broken: () => expect.fail('broken'),
  }
  const writer = createAnswerWriter({database: failing([...faults]), timers: clock.timers, log: silentLog}, run, events)
  writer.add('a')
  writer.add('b')
  clock.fire(batchMilliseconds)
  writer.add('c')
  while ((await storedOf(run.id)).last !== 3) for (const milliseconds of clock.waiting()) clock.fire(milliseconds)
  writer.add('d')
  expect(await storedOf(run.id)).toEqual({last: 3, deltas: ['a', 'b', 'c']})
  const rest = await writer.close()
  expect(rest.lastSeq).toBe(4)
  expect(rest.deltas).toEqual(['d'])
})

test('a run whose fence is old stores nothing and is told', async () => {
  const run = await createRun()
  await on.server.deps.database.asSystem((transaction) =>
    transaction.update(answers).set({fence: 2}).where(eq(answers.id, run.id)),
  )
  const clock = manualTimers()
  let isLost = false
  const events = {lost: () => (isLost = true), stopRequested: () => undefined, broken: () => undefined}
  const writer = createAnswerWriter(
    {database: on.server.deps.database, timers: clock.timers, log: silentLog},
    run,
    events,
  )
  writer.add('a')
  clock.fire(batchMilliseconds)
  await turn(() => isLost)
  await writer.close()
  expect(await storedOf(run.id)).toEqual({last: undefined, deltas: []})
})

test('a stop that was asked for while no signal came through is seen at the next batch', async () => {
  const run = await createRun()
  await on.server.deps.database.asSystem((transaction) =>
    transaction.update(answers).set({stopRequestedAt: new Date()}).where(eq(answers.id, run.id)),
  )
  const clock = manualTimers()
  let isStopped = false
  const events = {lost: () => undefined, stopRequested: () => (isStopped = true), broken: () => undefined}
  const writer = createAnswerWriter(
    {database: on.server.deps.database, timers: clock.timers, log: silentLog},
    run,
    events,
  )
  writer.add('a')
  clock.fire(batchMilliseconds)
  await turn(() => isStopped)
  expect(await storedOf(run.id)).toEqual({last: 1, deltas: ['a']})
})

test('a store that refuses for long is given up', async () => {
  const run = await createRun()
  const clock = manualTimers()
  let isBroken = false
  const events = {lost: () => undefined, stopRequested: () => undefined, broken: () => (isBroken = true)}
  const writer = createAnswerWriter(
    {database: failing(Array<'before'>(100).fill('before')), timers: clock.timers, log: silentLog},
    run,
    events,
  )
  writer.add('a')
  while (!isBroken) {
    for (const milliseconds of clock.waiting()) clock.fire(milliseconds)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(isBroken).toBe(true)
})
