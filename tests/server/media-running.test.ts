import {sql} from 'drizzle-orm'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {runningTasks} from '#contract/management.ts'
import {z} from '#contract/schema.ts'
import {findRunning} from '#server/media/running-tasks.ts'
import {tasks} from '#server/store/schema/media.ts'
import {createAsker, type Asker} from './ai.harness.ts'
import {createMediaServer, createScriptedMedia, imageFile, post, tasksOf, type MediaServer} from './media.harness.ts'
import {until} from './until.ts'

/* One answer lists all running tasks of a user, over all services: for a browser that knows of none of them. */

const media = createScriptedMedia()
let on: MediaServer
beforeAll(async () => {
  on = await createMediaServer({tools: [flux, kling], provider: media.provider})
})
afterAll(() => on.close())

type User = Asker & {accessToken: string}
const newUser = async (): Promise<User> => {
  const user = await on.server.createUser()
  return {...(await createAsker(on, '10', user)), accessToken: user.accessToken}
}
const queue = async (own: User, path: string, body: object): Promise<string> =>
  (await post(on, own, path, {...body, async: true})).body.task_id

const path = '/services/platform/api/v1/tasks/running'
const ask = (token: string | undefined, query = '') => on.server.call('GET', path + query, {token})
const runningOf = async ({accessToken}: User) =>
  runningTasks.parse(await (await ask(accessToken)).json()).items.map(({id, service}) => `${service} ${id}`)

describe('what runs for a user', () => {
  test('is named by service and id, from the request until it has ended', async () => {
    const own = await newUser()
    expect(await runningOf(own)).toEqual([])
    const imageTask = await queue(own, '/flux/images', {prompt: 'owl'})
    const videoTask = await queue(own, '/kling/videos', {action: 'text2video', prompt: 'owl'})
    // the newest first; those that wait for a worker run as well
    expect(await runningOf(own)).toEqual([`kling ${videoTask}`, `flux ${imageTask}`])
    const [row] = await tasksOf(on, own.userId)
    expect(await (await ask(own.accessToken)).json()).toEqual({
      items: [
        {id: videoTask, service: 'kling', created_at: expect.any(Number)},
        {id: imageTask, service: 'flux', created_at: (row?.createdAt.getTime() ?? 0) / 1000},
      ],
    })

    await on.work()
    const makings = [await media.next(), await media.next()]
    expect(await runningOf(own)).toEqual([`kling ${videoTask}`, `flux ${imageTask}`])
    makings.find(({ask: {plan}}) => plan.medium === 'image')?.finish([imageFile()])
    await until(async () => (await runningOf(own)).length === 1)
    expect(await runningOf(own)).toEqual([`kling ${videoTask}`])
    makings.find(({ask: {plan}}) => plan.medium !== 'image')?.fail(new Error('foo'))
    await until(async () => (await runningOf(own)).length === 0)
    expect((await tasksOf(on, own.userId)).map(({state}) => state)).toEqual(['succeeded', 'failed'])
  })

  test('is never named to another user, whatever is asked for', async () => {
    const [own, other] = [await newUser(), await newUser()]
    const id = await queue(own, '/flux/images', {prompt: 'owl'})
    expect(await runningOf(other)).toEqual([])
    const asked = await ask(other.accessToken, `?user_id=${own.userId}`)
    expect(await asked.text()).not.toContain(id)
    expect(await runningOf(own)).toEqual([`flux ${id}`])
  })

  test('is told to an access token alone: no credential, no stranger', async () => {
    const own = await newUser()
    await queue(own, '/flux/images', {prompt: 'owl'})
    for (const token of [own.token, undefined, 'foo']) expect((await ask(token)).status).toBe(401)
  })

  test('stays out of reach of a query that forgot whose it is: the rows are closed by themselves', async () => {
    const [own, other] = [await newUser(), await newUser()]
    await queue(own, '/flux/images', {prompt: 'owl'})
    const {database} = on.server.deps
    expect(await database.asUser(other.userId, (transaction) => findRunning(transaction, own.userId))).toEqual([])
    expect(await database.asUser(own.userId, (transaction) => findRunning(transaction, own.userId))).toHaveLength(1)
  })
})

const counted = z.looseObject({'Shared Hit Blocks': z.number(), 'Shared Read Blocks': z.number()})
const explained = z.object({'QUERY PLAN': z.tuple([z.object({Plan: counted})])})

test('10,000 tasks that have ended and those of everybody else are not looked at', async () => {
  const [own, other] = [await newUser(), await newUser()]
  const {database} = on.server.deps
  const insert = (userId: string, state: string, count: number) => sql`
    insert into ${tasks} (user_id, service, operation, state, provider, request, trace_id)
    select ${userId}::uuid, 'flux', 'generate', ${state}, 'foo', '{}', 'foo' from generate_series(1, ${count}::integer)`
  await database.asSystem(async (transaction) => {
    await transaction.execute(insert(own.userId, 'succeeded', 10_000))
    await transaction.execute(insert(own.userId, 'running', 2))
    await transaction.execute(insert(other.userId, 'running', 2_000))
  })
  await database.pool.query('vacuum analyze tasks')
  const plan = await database.asUser(own.userId, async (transaction) => {
    const query = findRunning(transaction, own.userId).getSQL()
    const {rows} = await transaction.execute(sql`explain (analyze, buffers, format json) ${query}`)
    return explained.parse(rows[0])['QUERY PLAN'][0].Plan
  })
  expect(JSON.stringify(plan)).toContain('"Index Name":"tasks_running"')
  expect(JSON.stringify(plan)).not.toContain('Seq Scan')
  // pages of the index and the table: thousands of tasks fill hundreds of them
  expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(10)
})
