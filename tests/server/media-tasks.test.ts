import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {tool as suno} from '#contract/media/suno.ts'
import {errorKinds} from '#domain/error-kinds.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {balanceOf, createAsker, usedByKey, type Asker} from './ai.harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  mp3,
  openLines,
  imageFile,
  post,
  readFileAt,
  song,
  tasksOf,
  usagesOf,
  video,
  type MediaServer,
} from './media.harness.ts'
import {until} from './until.ts'
import {manualTimers} from './providers.fixtures.ts'
import {pixel} from './pixel.ts'

const media = createScriptedMedia()
let on: MediaServer
let asker: Asker
beforeAll(async () => {
  on = await createMediaServer({tools: [flux, kling, midjourney, suno], provider: media.provider})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  asker = await createAsker(on, '10')
})
afterAll(() => on.close())

const owl = {prompt: 'owl', count: 2}
/** Starts a request that waits, and hands its generation to the test. */
async function begin(own: Asker, path: string, body: object, headers: Record<string, string> = {}) {
  const before = (await tasksOf(on, own.userId)).length
  const answer = post(on, own, path, body, headers)
  await until(async () => (await tasksOf(on, own.userId)).length > before)
  await on.work()
  return {answer, making: await media.next()}
}
const retrieve = async (own: Asker, service: string, id: string) =>
  (await post(on, own, `/${service}/tasks`, {action: 'retrieve', id})).body

