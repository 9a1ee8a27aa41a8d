import {randomUUID} from 'node:crypto'
import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, expect, onTestFinished, test} from 'vitest'
import {deleteOldDeltas} from '#server/ai/answers/old-answers.ts'
import {createAiService} from '#server/ai/ai-service.ts'
import {createLog} from '#server/log.ts'
import {createOldRows} from '#server/runs/old-rows.ts'
import type {Database} from '#server/store/database.ts'
import {conversations, messages} from '#server/store/schema/chat.ts'
import {createProviderRegistry} from '#server/providers/registry.ts'
import {eventually} from '../eventually.ts'
import {createAiServer, createAsker, type AiServer} from './ai.harness.ts'
import {createScriptedProvider} from './scripted-provider.ts'
import {manualTimers} from './providers.fixtures.ts'

/* One process an hour deletes rows that are older than their use, in short transactions. */

const hour = 3_600_000
let on: AiServer
beforeAll(async () => {
  on = await createAiServer({providers: [createScriptedProvider().provider], timers: manualTimers().timers})
})
afterAll(() => on.close())

/**
 * Answers of one user that ended one after another, the last of them `hoursAgo`, each with five batches of deltas and a
 * key.
 */
async function createEnded(userId: string, count: number, hoursAgo: number): Promise<void> {
  await on.server.deps.database.asSystem(async (transaction) => {
    await transaction.execute(sql`set local statement_timeout = 0`)
    const [conversation] = await transaction.insert(conversations).values({userId, model: 'foo'}).returning()
    const own = {userId, conversationId: conversation?.id ?? ''}
    const [message] = await transaction
      .insert(messages)
      .values({...own, position: 0, role: 'assistant', content: 'bar'})
      .returning()
    await transaction.execute(sql`
      with made as (
        insert into answers (user_id, conversation_id, message_id, state, model, provider, trace_id, last_seq, created_at, finished_at)
        select ${userId}, ${own.conversationId}, ${message?.id}, 'finished', 'foo', 'foo', 'foo', 5, ended, ended
        from generate_series(1, ${count}::int) n, lateral (select now() - make_interval(hours => ${hoursAgo}) - n * interval '1 ms' as ended) at
        returning id, finished_at)
      , keyed as (
        insert into idempotency_keys (user_id, key, request_hash, answer_id, created_at)
        select ${userId}, id::text, 'foo', id, finished_at from made)
      insert into answer_chunks (answer_id, user_id, seq, deltas)
      select id, ${userId}, n, '["foo"]' from made, generate_series(1, 5) n`)
  })
}

const countsOf = async (userId: string) => {
  const {pool} = on.server.deps.database
  const count = async (table: string) =>
    Number((await pool.query(`select count(*) from ${table} where user_id = $1`, [userId])).rows[0].count)
  return {deltas: await count('answer_chunks'), keys: await count('idempotency_keys'), answers: await count('answers')}
}

/** Another process of the installation, whose database ends each statement after `milliseconds`. */
async function createImpatient(milliseconds: number) {
  const {deps} = on.server
  const clock = manualTimers()
  const database: Database = {
    ...deps.database,
    asSystem: (work) =>
      deps.database.asSystem(async (transaction) => {
        await transaction.execute(sql.raw(`set local statement_timeout = ${milliseconds}`))
        return work(transaction)
      }),
  }
  const registry = createProviderRegistry({
    configured: [],
    detect: () => Promise.resolve([]),
    sandbox: undefined,
    now: deps.now,
    log: deps.log,
  })
  const workerId = `worker-${randomUUID()}`
  const service = createAiService({...deps, database}, {registry, workerId: () => workerId, timers: clock.timers})
  await service.start()
  onTestFinished(service.stop)
  return {clean: () => clock.fire(hour), stop: service.stop}
}

test('20,000 old answers lose their deltas and keys, whatever a statement may last; those of two days stay', async () => {
  const asker = await createAsker(on)
  await createEnded(asker.userId, 20_000, 49)
  await createEnded(asker.userId, 3, 47)
  const process = await createImpatient(250)
  process.clean()
  let deltas = NaN
  await eventually(async () => {
    const counts = await countsOf(asker.userId)
    // a busy machine may need 250 ms for a short statement: the next hour goes on
    if (counts.deltas === deltas) {
      await on.server.deps.database.pool.query(`delete from installation where name = 'answers_cleaned_at'`)
      process.clean()
    }
    deltas = counts.deltas
    expect(counts).toEqual({deltas: 15, keys: 3, answers: 20_003})
  })
})

test('one process an hour cleans for all, and goes on behind what was cleaned before', async () => {
  const asker = await createAsker(on)
  await on.server.deps.database.pool.query(`delete from installation where name = 'answers_cleaned_at'`)
  await createEnded(asker.userId, 300, 48)
  const [first, second] = [await createImpatient(5_000), await createImpatient(5_000)]
  first.clean()
  await eventually(async () => expect(await countsOf(asker.userId)).toEqual({deltas: 0, keys: 0, answers: 300}))
  await first.stop()
  await createEnded(asker.userId, 1, 48)
  second.clean()
  await second.stop()
  expect(await countsOf(asker.userId)).toEqual({deltas: 5, keys: 1, answers: 301})
  on.server.advance(hour)
  const third = await createImpatient(5_000)
  third.clean()
  await eventually(async () => expect(await countsOf(asker.userId)).toEqual({deltas: 0, keys: 0, answers: 301}))
})

test('what cannot be deleted keeps nothing else from it, and every reason is said once', async () => {
  const {database, now} = on.server.deps
  const lines: string[] = []
  const deleted: string[] = []
  const fails = (reason: string) => () => Promise.reject(new Error(reason))
  const oldRows = createOldRows({
    database,
    now,
    log: createLog((line) => lines.push(line)),
    name: 'foo_cleaned_at',
    deletions: [
      fails('first'),
      async () => deleted.push('foo') < 3,
      fails('second'),
      async () => deleted.push('bar') === 0,
    ],
  })
  await expect(oldRows.clean()).rejects.toThrow('first')
  expect(deleted).toEqual(['foo', 'foo', 'foo', 'bar'])
  expect(lines.map((line) => JSON.parse(line)).map(({level, reason}) => [level, reason])).toEqual([['warn', 'second']])
})

test('two processes that clean for the first time take turns, and the second goes on behind the first', async () => {
  const asker = await createAsker(on)
  const {database, now} = on.server.deps
  await database.pool.query(`delete from installation where name = 'answers_cleaned_until'`)
  // the oldest of all, more than one step takes
  await createEnded(asker.userId, 300, 1_000)
  const clean = () => database.asSystem((transaction) => deleteOldDeltas(transaction, now()))
  let second: Promise<boolean> | undefined
  await database.asSystem(async (transaction) => {
    await deleteOldDeltas(transaction, now())
    second = clean()
    await eventually(async () => {
      const {rows} = await database.pool.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(rows).toHaveLength(1)
    })
  })
  await second
  expect((await countsOf(asker.userId)).deltas).toBe(0)
})
