import {eq} from 'drizzle-orm'
import {afterAll, beforeAll, beforeEach, expect, test} from 'vitest'
import {answers} from '#server/store/schema/chat.ts'
import {createAiServer, createAsker, type AiServer} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {createRuns} from './answers.fixtures.ts'
import {databaseAway} from './database-failures.ts'
import {manualTimers} from './providers.fixtures.ts'
import {createRun, storedOf, type Fault, failing, turn, unexpected, createWriters} from './answers-store.fixtures.ts'

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

test.each<[string, Fault[]]>([
  ['nothing', []],
  ['a fault before the commit', ['before']],
  ['a commit whose confirmation was lost', ['after']],
  ['one after the other', ['after', 'before', 'after']],
])('each delta is stored once, in order: %s', async (_, faults) => {
  const run = await createRun(on, askerId)
  const writers = createWriters(on, failing(on, [...faults]))
  const writer = writers.open(run, unexpected)
  writer.add('a')
  writer.add('b')
  writers.fire()
  writer.add('c')
  await writers.until(async () => (await storedOf(on, run.id)).last === 3)
  expect(await storedOf(on, run.id)).toEqual({last: 3, deltas: ['a', 'b', 'c'], owners: [expect.any(String)]})
  // at once, since a turn may have come already
  writer.add('d')
  const rest = await writer.close()
  expect(rest.lastSeq).toBe(4)
  expect(rest.deltas).toEqual(['d'])
})

test('a run whose fence is old stores nothing and is told; the others of its batch are stored', async () => {
  const [before, old, after] = [
    await createRun(on, askerId),
    await createRun(on, askerId),
    await createRun(on, askerId),
  ]
  await on.server.deps.database.asSystem((transaction) =>
    transaction.update(answers).set({fence: 2}).where(eq(answers.id, old.id)),
  )
  const writers = createWriters(on)
  let isLost = false
  const events = {...unexpected, lost: () => (isLost = true)}
  const lost = writers.open(old, events)
  for (const writer of [writers.open(before, unexpected), lost, writers.open(after, unexpected)]) writer.add('a')
  writers.fire()
  await turn(() => isLost)
  lost.add('b')
  expect((await storedOf(on, before.id)).last).toBe(1)
  expect((await storedOf(on, after.id)).last).toBe(1)
  await lost.close()
  expect(await storedOf(on, old.id)).toEqual({last: undefined, deltas: [], owners: []})
})

test('an answer that cannot be stored keeps no other one from being stored, and is given up alone', async () => {
  const runs = await createRuns(on, 7, askerId)
  const bad = runs[4]
  const writers = createWriters(on)
  let isBroken = false
  const opened = runs.map((run) => {
    const events = run === bad ? {...unexpected, broken: () => (isBroken = true)} : unexpected
    return {run, writer: writers.open(run, events)}
  })
  // what the runner replaces: PostgreSQL refuses the whole statement
  for (const {run, writer} of opened) writer.add(run === bad ? '\0' : 'a')
  const good = runs.filter((run) => run !== bad)
  const reach = (seq: number) => async () =>
    (await Promise.all(good.map(({id}) => storedOf(on, id)))).every(({last}) => last === seq)
  await writers.until(reach(1))
  for (const {run, writer} of opened) if (run !== bad) writer.add('b')
  await writers.until(reach(2))
  await writers.until(() => isBroken)
  for (const {id} of good) expect((await storedOf(on, id)).deltas).toEqual(['a', 'b'])
  expect((await storedOf(on, bad?.id ?? '')).deltas).toEqual([])
})

test('a database that is away and comes back has everything, in order', async () => {
  const runs = [await createRun(on, askerId), await createRun(on, askerId), await createRun(on, askerId)]
  const faults: Fault[] = ['before', 'before', 'after']
  const writers = createWriters(on, failing(on, faults, databaseAway))
  const opened = runs.map((run) => writers.open(run, unexpected))
  const texts = Array.from({length: 30}, (_, index) => `${index} `)
  for (const text of texts) {
    for (const writer of opened) writer.add(text)
    writers.fire()
  }
  await writers.until(() => faults.length === 0)
  for (const writer of opened) writer.add('end')
  texts.push('end')
  await writers.until(async () => (await storedOf(on, runs[2]?.id ?? '')).last === texts.length)
  for (const {id} of runs) expect((await storedOf(on, id)).deltas).toEqual(texts)
})

test('a store that refuses for long is given up', async () => {
  const run = await createRun(on, askerId)
  const writers = createWriters(on, failing(on, Array<Fault>(100).fill('before'), databaseAway))
  let isBroken = false
  writers.open(run, {...unexpected, broken: () => (isBroken = true)}).add('a')
  await writers.until(() => isBroken)
  expect((await storedOf(on, run.id)).deltas).toEqual([])
})
