import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import type {Database} from '#server/store/database.ts'
import {answers} from '#server/store/schema/chat.ts'
import {users} from '#server/store/schema/people.ts'
import {createAiServer, createAsker, type AiServer} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {counting, createRuns} from './answers.fixtures.ts'
import {manualTimers} from './providers.fixtures.ts'
import {eventually} from '../eventually.ts'
import {createRun, storedOf, failing, turn, unexpected, createWriters} from './answers-store.fixtures.ts'

let on: AiServer
let askerId = ''

beforeAll(async () => {
  on = await createAiServer({providers: [createScriptedProvider().provider], timers: manualTimers().timers})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  askerId = (await createAsker(on)).userId
})
afterAll(() => on.close())

test('a process knows how long text waited to be stored since it was asked, also what waits still', async () => {
  const run = await createRun(on, askerId)
  const writers = createWriters(on, failing(on, ['before']))
  const writer = writers.open(run, unexpected)
  const stored = (seq: number) => writers.until(async () => (await storedOf(on, run.id)).last === seq)
  expect(writers.longestWait()).toBe(0)
  writer.add('a')
  writers.time.now = 90
  writer.add('b')
  expect(writers.longestWait()).toBe(90)
  writers.time.now = 700
  await stored(2)
  expect(writers.longestWait()).toBe(700)
  // once the writer knows as well that it is stored
  await eventually(() => expect(writers.longestWait()).toBe(0))
  writer.add('c')
  writers.time.now = 740
  await stored(3)
  expect(writers.longestWait()).toBe(40)
  await writer.close()
})

test('what all answers of a process have to store is one statement', async () => {
  const {userId: other} = await createAsker(on)
  const runs = [await createRun(on, askerId), await createRun(on, other), await createRun(on, askerId)]
  const counted = counting(on)
  const writers = createWriters(on, counted.database)
  for (const [index, run] of runs.entries()) {
    const writer = writers.open(run, unexpected)
    writer.add(`${index}`)
    writer.add('!')
  }
  writers.fire()
  const hasCome = async () => (await Promise.all(runs.map(({id}) => storedOf(on, id)))).every(({last}) => last === 2)
  while (!(await hasCome()));
  expect(counted.statements).toBe(1)
  for (const [index, {id, userId: owner}] of runs.entries())
    expect(await storedOf(on, id)).toEqual({last: 2, deltas: [`${index}`, '!'], owners: [owner]})
})

test('a batch begins 80 ms after the one before it began, or as soon as that one has ended', async () => {
  const run = await createRun(on, askerId)
  const {database} = on.server.deps
  let release: () => void = () => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  const begun: string[] = []
  const slow: Database = {
    ...database,
    asSystemOnce: async (work) => {
      begun.push('batch')
      const result = await database.asSystemOnce(work)
      await held
      return result
    },
  }
  const writers = createWriters(on, slow)
  const writer = writers.open(run, unexpected)
  writer.add('a')
  writers.fire()
  await turn(() => begun.length === 1)
  writer.add('b')
  // its 80 ms pass while the first one is under way
  writers.fire()
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toHaveLength(1)
  release()
  await turn(() => begun.length === 2)
  // and those of the third one once it has ended
  writer.add('c')
  while ((await storedOf(on, run.id)).last !== 2);
  expect(begun).toHaveLength(2)
  writers.fire()
  while ((await storedOf(on, run.id)).last !== 3);
  expect((await storedOf(on, run.id)).deltas).toEqual(['a', 'b', 'c'])
})

test('a row that another transaction holds waits for the next batch; the others wait neither for it nor for their user', async () => {
  const [held, free] = [await createRun(on, askerId), await createRun(on, askerId)]
  const writers = createWriters(on)
  const [heldWriter, freeWriter] = [writers.open(held, unexpected), writers.open(free, unexpected)]
  await on.server.deps.database.asSystem(async (transaction) => {
    await transaction.select().from(answers).where(eq(answers.id, held.id)).for('update')
    await transaction.select().from(users).where(eq(users.id, free.userId)).for('update')
    heldWriter.add('a')
    freeWriter.add('a')
    await writers.until(async () => (await storedOf(on, free.id)).last === 1)
    heldWriter.add('b')
    freeWriter.add('b')
    await writers.until(async () => (await storedOf(on, free.id)).last === 2)
    expect((await storedOf(on, held.id)).last).toBeUndefined()
  })
  await writers.until(async () => (await storedOf(on, held.id)).last === 2)
  expect((await storedOf(on, held.id)).deltas).toEqual(['a', 'b'])
})

test('text that waited for long is stored in parts', async () => {
  const run = await createRun(on, askerId)
  const counted = counting(on)
  const writers = createWriters(on, counted.database)
  const writer = writers.open(run, unexpected)
  const texts = Array.from({length: 100}, (_, index) => `${index}`.repeat(4_000))
  for (const text of texts) writer.add(text)
  await writers.until(async () => (await storedOf(on, run.id)).last === texts.length)
  expect((await storedOf(on, run.id)).deltas).toEqual(texts)
  expect(counted.statements).toBeGreaterThan(2)
})

test('a stop that was asked for while no signal came through is seen at the next batch', async () => {
  const run = await createRun(on, askerId)
  await on.server.deps.database.asSystem((transaction) =>
    transaction.update(answers).set({stopRequestedAt: new Date()}).where(eq(answers.id, run.id)),
  )
  const writers = createWriters(on)
  let isStopped = false
  const writer = writers.open(run, {...unexpected, stopRequested: () => (isStopped = true)})
  writer.add('a')
  writers.fire()
  await turn(() => isStopped)
  expect((await storedOf(on, run.id)).deltas).toEqual(['a'])
})

test('all processes hear of more answers than one notice can name', async () => {
  const runs = await createRuns(on, 230, askerId)
  const heard = new Set<string>()
  const stopListening = await on.server.deps.database.listen('answer', (payload) => {
    for (const id of payload.split(' ')) heard.add(id)
  })
  const writers = createWriters(on)
  for (const run of runs) writers.open(run, unexpected).add('a')
  writers.fire()
  await turn(() => runs.every(({id}) => heard.has(id)))
  await stopListening()
  expect((await storedOf(on, runs[229]?.id ?? '')).deltas).toEqual(['a'])
})
