import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {tool as suno} from '#contract/media/suno.ts'
import {listen} from '#server/http/listen.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  openLines,
  post,
  readFileAt,
  tasksOf,
  usagesOf,
  video,
  type MediaServer,
} from './media.harness.ts'
import {until} from './until.ts'
import {quietTimers, sendBy} from './providers.fixtures.ts'

const media = createScriptedMedia()
const called: {address: string; body: unknown}[] = []
let callbackStatus = 200
let on: MediaServer
beforeAll(async () => {
  on = await createMediaServer({
    tools: [flux, kling, suno],
    provider: media.provider,
    config: {callbackOrigins: ['https://hooks.example.org']},
    ports: {
      send: sendBy((address, {body}) => {
        if (typeof body !== 'string') throw new Error('not sent as text')
        called.push({address, body: JSON.parse(body)})
        return new Response(null, {status: callbackStatus})
      }),
      timers: quietTimers,
    },
  })
  await on.server.createUser() // the operator
})
beforeEach(() => {
  called.length = 0
  callbackStatus = 200
})
afterAll(() => on.close())

const queue = async (own: Asker, path = '/flux/images', body: object = {prompt: 'owl'}): Promise<string> =>
  (await post(on, own, path, {...body, async: true})).body.task_id
const batch = async (own: Asker, filter: object = {}, service = 'flux') =>
  (await post(on, own, `/${service}/tasks`, {action: 'retrieve_batch', ...filter})).body
const idsOf = ({items}: {items: {id: string}[]}) => items.map(({id}) => id)

async function finishAll(own: Asker): Promise<void> {
  await on.work()
  while ((await tasksOf(on, own.userId)).some(({state}) => state === 'queued' || state === 'running')) {
    const {ask, finish} = await media.next()
    finish(ask.plan.medium === 'video' ? [video()] : undefined)
    await until(async () => (await tasksOf(on, own.userId)).every(({state}) => state !== 'running') || !media.unasked())
    await on.work()
  }
}

describe('retrieve_batch', () => {
  let own: Asker
  let ids: string[]
  beforeEach(async () => {
    own = await createAsker(on)
    ids = []
    for (let index = 0; index < 4; index += 1) {
      ids.push(await queue(own))
      on.server.advance(1_500)
    }
    await finishAll(own)
  })

  test('newest first, counted in all, page by page', async () => {
    expect(await batch(own)).toMatchObject({count: 4, items: [{id: ids[3]}, {id: ids[2]}, {id: ids[1]}, {id: ids[0]}]})
    const page = await batch(own, {limit: 2, offset: 1})
    expect([page.count, idsOf(page)]).toEqual([4, [ids[2], ids[1]]])
  })

  test('by ids, type and service', async () => {
    expect(idsOf(await batch(own, {ids: [ids[1], ids[0], 'foo']}))).toEqual([ids[1], ids[0]])
    expect((await batch(own, {type: 'images'})).count).toBe(4)
    expect(await batch(own, {type: 'videos'})).toEqual({count: 0, items: []})
    expect(await batch(own, {ids}, 'kling')).toEqual({count: 0, items: []})
  })

  test('by time in unix seconds: both bounds find the very task they were read from', async () => {
    const {items} = await batch(own)
    const at = items[2].created_at
    expect(idsOf(await batch(own, {created_at_max: at}))).toEqual([ids[1], ids[0]])
    expect(idsOf(await batch(own, {created_at_min: at}))).toEqual([ids[3], ids[2], ids[1]])
    expect(idsOf(await batch(own, {created_at_min: at, created_at_max: at}))).toEqual([ids[1]])
  })

  test('by the own ids of user and application; others match nothing', async () => {
    expect((await batch(own, {user_id: own.userId, application_id: own.applicationId})).count).toBe(4)
    const other = await createAsker(on)
    for (const filter of [{user_id: other.userId}, {application_id: other.applicationId}, {application_id: 'foo'}])
      expect(await batch(own, filter)).toEqual({count: 0, items: []})
  })

  test.each([
    [{limit: 0}, 'limit'],
    [{limit: 101}, 'limit'],
    [{offset: -1}, 'offset'],
    [{foo: 1}, 'foo'],
    [{ids: 'foo'}, 'ids'],
    [{created_at_max: '1'}, 'created_at_max'],
  ])('refuses %o by name', async (filter, field) => {
    const {status, body} = await post(on, own, '/flux/tasks', {action: 'retrieve_batch', ...filter})
    expect([status, body.error.code]).toEqual([400, 'bad_request'])
    expect(body.error.message).toContain(field)
  })
})

