import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {tool as suno} from '#contract/media/suno.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {createAsker, balanceOf, type Asker} from './ai.harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  picture,
  pixel,
  post,
  readFileAt,
  tasksOf,
  until,
  upload,
  usagesOf,
  type MediaServer,
} from './media.harness.ts'

const media = createScriptedMedia()
let on: MediaServer
let asker: Asker
beforeAll(async () => {
  on = await createMediaServer({tools: [flux, kling, suno], provider: media.provider})
  asker = await createMediaAsker('10')
})
afterAll(() => on.close())

const createMediaAsker = (credits: string) =>
  createAsker({server: on.server} as Parameters<typeof createAsker>[0], credits)
const balance = (own: Asker) => balanceOf({server: on.server} as Parameters<typeof balanceOf>[0], own)
const owl = {prompt: 'owl', count: 2}

describe('the life of a task', () => {
  test('async: the id at once, then queued, running with progress, succeeded with our own files', async () => {
    const own = await createMediaAsker('10')
    const queued = await post(on, own, '/flux/images', {...owl, async: true})
    expect(queued).toMatchObject({status: 200, body: {task_id: expect.any(String), trace_id: expect.any(String)}})
    const {task_id: id} = queued.body
    const retrieve = async () => (await post(on, own, '/flux/tasks', {action: 'retrieve', id})).body
    const waiting = await retrieve()
    expect(waiting).toEqual({
      id,
      type: 'images',
      created_at: expect.any(Number),
      application_id: own.applicationId,
      credential_id: own.credentialId,
      user_id: own.userId,
      trace_id: queued.body.trace_id,
      request: owl,
    })
    expect(await balance(own)).toEqual({remaining: '9.600000', used: '0.000000'})

    await on.work()
    const making = await media.next()
    expect(making.ask.plan).toMatchObject({medium: 'image', prompt: 'owl', count: 2})
    expect(making.ask.body).toEqual(owl)
    making.ask.onProgress(40)
    await until(async () => (await retrieve()).response?.progress === 40)
    const half = (await retrieve()).response
    expect(half).toEqual({task_id: id, trace_id: waiting.trace_id, provider: 'foo', progress: 40, data: []})

    making.finish([picture({seed: 7}), picture({seed: 8})])
    await until(async () => (await retrieve()).finished_at !== undefined)
    const done = await retrieve()
    expect(done.response).toMatchObject({
      success: true,
      task_id: id,
      provider: 'foo',
      data: [
        {prompt: 'owl', seed: 7, image_url: expect.any(String)},
        {prompt: 'owl', seed: 8, image_url: expect.any(String)},
      ],
    })
    expect(done.elapsed).toBeCloseTo(done.finished_at - done.started_at, 3)
    for (const {image_url: address} of done.response.data) {
      const file = await readFileAt(on, address)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(Buffer.from(await file.arrayBuffer())).toEqual(pixel)
    }
    expect(await balance(own)).toEqual({remaining: '9.600000', used: '0.400000'})
    expect(await usagesOf(on, own.userId)).toMatchObject([
      {statusCode: 200, deductedAmount: '0.400000', serviceId: flux.identity.serviceId, traceId: waiting.trace_id},
    ])
  })

  test('without async the request waits for the whole object', async () => {
    const answer = post(on, asker, '/flux/images', {prompt: 'owl'})
    await until(async () => (await tasksOf(on, asker.userId)).length === 1)
    await on.work()
    ;(await media.next()).finish()
    expect(await answer).toMatchObject({status: 200, body: {success: true, data: [{prompt: 'owl'}]}})
  })

  test('a failure is visible, in the words of the provider, and free', async () => {
    const own = await createMediaAsker('10')
    const answer = post(on, own, '/flux/images', owl)
    await until(async () => (await tasksOf(on, own.userId)).length === 1)
    await on.work()
    ;(await media.next()).fail(new ProviderFailure('too_many_requests', 'foo is busy'))
    const {status, body} = await answer
    expect(status).toBe(429)
    expect(body).toEqual({
      success: false,
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
      outcome: 'refused',
      error: {code: 'too_many_requests', message: 'foo is busy'},
    })
    const {body: task} = await post(on, own, '/flux/tasks', {action: 'retrieve', id: body.task_id})
    expect(task.response).toEqual(body)
    expect(await balance(own)).toEqual({remaining: '10.000000', used: '0.000000'})
    expect(await usagesOf(on, own.userId)).toMatchObject([{statusCode: 429, deductedAmount: '0.000000'}])
  })
})

test("a file that goes in is the own one; a foreign address and another person's file are refused by name", async () => {
  const {user, accessToken} = await on.server.createUser()
  const address = await upload(on, accessToken)
  const body = {prompt: 'hat', action: 'edits', image_url: address}
  const refused = await post(on, asker, '/flux/images', body)
  expect(refused).toMatchObject({status: 400, body: {error: {code: 'bad_request'}}})
  expect(refused.body.error.message).toContain('image_url')
  const foreign = await post(on, asker, '/flux/images', {...body, image_url: 'https://foo.example/a.png'})
  expect(foreign.status).toBe(400)
  expect(user.id).not.toBe(asker.userId)
})