describe('the life of a task', () => {
  test('async: the id at once, then queued, running with progress, succeeded with our own files', async () => {
    const own = await createAsker(on, '10')
    const queued = await post(on, own, '/flux/images', {...owl, async: true})
    expect(queued).toEqual({
      status: 200,
      body: {task_id: expect.any(String), trace_id: expect.any(String)},
      headers: expect.any(Headers),
    })
    const {task_id: id} = queued.body
    const waiting = await retrieve(own, 'flux', id)
    expect(waiting).toEqual({
      id,
      type: 'images',
      created_at: expect.any(Number),
      application_id: own.applicationId,
      credential_id: own.credentialId,
      user_id: own.userId,
      trace_id: queued.body.trace_id,
      credits: {held: 0.4},
      request: owl,
    })
    expect(await balanceOf(on, own)).toEqual({remaining: '9.600000', used: '0.000000'})

    await on.work()
    const making = await media.next()
    expect(making.ask.plan).toEqual({
      medium: 'image',
      prompt: 'owl',
      count: 2,
      sources: [],
      aspectRatio: [1, 1],
      followsSource: true,
    })
    expect(making.ask.body).toEqual(owl)
    making.ask.onProgress(40)
    await until(async () => (await retrieve(own, 'flux', id)).response?.progress === 40)
    const half = (await retrieve(own, 'flux', id)).response
    expect(half).toEqual({task_id: id, trace_id: waiting.trace_id, provider: 'foo', progress: 40, data: []})

    making.finish([imageFile({seed: 7}), imageFile({seed: 8})])
    await until(async () => (await retrieve(own, 'flux', id)).finished_at !== undefined)
    const done = await retrieve(own, 'flux', id)
    expect(done.response).toEqual({
      success: true,
      task_id: id,
      provider: 'foo',
      data: [
        {prompt: 'owl', seed: 7, image_url: expect.any(String), width: 1, height: 1},
        {prompt: 'owl', seed: 8, image_url: expect.any(String), width: 1, height: 1},
      ],
      trace_id: expect.any(String),
    })
    expect(done.elapsed).toBeCloseTo(done.finished_at - done.started_at, 3)
    for (const {image_url: address} of done.response.data) {
      const file = await readFileAt(on, address)
      expect([file.status, file.headers.get('content-type')]).toEqual([200, 'image/png'])
      expect(Buffer.from(await file.arrayBuffer())).toEqual(pixel)
    }
    expect(await balanceOf(on, own)).toEqual({remaining: '9.600000', used: '0.400000'})
    expect(await usagesOf(on, own.userId)).toMatchObject([
      {statusCode: 200, deductedAmount: '0.400000', serviceId: flux.identity.serviceId, traceId: waiting.trace_id},
    ])
    expect(await usedByKey(on, own)).toBe('0.400000')
  })

  test('without async the request waits for the whole object: kling, flat', async () => {
    const {answer, making} = await begin(asker, '/kling/videos', {prompt: 'kite', duration: 10})
    expect(making.ask.plan).toEqual({
      medium: 'video',
      durationSeconds: 10,
      count: 1,
      prompt: 'kite',
      sources: [],
      aspectRatio: [1, 1],
    })
    making.finish([video({durationSeconds: 9.5})])
    const {status, body} = await answer
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      state: 'succeed',
      duration: '9.5',
      video_id: expect.any(String),
      video_url: expect.any(String),
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
    })
    expect((await readFileAt(on, body.video_url)).headers.get('content-type')).toBe('video/mp4')
  })

  test('a pair of songs with covers and lyrics: suno, then one of them as the source of another request', async () => {
    const {answer, making} = await begin(asker, '/suno/audios', {prompt: 'sea shanty'})
    making.finish([song({title: 'Tide', text: 'heave', style: 'folk', durationSeconds: 20}), song({title: 'Tide'})])
    const {body} = await answer
    expect(body.data).toMatchObject([
      {title: 'Tide', lyric: 'heave', style: 'folk', duration: 20, state: 'succeeded', image_url: expect.any(String)},
      {title: 'Tide', state: 'succeeded'},
    ])
    expect((await readFileAt(on, body.data[0].audio_url)).headers.get('content-type')).toBe('audio/mpeg')
    expect((await readFileAt(on, body.data[0].image_url)).headers.get('content-type')).toBe('image/png')

    const source = body.data[0].id
    const extended = await begin(asker, '/suno/audios', {action: 'extend', audio_id: source, continue_at: 12})
    const [file] = await extended.making.ask.sourceFiles()
    expect([extended.making.ask.plan.sourceId, file?.type]).toEqual([source, 'audio/mpeg'])
    extended.making.finish([song({file: Buffer.concat([mp3, Buffer.from('second')])})])
    const second = (await extended.answer).body.data[0].id

    // what is joined: the extension of an extension, then all that it goes on from, nearest first
    const further = await begin(asker, '/suno/audios', {action: 'extend', audio_id: second, continue_at: 5})
    further.making.finish([song({file: Buffer.concat([mp3, Buffer.from('third')])})])
    const third = (await further.answer).body.data[0].id
    const whole = await begin(asker, '/suno/audios', {action: 'concat', audio_id: third})
    const joined = await Promise.all((await whole.making.ask.sourceFiles()).map((each) => each.read()))
    expect(joined.map((bytes) => Buffer.from(bytes).subarray(mp3.length).toString())).toEqual(['third', 'second', ''])
    whole.making.finish([song({model: 'chirp-v5'})])
    expect((await whole.answer).body.data).toMatchObject([{model: 'chirp-v5'}])

    const stranger = await createAsker(on)
    const refused = await post(on, stranger, '/suno/audios', {action: 'extend', audio_id: source})
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
    expect(refused.body.error.message).toContain('audio_id')
  })

  test.each([...errorKinds, 'forbidden' as const])('a failure %s is visible, in words, and free', async (code) => {
    const own = await createAsker(on, '10')
    const {answer, making} = await begin(own, '/flux/images', owl)
    making.fail(new ProviderFailure(code, 'foo bar'))
    const {status, body} = await answer
    expect(status).toBeGreaterThanOrEqual(400)
    expect(body).toEqual({
      success: false,
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
      outcome: 'refused',
      error: {code, message: 'foo bar'},
    })
    expect((await retrieve(own, 'flux', body.task_id)).response).toEqual(body)
    expect(await balanceOf(on, own)).toEqual({remaining: '10.000000', used: '0.000000'})
    expect(
      (await usagesOf(on, own.userId)).map(({statusCode, deductedAmount}) => [statusCode, deductedAmount]),
    ).toEqual([[status, '0.000000']])
  })

  test('an unknown fault says nothing of the inside; a result that is no image keeps no file', async () => {
    const own = await createAsker(on, '10')
    const first = await begin(own, '/flux/images', owl)
    first.making.fail(new TypeError('secret of the inside'))
    expect((await first.answer).body.error.code).toBe('unknown')
    const second = await begin(own, '/flux/images', owl)
    second.making.finish([imageFile(), imageFile({file: Buffer.from('<html>not a picture</html>')})])
    const {body} = await second.answer
    expect(body.error.code).toBe('api_error')
    expect(JSON.stringify(await tasksOf(on, own.userId))).not.toContain('secret')
    // they go when the end is told: until it is, another worker may hold the task
    const files = () => on.server.deps.database.pool.query('select id from files where user_id = $1', [own.userId])
    await expect.poll(async () => (await files()).rows).toEqual([])
    expect(await balanceOf(on, own)).toEqual({remaining: '10.000000', used: '0.000000'})
  })
})