describe('other people', () => {
  test('find nothing: not the task, not its id, not its files, and change nothing', async () => {
    const own = await createAsker(on)
    const other = await createAsker(on)
    const id = await queue(own)
    await finishAll(own)
    expect((await batch(other, {ids: [id]})).items).toEqual([])
    for (const action of ['retrieve', 'delete'])
      for (const wanted of [id, '00000000-0000-4000-8000-000000000000', 'foo'])
        expect(await post(on, other, '/flux/tasks', {action, id: wanted})).toEqual({
          status: 404,
          body: {
            error: {code: 'not_found', message: 'There is nothing here, or it is not yours.'},
            trace_id: expect.any(String),
            success: false,
          },
          headers: expect.any(Headers),
        })
    expect((await post(on, own, '/flux/tasks', {action: 'retrieve', id})).status).toBe(200)
    expect((await post(on, own, '/kling/tasks', {action: 'retrieve', id})).status).toBe(404)
    expect((await post(on, {token: 'sk-atrium-nobody-nobody'}, '/flux/tasks', {action: 'retrieve', id})).status).toBe(
      401,
    )
  })
})

describe('delete', () => {
  test('takes the task and its files away', async () => {
    const own = await createAsker(on)
    const id = await queue(own)
    await finishAll(own)
    const {body: task} = await post(on, own, '/flux/tasks', {action: 'retrieve', id})
    const address: string = task.response.data[0].image_url
    expect(await post(on, own, '/flux/tasks', {action: 'delete', id, user_id: own.userId})).toEqual({
      status: 200,
      body: {id, deleted: true},
      headers: expect.any(Headers),
    })
    expect((await post(on, own, '/flux/tasks', {action: 'retrieve', id})).status).toBe(404)
    expect((await readFileAt(on, address)).status).toBe(404)
    expect(await usagesOf(on, own.userId)).toHaveLength(1)
  })

  test('one that only waits costs nothing and never starts', async () => {
    const own = await createAsker(on, '10')
    const id = await queue(own)
    expect((await balanceOf(on, own)).remaining).toBe('9.800000')
    await post(on, own, '/flux/tasks', {action: 'delete', id})
    await on.work()
    expect(media.unasked()).toBe(true)
    expect(await balanceOf(on, own)).toEqual({remaining: '10.000000', used: '0.000000'})
    expect(await usagesOf(on, own.userId)).toEqual([])
  })

  test('an answer that waits for it says that it is gone', async () => {
    const own = await createAsker(on, '10')
    const answer = post(on, own, '/flux/images', {prompt: 'owl'})
    await until(async () => (await tasksOf(on, own.userId)).length === 1)
    const [task] = await tasksOf(on, own.userId)
    await post(on, own, '/flux/tasks', {action: 'delete', id: task?.id})
    const {status, body} = await answer
    expect([status, body.error.code]).toEqual([409, 'canceled'])
  })

  test('one that runs is stopped and paid, since it is made over there all the same; its listener hears no success', async () => {
    const own = await createAsker(on, '10')
    const lines = await openLines(on, own, '/flux/images', {prompt: 'owl'})
    const first = await lines.next()
    await on.work()
    const making = await media.next()
    await lines.next()
    await post(on, own, '/flux/tasks', {action: 'delete', id: first?.['task_id']})
    expect(making.ask.signal.aborted).toBe(true)
    const rest = []
    for (let line = await lines.next(); line !== undefined; line = await lines.next()) rest.push(line)
    expect(rest.filter(({success}) => success !== false)).toEqual([])
    making.finish()
    expect(await tasksOf(on, own.userId)).toEqual([])
    expect(await balanceOf(on, own)).toEqual({remaining: '9.800000', used: '0.200000'})
  })
})

