import {asc, eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import type {WriterEvents} from '#server/ai/answers/answer-backlog.ts'
import {batchMilliseconds, createAnswerWriters} from '#server/ai/answers/answer-writer.ts'
import {silentLog} from '#server/log.ts'
import type {Database} from '#server/store/database.ts'
import {answerChunks, answers} from '#server/store/schema/chat.ts'
import {users} from '#server/store/schema/people.ts'
import {createAiServer, createAsker, createScriptedProvider, type AiServer} from './ai.harness.ts'
import {counting, createRuns} from './answers.fixtures.ts'
import {databaseAway} from './database-failures.ts'
import {manualTimers} from './providers.fixtures.ts'
import {eventually} from '../eventually.ts'

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

async function createRun(userId = askerId) {
  const [run] = await createRuns(on, 1, userId)
  if (run === undefined) throw new Error('No run was made')
  return run
}

const storedOf = async (answerId: string) => {
  const rows = await on.server.deps.database.asSystem((transaction) =>
    transaction.select().from(answerChunks).where(eq(answerChunks.answerId, answerId)).orderBy(asc(answerChunks.seq)),
  )
  return {
    last: rows.at(-1)?.seq,
    deltas: rows.flatMap((row) => row.deltas),
    owners: [...new Set(rows.map(({userId}) => userId))],
  }
}

type Fault = 'before' | 'after'

/** A database whose next statements fail before they begin, or after they were committed. */
function failing(faults: Fault[], fault = () => new Error('connection lost')): Database {
  const {database} = on.server.deps
  return {
    ...database,
    asSystemOnce: async (work) => {
      const next = faults.shift()
      if (next === 'before') throw fault()
      const result = await database.asSystemOnce(work)
      if (next === 'after') throw fault()
      return result
    },
  }
}

const turn = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setImmediate(resolve))
}

const unexpected: WriterEvents = {
  lost: () => expect.fail('lost'),
  stopRequested: () => expect.fail('stop'),
  broken: () => expect.fail('broken'),
}