test('ndjson: a line for each step with real progress, the last one whole', async () => {
  const own = await createAsker(on, '10')
  const lines = await openLines(on, own, '/kling/videos', {prompt: 'kite'})
  expect(await lines.next()).toEqual({task_id: expect.any(String), trace_id: expect.any(String), progress: 0})
  await on.work()
  const making = await media.next()
  expect(await lines.next()).toEqual({
    state: 'processing',
    progress: 0,
    task_id: expect.any(String),
    trace_id: expect.any(String),
    provider: 'foo',
  })
  making.ask.onProgress(35)
  expect(await lines.next()).toEqual({
    state: 'processing',
    progress: 35,
    task_id: expect.any(String),
    trace_id: expect.any(String),
    provider: 'foo',
  })
  making.finish([video()])
  expect(await lines.next()).toEqual({
    success: true,
    state: 'succeed',
    video_url: expect.any(String),
    duration: '5',
    video_id: expect.any(String),
    task_id: expect.any(String),
    trace_id: expect.any(String),
    provider: 'foo',
  })
  expect(await lines.next()).toBeUndefined()
})

describe('a timeout in seconds ends the wait, and the task goes on', () => {
  const clock = manualTimers()
  let timed: MediaServer
  let own: Asker
  beforeAll(async () => {
    timed = await createMediaServer({tools: [midjourney], provider: media.provider, timers: clock.timers})
    await timed.server.createUser() // the operator
  })
  beforeEach(async () => {
    own = await createAsker(timed, '100')
  })
  afterAll(() => timed.close())
  const endOf = async (making: {finish: () => void}) => {
    making.finish()
    await until(async () => (await tasksOf(timed, own.userId)).every(({state}) => state === 'succeeded'))
  }

  test('of an answer that is waited for', async () => {
    const answer = post(timed, own, '/midjourney/imagine', {prompt: 'owl', timeout: 7})
    await until(() => clock.waiting().includes(7_000))
    await timed.work()
    const making = await media.next()
    clock.fire(7_000)
    const {status, body} = await answer
    expect([status, body]).toEqual([200, expect.objectContaining({task_id: expect.any(String), progress: 0})])
    expect(body).not.toHaveProperty('success')
    await endOf(making)
  })

  test('of an answer by lines', async () => {
    const lines = await openLines(timed, own, '/midjourney/imagine', {prompt: 'owl', timeout: 9})
    expect(await lines.next()).toEqual({progress: 0, task_id: expect.any(String), trace_id: expect.any(String)})
    clock.fire(9_000)
    expect(await lines.next()).toBeUndefined()
    await timed.work()
    await endOf(await media.next())
  })

  test('an answer that comes earlier leaves no timer behind', async () => {
    const answer = post(timed, own, '/midjourney/imagine', {prompt: 'owl', timeout: 11})
    await until(() => clock.waiting().includes(11_000))
    await timed.work()
    await endOf(await media.next())
    // a follower looks by itself now and then
    await until(() => {
      clock.fire(2_000)
      return Promise.resolve(!clock.waiting().includes(11_000))
    })
    expect((await answer).body.success).toBe(true)
  })
})