describe('callback_url', () => {
  const callback = (payload: unknown) =>
    on.service.tasks['task-callback']?.(payload, {id: '1', workerId: on.workerId, signal: new AbortController().signal})
  const callbackJobs = async ({userId}: Asker) =>
    (
      await on.server.deps.database.pool.query<{payload: {taskId: string}; max_attempts: number}>(
        `select job.payload, job.max_attempts from graphile_worker._private_jobs as job
         join graphile_worker._private_tasks as task on task.id = job.task_id where task.identifier = 'task-callback'
         and job.payload ->> 'taskId' in (select id::text from tasks where user_id = $1)`,
        [userId],
      )
    ).rows

  test.each([
    'https://hooks.example.com/foo',
    'http://hooks.example.org/foo',
    'https://hooks.example.org:8443/foo',
    'https://foo@hooks.example.org/foo',
    'http://169.254.169.254/latest/meta-data',
  ])('%s answers at once and is never called', async (address) => {
    const own = await createAsker(on)
    const {status, body} = await post(on, own, '/flux/images', {prompt: 'owl', callback_url: address})
    expect([status, Object.keys(body)]).toEqual([200, ['task_id', 'trace_id']])
    await finishAll(own)
    expect((await tasksOf(on, own.userId))[0]).toMatchObject({callbackUrl: null, request: {prompt: 'owl'}})
    expect(await callbackJobs(own)).toEqual([])
    expect(called).toEqual([])
  })

  test.each(['foo', 'not a url', '/hooks/foo', 'file:///etc/passwd', 'javascript:foo', 'https://'])(
    '%s is no web address: refused by name, and nothing is begun',
    async (address) => {
      const own = await createAsker(on)
      const {status, body} = await post(on, own, '/flux/images', {prompt: 'owl', callback_url: address})
      expect([status, body.error]).toEqual([
        400,
        {code: 'bad_request', message: 'callback_url must be an http or https address.', field: 'callback_url'},
      ])
      expect(await tasksOf(on, own.userId)).toEqual([])
    },
  )

  test('an empty one is none: the request waits', async () => {
    const own = await createAsker(on)
    const answer = post(on, own, '/flux/images', {prompt: 'owl', callback_url: ''})
    await until(async () => (await tasksOf(on, own.userId)).length === 1)
    await finishAll(own)
    expect((await answer).body.success).toBe(true)
  })

  test('at an origin that the operator listed it gets the final object; a refusal is tried again', async () => {
    const own = await createAsker(on)
    const address = 'https://hooks.example.org/foo?bar=1'
    const {body} = await post(on, own, '/flux/images', {prompt: 'owl', callback_url: address})
    await finishAll(own)
    const [job] = await callbackJobs(own)
    expect(job).toEqual({payload: {taskId: body.task_id}, max_attempts: 4})
    await callback(job?.payload)
    expect(called).toEqual([{address, body: expect.objectContaining({success: true, task_id: body.task_id})}])
    callbackStatus = 500
    await expect(callback(job?.payload)).rejects.toThrow('500')
  })
})

test('a process that ends answers with the task as it stands, and the task goes on', async () => {
  const own = await createAsker(on, '10')
  const ending = await createMediaServer({tools: [flux], provider: media.provider, sharing: on, config: {port: 0}})
  const listener = await listen(ending.server.deps, ending.server.handle)
  const {port} = listener.addresses.find(({address}) => address === '127.0.0.1')!
  const asked = fetch(`http://127.0.0.1:${port}/services/api/flux/images`, {
    method: 'POST',
    headers: {authorization: `Bearer ${own.token}`, 'content-type': 'application/json'},
    body: JSON.stringify({prompt: 'owl'}),
  })
  await until(async () => (await tasksOf(on, own.userId)).length === 1)
  const [task] = await tasksOf(on, own.userId)
  await listener.drain(0, 1_000)
  const answer = await asked
  const stand = {task_id: task?.id, trace_id: task?.traceId, progress: expect.any(Number)}
  expect([answer.status, await answer.json()]).toEqual([200, stand])
  await finishAll(own)
  expect((await tasksOf(on, own.userId)).map(({id, state}) => [id, state])).toEqual([[task?.id, 'succeeded']])
  await ending.close()
})
