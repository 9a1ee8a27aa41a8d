import {grantCredits} from '#server/ledger/ledger.ts'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
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
  until,
  upload,
  usagesOf,
  video,
  type MediaServer,
} from './media.harness.ts'
import {manualTimers} from './providers.fixtures.ts'
import {pixel} from './pixel.ts'

const media = createScriptedMedia()
let on: MediaServer
let asker: Asker
beforeAll(async () => {
  on = await createMediaServer({tools: [flux, kling, midjourney, suno], provider: media.provider})
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
    expect(queued).toMatchObject({status: 200, body: {task_id: expect.any(String), trace_id: expect.any(String)}})
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
    expect(body).toMatchObject({success: true, state: 'succeed', duration: '9.5', video_id: expect.any(String)})
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
    expect(await usagesOf(on, own.userId)).toMatchObject([{statusCode: status, deductedAmount: '0.000000'}])
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
  expect(await lines.next()).toMatchObject({state: 'processing', progress: 0})
  making.ask.onProgress(35)
  expect(await lines.next()).toMatchObject({state: 'processing', progress: 35})
  making.finish([video()])
  expect(await lines.next()).toMatchObject({success: true, state: 'succeed', video_url: expect.any(String)})
  expect(await lines.next()).toBeUndefined()
})

describe('a timeout in seconds ends the wait, and the task goes on', () => {
  const clock = manualTimers()
  let timed: MediaServer
  let own: Asker
  beforeAll(async () => {
    timed = await createMediaServer({tools: [midjourney], provider: media.provider, timers: clock.timers})
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
    expect(await lines.next()).toMatchObject({progress: 0})
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
    expect((await answer).body).toMatchObject({success: true})
  })
})

describe('a request is refused before anything is made', () => {
  test('used_up: the very same request goes on once there are credits, under the same key', async () => {
    const own = await createAsker(on, '0.3')
    const call = () => post(on, own, '/flux/images', {...owl, async: true}, {'idempotency-key': 'foo'})
    expect(await call()).toMatchObject({status: 403, body: {error: {code: 'used_up'}}})
    expect(await tasksOf(on, own.userId)).toEqual([])
    await on.server.deps.database.asSystem((transaction) =>
      grantCredits(transaction, {...own, amount: '1', reference: `grant:more:${own.userId}`}),
    )
    expect((await call()).status).toBe(200)
    await on.work()
    ;(await media.next()).finish()
  })

  test.each([
    ['an unknown key', '/flux/images', {prompt: 'owl', foo: 1}, 'foo'],
    ['a wrong value', '/flux/images', {prompt: 'owl', count: 9}, 'count'],
    ['a missing prompt', '/flux/images', {}, 'prompt'],
    [
      'a foreign address',
      '/flux/images',
      {prompt: 'owl', action: 'edits', image_url: 'https://foo.example/a.png'},
      'image_url',
    ],
    [
      'a local address',
      '/kling/videos',
      {prompt: 'owl', start_image_url: 'http://127.0.0.1:80/a.png'},
      'start_image_url',
    ],
    ['an unknown result', '/kling/videos', {action: 'extend', video_id: 'foo'}, 'video_id'],
  ])('%s is a 400 that names it', async (_what, path, body, field) => {
    const {status, body: answer} = await post(on, asker, path, {...body, async: true})
    expect([status, answer.error.code]).toEqual([400, 'bad_request'])
    expect(answer.error.message).toContain(field)
    expect(media.unasked()).toBe(true)
  })

  test("another user's file does not go in; the own one does", async () => {
    const stranger = await on.server.createUser()
    const user = await on.server.createUser()
    const own = await createAsker(on, '10', user)
    const edit = async (address: string) =>
      post(on, own, '/flux/images', {prompt: 'hat', action: 'edits', image_url: address, async: true})
    expect((await edit(await upload(on, stranger.accessToken))).status).toBe(400)
    const {status, body} = await edit(await upload(on, user.accessToken))
    expect(status).toBe(200)
    await on.work()
    const making = await media.next()
    const [file] = await making.ask.sourceFiles()
    expect(Buffer.from((await file?.read()) ?? [])).toEqual(pixel)
    making.finish()
    await until(async () => (await retrieve(own, 'flux', body.task_id)).response?.success === true)
  })

  test('references between the words of a prompt are files that go in; the words stay as they were sent', async () => {
    const user = await on.server.createUser()
    const own = await createAsker(on, '10', user)
    const imagine = (prompt: string) => post(on, own, '/midjourney/imagine', {prompt, async: true})
    const foreign = await upload(on, (await on.server.createUser()).accessToken)
    const refused = await imagine(`${foreign} an owl`)
    expect([refused.status, refused.body.error.message]).toEqual([400, expect.stringMatching(/^prompt must be a file/)])

    const [one, two] = [await upload(on, user.accessToken), await upload(on, user.accessToken, pixel, 'bar.png')]
    for (const prompt of [`${one} an owl --chaos 5`, `${one} ${two} an owl, as in ${two}. --seed 9`]) {
      const {status, body} = await imagine(prompt)
      expect(status).toBe(200)
      const row = (await tasksOf(on, own.userId)).find(({id}) => id === body.task_id)
      expect(JSON.stringify(row?.request)).not.toContain('http')
      await on.work()
      const making = await media.next()
      const files = await making.ask.sourceFiles()
      expect(files.map(({name}) => name)).toEqual(prompt.includes(` ${two} an`) ? ['foo.png', 'bar.png'] : ['foo.png'])
      expect(making.ask.plan.prompt.split(' ').slice(-2)).toEqual(prompt.split(' ').slice(-2))
      making.finish()
      await until(async () => (await retrieve(own, 'midjourney', body.task_id)).response?.success === true)
      expect((await retrieve(own, 'midjourney', body.task_id)).request?.prompt).toBe(prompt)
    }
  })

  test('a service of its own covers no other; a full file quota is said at once', async () => {
    const own = await createAsker(on)
    const individual = (serviceId: string) =>
      on.server.deps.database.pool.query(
        `update applications set scope = 'Individual', service_id = $1 where id = $2`,
        [serviceId, own.applicationId],
      )
    await individual(kling.identity.serviceId)
    expect((await post(on, own, '/flux/images', owl)).body.error.code).toBe('forbidden')
    await individual(flux.identity.serviceId)
    await on.server.deps.database.pool.query(
      `insert into files (id, stored_as, user_id, name, type, size) values ($1, $1, $2, 'big', 'image/png', 2000000000)`,
      [`big-${own.userId}`.slice(0, 22), own.userId],
    )
    expect(await post(on, own, '/flux/images', owl)).toMatchObject({
      status: 413,
      body: {error: {code: 'content_too_large'}},
    })
  })
})

