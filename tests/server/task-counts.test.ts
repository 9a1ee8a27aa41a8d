import {and, eq, gte, sql} from 'drizzle-orm'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {countTasks, matches, type TaskFilter} from '#server/media/task-counts.ts'
import {taskCounts, tasks} from '#server/store/schema/media.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
beforeAll(async () => {
  server = await createTestServer()
})
afterAll(() => server.close())

const start = Date.UTC(2026, 0, 1)
const minute = 60_000
const createUser = async () => (await server.createUser()).user.id

/** So many tasks, a minute apart from `start` on. */
const make = (userId: string, count: number, tool: {service?: string; type?: string | null; from?: number} = {}) => {
  const {service = 'flux', type = 'images', from = 0} = tool
  return server.deps.database.asSystem((transaction) =>
    transaction.execute(sql`
      insert into tasks (user_id, service, operation, type, state, provider, request, trace_id, created_at)
      select ${userId}, ${service}, 'images', ${type}, 'succeeded', 'sandbox', '{}', 'foo',
        to_timestamp(${(start + from * minute) / 1_000}) + place * interval '1 minute'
      from generate_series(0, ${count - 1}::integer) as place`),
  )
}

const filterOf = (userId: string, other: Partial<TaskFilter> = {}): TaskFilter => ({
  userId,
  service: 'flux',
  type: undefined,
  createdAtMax: undefined,
  others: [],
  ...other,
})

/** Returns the reported number beside the number of rows. */
const counted = (filter: TaskFilter) =>
  server.deps.database.asUser(filter.userId, async (transaction) => [
    await countTasks(transaction, filter),
    await transaction.$count(tasks, matches(filter)),
  ])

const kept = async (userId: string) => {
  const rows = await server.deps.database.asSystem((transaction) =>
    transaction.select().from(taskCounts).where(eq(taskCounts.userId, userId)),
  )
  return Object.fromEntries(rows.map(({service, type, tasks: number}) => [`${service}/${type}`, number]))
}

test('the number of tasks is kept by tool and type, also of those that are deleted', async () => {
  const [userId, other] = [await createUser(), await createUser()]
  await make(userId, 3)
  await make(userId, 2, {type: null})
  await make(userId, 4, {service: 'kling', type: 'videos'})
  await make(other, 5)
  expect(await counted(filterOf(userId))).toEqual([5, 5])
  expect(await counted(filterOf(userId, {type: 'images'}))).toEqual([3, 3])
  expect(await counted(filterOf(userId, {type: 'videos'}))).toEqual([0, 0])
  const {asSystem} = server.deps.database
  await asSystem((transaction) =>
    transaction
      .delete(tasks)
      .where(and(eq(tasks.userId, userId), gte(tasks.createdAt, new Date(start + minute)), eq(tasks.type, 'images'))),
  )
  expect(await counted(filterOf(userId))).toEqual([3, 3])
  await asSystem((transaction) => transaction.delete(tasks).where(eq(tasks.userId, userId)))
  expect(await kept(userId)).toEqual({'flux/': 0, 'flux/images': 0, 'kling/videos': 0})
  expect(await counted(filterOf(other))).toEqual([5, 5])
})

test('what is undone is not counted, and what many do at once is', async () => {
  const userId = await createUser()
  const undone = server.deps.database.asSystem(async (transaction) => {
    await transaction.execute(
      sql`insert into tasks (user_id, service, operation, type, provider, request, trace_id) values (${userId}, 'flux', 'images', 'images', 'sandbox', '{}', 'foo')`,
    )
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  await Promise.all(Array.from({length: 12}, (_, from) => make(userId, 1, {from})))
  expect(await counted(filterOf(userId))).toEqual([12, 12])
})

test('before a moment, within the newest ten thousand and beyond them', async () => {
  const userId = await createUser()
  await make(userId, 10_003)
  const before = (count: number) => counted(filterOf(userId, {createdAtMax: new Date(start + count * minute)}))
  expect(await before(10_002)).toEqual([10_003, 10_003])
  expect(await before(9_000)).toEqual([9_001, 9_001])
  expect(await before(2)).toEqual([3, 3])
  expect(await before(1)).toEqual([2, 2])
  expect(await before(-1)).toEqual([0, 0])
})

test('a filter that nothing is kept for is counted', async () => {
  const userId = await createUser()
  await make(userId, 6)
  const others = [gte(tasks.createdAt, new Date(start + 4 * minute))]
  expect(await counted(filterOf(userId, {others}))).toEqual([2, 2])
})

test('a request reads its own counts and writes none', async () => {
  const [userId, other] = [await createUser(), await createUser()]
  await make(userId, 1)
  const {asUser} = server.deps.database
  expect(await asUser(other, (transaction) => transaction.select().from(taskCounts))).toEqual([])
  expect(await asUser(userId, (transaction) => transaction.select().from(taskCounts))).toHaveLength(1)
  await expect(asUser(userId, (transaction) => transaction.update(taskCounts).set({tasks: 9}))).rejects.toThrow(
    /Failed query/,
  )
  expect(await kept(userId)).toEqual({'flux/images': 1})
})