function createWriters(database: Database = on.server.deps.database) {
  const clock = manualTimers()
  const time = {now: 0}
  const writers = createAnswerWriters({database, timers: clock.timers, log: silentLog, clock: () => time.now})
  return {
    ...writers,
    time,
    fire: () => clock.fire(batchMilliseconds),
    /** Lets time pass until it is so. */
    until: async (isTrue: () => boolean | Promise<boolean>) => {
      while (!(await isTrue())) {
        for (const milliseconds of clock.waiting()) clock.fire(milliseconds)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

test.each<[string, Fault[]]>([
  ['nothing', []],
  ['a fault before the commit', ['before']],
  ['a commit whose confirmation was lost', ['after']],
  ['one after the other', ['after', 'before', 'after']],
])('each delta is stored once, in order: %s', async (_, faults) => {
  const run = await createRun()
  const writers = createWriters(failing([...faults]))
  const writer = writers.open(run, unexpected)
  writer.add('a')
  writer.add('b')
  writers.fire()
  writer.add('c')
  await writers.until(async () => (await storedOf(run.id)).last === 3)
  expect(await storedOf(run.id)).toEqual({last: 3, deltas: ['a', 'b', 'c'], owners: [expect.any(String)]})
  // at once, since a turn may have come already
  writer.add('d')
  const rest = await writer.close()
  expect(rest.lastSeq).toBe(4)
  expect(rest.deltas).toEqual(['d'])
})

test('a process knows how long text waited to be stored since it was asked, also what waits still', async () => {
  const run = await createRun()
  const writers = createWriters(failing(['before']))
  const writer = writers.open(run, unexpected)
  const stored = (seq: number) => writers.until(async () => (await storedOf(run.id)).last === seq)
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
  const runs = [await createRun(), await createRun(other), await createRun()]
  const counted = counting(on)
  const writers = createWriters(counted.database)
  for (const [index, run] of runs.entries()) {
    const writer = writers.open(run, unexpected)
    writer.add(`${index}`)
    writer.add('!')
  }
  writers.fire()
  const hasCome = async () => (await Promise.all(runs.map(({id}) => storedOf(id)))).every(({last}) => last === 2)
  while (!(await hasCome()));
  expect(counted.statements).toBe(1)
  for (const [index, {id, userId: owner}] of runs.entries())
    expect(await storedOf(id)).toEqual({last: 2, deltas: [`${index}`, '!'], owners: [owner]})
})

test('a batch begins 80 ms after the one before it began, or as soon as that one has ended', async () => {
  const run = await createRun()
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
  const writers = createWriters(slow)
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
  while ((await storedOf(run.id)).last !== 2);
  expect(begun).toHaveLength(2)
  writers.fire()
  while ((await storedOf(run.id)).last !== 3);
  expect((await storedOf(run.id)).deltas).toEqual(['a', 'b', 'c'])
})

test('a run whose fence is old stores nothing and is told; the others of its batch are stored', async () => {
  const [before, old, after] = [await createRun(), await createRun(), await createRun()]
  await on.server.deps.database.asSystem((transaction) =>
    transaction.update(answers).set({fence: 2}).where(eq(answers.id, old.id)),
  )
  const writers = createWriters()
  let isLost = false
  const events = {...unexpected, lost: () => (isLost = true)}
  const lost = writers.open(old, events)
  for (const writer of [writers.open(before, unexpected), lost, writers.open(after, unexpected)]) writer.add('a')
  writers.fire()
  await turn(() => isLost)
  lost.add('b')
  expect((await storedOf(before.id)).last).toBe(1)
  expect((await storedOf(after.id)).last).toBe(1)
  await lost.close()
  expect(await storedOf(old.id)).toEqual({last: undefined, deltas: [], owners: []})
})

test('an answer that cannot be stored keeps no other one from being stored, and is given up alone', async () => {
  const runs = await createRuns(on, 7, askerId)
  const bad = runs[4]
  const writers = createWriters()
  let isBroken = false
  const opened = runs.map((run) => {
    const events = run === bad ? {...unexpected, broken: () => (isBroken = true)} : unexpected
    return {run, writer: writers.open(run, events)}
  })
  // what the runner replaces: PostgreSQL refuses the whole statement
  for (const {run, writer} of opened) writer.add(run === bad ? '\0' : 'a')
  const good = runs.filter((run) => run !== bad)
  const reach = (seq: number) => async () =>
    (await Promise.all(good.map(({id}) => storedOf(id)))).every(({last}) => last === seq)
  await writers.until(reach(1))
  for (const {run, writer} of opened) if (run !== bad) writer.add('b')
  await writers.until(reach(2))
  await writers.until(() => isBroken)
  for (const {id} of good) expect((await storedOf(id)).deltas).toEqual(['a', 'b'])
  expect((await storedOf(bad?.id ?? '')).deltas).toEqual([])
})

test('a row that another transaction holds waits for the next batch; the others wait neither for it nor for their user', async () => {
  const [held, free] = [await createRun(), await createRun()]
  const writers = createWriters()
  const [heldWriter, freeWriter] = [writers.open(held, unexpected), writers.open(free, unexpected)]
  await on.server.deps.database.asSystem(async (transaction) => {
    await transaction.select().from(answers).where(eq(answers.id, held.id)).for('update')
    await transaction.select().from(users).where(eq(users.id, free.userId)).for('update')
    heldWriter.add('a')
    freeWriter.add('a')
    await writers.until(async () => (await storedOf(free.id)).last === 1)
    heldWriter.add('b')
    freeWriter.add('b')
    await writers.until(async () => (await storedOf(free.id)).last === 2)
    expect((await storedOf(held.id)).last).toBeUndefined()
  })
  await writers.until(async () => (await storedOf(held.id)).last === 2)
  expect((await storedOf(held.id)).deltas).toEqual(['a', 'b'])
})

test('a database that is away and comes back has everything, in order', async () => {
  const runs = [await createRun(), await createRun(), await createRun()]
  const faults: Fault[] = ['before', 'before', 'after']
  const writers = createWriters(failing(faults, databaseAway))
  const opened = runs.map((run) => writers.open(run, unexpected))
  const texts = Array.from({length: 30}, (_, index) => `${index} `)
  for (const text of texts) {
    for (const writer of opened) writer.add(text)
    writers.fire()
  }
  await writers.until(() => faults.length === 0)
  for (const writer of opened) writer.add('end')
  texts.push('end')
  await writers.until(async () => (await storedOf(runs[2]?.id ?? '')).last === texts.length)
  for (const {id} of runs) expect((await storedOf(id)).deltas).toEqual(texts)
})

test('text that waited for long is stored in parts', async () => {
  const run = await createRun()
  const counted = counting(on)
  const writers = createWriters(counted.database)
  const writer = writers.open(run, unexpected)
  const texts = Array.from({length: 100}, (_, index) => `${index}`.repeat(4_000))
  for (const text of texts) writer.add(text)
  await writers.until(async () => (await storedOf(run.id)).last === texts.length)
  expect((await storedOf(run.id)).deltas).toEqual(texts)
  expect(counted.statements).toBeGreaterThan(2)
})

test('a stop that was asked for while no signal came through is seen at the next batch', async () => {
  const run = await createRun()
  await on.server.deps.database.asSystem((transaction) =>
    transaction.update(answers).set({stopRequestedAt: new Date()}).where(eq(answers.id, run.id)),
  )
  const writers = createWriters()
  let isStopped = false
  const writer = writers.open(run, {...unexpected, stopRequested: () => (isStopped = true)})
  writer.add('a')
  writers.fire()
  await turn(() => isStopped)
  expect((await storedOf(run.id)).deltas).toEqual(['a'])
})

test('a store that refuses for long is given up', async () => {
  const run = await createRun()
  const writers = createWriters(failing(Array<Fault>(100).fill('before'), databaseAway))
  let isBroken = false
  writers.open(run, {...unexpected, broken: () => (isBroken = true)}).add('a')
  await writers.until(() => isBroken)
  expect((await storedOf(run.id)).deltas).toEqual([])
})

test('all processes hear of more answers than one notice can name', async () => {
  const runs = await createRuns(on, 230, askerId)
  const heard = new Set<string>()
  const stopListening = await on.server.deps.database.listen('answer', (payload) => {
    for (const id of payload.split(' ')) heard.add(id)
  })
  const writers = createWriters()
  for (const run of runs) writers.open(run, unexpected).add('a')
  writers.fire()
  await turn(() => runs.every(({id}) => heard.has(id)))
  await stopListening()
  expect((await storedOf(runs[229]?.id ?? '')).deltas).toEqual(['a'])
})