describe('the same intent twice', () => {
  test('in parallel is one task and one charge', async () => {
    const own = await createAsker(on, '10')
    const call = () => post(on, own, '/flux/images', {...owl, async: true}, {'idempotency-key': 'click'})
    const answers = await Promise.all([call(), call(), call(), call()])
    expect(new Set(answers.map(({body}) => body.task_id)).size).toBe(1)
    expect(answers.filter(({headers}) => headers.get('idempotent-replay') === 'true')).toHaveLength(3)
    await on.work()
    ;(await media.next()).finish()
    await until(async () => (await tasksOf(on, own.userId))[0]?.state === 'succeeded')
    expect((await call()).body.task_id).toBe(answers[0]?.body.task_id)
    expect(await tasksOf(on, own.userId)).toHaveLength(1)
    expect(await balanceOf(on, own)).toEqual({remaining: '9.600000', used: '0.400000'})
    const {body} = await post(on, own, '/flux/tasks', {action: 'retrieve', id: answers[0]?.body.task_id})
    expect(body.credits).toEqual({held: 0.4, settled: 0.4})
  })

  test('with another body or another path is 422; of another user it is another task', async () => {
    const own = await createAsker(on, '10')
    const key = {'idempotency-key': 'key'}
    const first = await post(on, own, '/flux/images', {...owl, async: true}, key)
    expect((await post(on, own, '/flux/images', {...owl, count: 1, async: true}, key)).status).toBe(422)
    expect((await post(on, own, '/kling/videos', {prompt: 'owl', async: true}, key)).status).toBe(422)
    const other = await createAsker(on, '10')
    const foreign = await post(on, other, '/flux/images', {...owl, async: true}, key)
    expect(foreign.body.task_id).not.toBe(first.body.task_id)
    await on.work()
    ;(await media.next()).finish()
    ;(await media.next()).finish()
    await until(async () => (await tasksOf(on, other.userId))[0]?.state === 'succeeded')
    await post(on, own, '/flux/tasks', {action: 'delete', id: first.body.task_id})
    expect(await post(on, own, '/flux/images', {...owl, async: true}, key)).toMatchObject({
      status: 409,
      body: {error: {code: 'duplication'}},
    })
  })
})
