import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {tool as suno} from '#contract/media/suno.ts'
import type {MediaResult} from '#server/providers/media-provider.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {testOrigin} from './harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  mp3,
  mp4,
  imageFile,
  post,
  song,
  tasksOf,
  upload,
  video,
  type MediaServer,
} from './media.harness.ts'
import {until} from './until.ts'
import {pixel} from './pixel.ts'

/*
 * One id may stand for several results (midjourney answers one `video_id` for its videos): the action says which file
 * goes in, and which actions a result has at all.
 */

/** Another server has its videos here: each ends with the number in its address. */
const upstream = createServer(({url}, response) =>
  response.end(url?.endsWith('.png') ? pixel : bytesOf(Number(url?.slice(1)))),
)
let origin: string
let media: ReturnType<typeof createScriptedMedia>
let on: MediaServer
let asker: Asker
beforeAll(async () => {
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` // as: it listens on a port
  media = createScriptedMedia({origin})
  on = await createMediaServer({tools: [midjourney, suno], provider: media.provider})
  await on.server.createUser() // the operator
})
beforeEach(async () => {
  asker = await createAsker(on, '1000')
})
afterAll(async () => {
  await on.close()
  upstream.close()
})

/** A video that is known again by its last byte. */
const bytesOf = (mark: number) => Buffer.concat([mp4, Buffer.from([mark])])

async function begin(body: object, path = '/midjourney/videos') {
  const before = (await tasksOf(on, asker.userId)).length
  const answer = post(on, asker, path, body)
  await until(async () => (await tasksOf(on, asker.userId)).length > before)
  await on.work()
  return {answer, making: await media.next()}
}

/** Has so many videos made, and answers with their id. */
async function makeVideos(marks: readonly number[]): Promise<string> {
  const {answer, making} = await begin({prompt: 'waves'})
  making.finish(marks.map((mark) => video({file: bytesOf(mark)})))
  const {body} = await answer
  expect(body.video_urls).toHaveLength(marks.length)
  return body.video_id
}

const extended = (id: string, more: object = {}) => ({action: 'extend', prompt: 'on', video_id: id, ...more})

/** The files that the provider gets for an extension; the body is passed on as it was sent. */
async function goesIn(id: string | undefined, more: object): Promise<Buffer[]> {
  const body = extended(id ?? '', more)
  const {answer, making} = await begin(body)
  const files = await Promise.all((await making.ask.sourceFiles()).map((file) => file.read()))
  expect(making.ask.body).toEqual(body)
  making.finish([video()])
  expect((await answer).status).toBe(200)
  return files.map((file) => Buffer.from(file))
}

test('the video at video_index is the one that goes in; without it the first', async () => {
  const ids = [await makeVideos([10, 11, 12, 13]), await makeVideos([20, 21, 22, 23])]
  expect(await goesIn(ids[0], {})).toEqual([bytesOf(10)])
  expect(await goesIn(ids[0], {video_index: 0})).toEqual([bytesOf(10)])
  expect(await goesIn(ids[0], {video_index: 2})).toEqual([bytesOf(12)])
  expect(await goesIn(ids[1], {video_index: 3})).toEqual([bytesOf(23)])
})

test('the same of videos that another server made and named', async () => {
  const {answer, making} = await begin({prompt: 'waves'})
  const addresses = [50, 51, 52, 53].map((mark) => `${origin}/${mark}`)
  making.finish({kind: 'answer', response: {progress: 100, video_id: 'up-1', video_urls: addresses}})
  expect((await answer).body).toEqual({
    success: true,
    video_id: 'up-1',
    progress: 100,
    video_urls: [expect.any(String), expect.any(String), expect.any(String), expect.any(String)],
    task_id: expect.any(String),
    trace_id: expect.any(String),
    provider: 'foo',
  })
  for (const index of [3, 0, 1, 2]) {
    expect(await goesIn('up-1', {video_index: index})).toEqual([bytesOf(50 + index)])
  }
})

test('a result that is still being made is refused by the field that names it, and nothing is held', async () => {
  const {answer, making} = await begin({prompt: 'waves'})
  making.ask.onProgress(40, {progress: 40, video_id: 'half-1', video_urls: ['https://elsewhere.test/a.mp4']})
  await until(async () => (await tasksOf(on, asker.userId)).some(({response}) => response?.video_id === 'half-1'))
  const [before, {remaining}] = [await tasksOf(on, asker.userId), await balanceOf(on, asker)]
  const {status, body} = await post(on, asker, '/midjourney/videos', extended('half-1'))
  expect([status, body.error]).toEqual([
    400,
    {
      code: 'bad_request',
      message: 'video_id names a result that is still being made. Wait until it is done.',
      field: 'video_id',
    },
  ])
  expect([await tasksOf(on, asker.userId), (await balanceOf(on, asker)).remaining]).toEqual([before, remaining])
  making.finish([video()])
  expect((await answer).status).toBe(200)
})

test.each([
  ['files of its own', (): MediaResult => ({kind: 'files', files: [song({title: 'mine'})]})],
  [
    'an answer that repeats it',
    (address: string): MediaResult => ({
      kind: 'answer',
      response: {success: true, data: {audio_id: 'up-1', audio_url: address, title: 'mine'}},
    }),
  ],
])('an answer to an own file names it at the origin it is read from: %s', async (_, resultOf) => {
  const user = await on.server.createUser()
  const own = await createAsker(on, '10', user)
  const address = await upload(on, user.accessToken, mp3, 'mine.mp3')
  const answer = post(on, own, '/suno/upload', {audio_url: address})
  await until(async () => (await tasksOf(on, own.userId)).length > 0)
  await on.work()
  ;(await media.next()).finish(resultOf(address))
  const {body} = await answer
  expect([body.data.audio_url, body.data.title]).toEqual([address, 'mine'])
  const elsewhere = 'http://localhost:4000'
  const read = await on.server.call('POST', '/services/api/suno/tasks', {
    token: own.token,
    body: {action: 'retrieve', id: body.task_id},
    origin: elsewhere,
  })
  const {request, response} = await read.json()
  expect([request.audio_url, response.data.audio_url]).toEqual(Array(2).fill(address.replace(testOrigin, elsewhere)))
})

test('a position at which there is no video is a 400 that names video_index', async () => {
  const id = await makeVideos([30, 31])
  const {status, body} = await post(on, asker, '/midjourney/videos', extended(id, {video_index: 2}))
  expect([status, body.error.code]).toEqual([400, 'bad_request'])
  expect(body.error.message).toContain('video_index names none of the 2 results')
  expect(media.unasked()).toBe(true)
})

test("another user's videos are no source, whatever their position", async () => {
  const id = await makeVideos([40, 41])
  const stranger = await createAsker(on, '1000')
  const {status, body} = await post(on, stranger, '/midjourney/videos', extended(id, {video_index: 1}))
  expect([status, body.error.code]).toEqual([400, 'bad_request'])
  expect(body.error.message).toContain('video_id')
})

describe('an action that a result does not offer', () => {
  /** Has one made, and answers with its id. */
  async function made(path: string, body: object, response?: object): Promise<string> {
    const {answer, making} = await begin(body, path)
    if (response !== undefined) making.finish({kind: 'answer', response: {...response}})
    else making.finish([path === '/suno/audios' ? song() : imageFile()])
    const {body: result} = await answer
    return result.image_id ?? result.data[0].id
  }
  /** Returns the refusal of a request; nothing is held, and nobody asked. */
  async function refusal(path: string, body: object) {
    const [before, {remaining}] = [await tasksOf(on, asker.userId), await balanceOf(on, asker)]
    const answer = await post(on, asker, path, body)
    expect([await tasksOf(on, asker.userId), (await balanceOf(on, asker)).remaining]).toEqual([before, remaining])
    return [answer.status, answer.body.error]
  }
  const refused = (message: string) => [400, {code: 'bad_request', message, field: 'action'}]
  const imagine = '/midjourney/imagine'

  test('is refused by what its answer lists', async () => {
    const sheet = await made(imagine, {prompt: 'owl'})
    expect(await refusal(imagine, {action: 'zoom_out_2x', image_id: sheet})).toEqual(
      refused(
        'action must be one of those that this result offers: upscale1, upscale2, upscale3, upscale4, variation1, variation2, variation3, variation4, reroll.',
      ),
    )
    const single = await made(imagine, {action: 'upscale1', image_id: sheet})
    await made(imagine, {action: 'zoom_out_2x', image_id: single})
  })

  test('is refused where the answer lists none, and taken where it does not say', async () => {
    const shown = {progress: 100, image_url: `${origin}/picture.png`}
    await made(imagine, {prompt: 'owl'}, {...shown, image_id: 'last', actions: []})
    expect(await refusal(imagine, {action: 'reroll', image_id: 'last'})).toEqual(
      refused('action names something, but this result can be worked on no further.'),
    )
    await made(imagine, {prompt: 'owl'}, {...shown, image_id: 'unsaid'})
    await made(imagine, {action: 'reroll', image_id: 'unsaid'})
  })

  test('a song that goes on from none cannot be joined', async () => {
    const path = '/suno/audios'
    const first = await made(path, {prompt: 'shanty'})
    expect(await refusal(path, {action: 'concat', audio_id: first})).toEqual(
      refused('action joins a result with what it goes on from, and this one goes on from none.'),
    )
    const more = await made(path, {action: 'extend', audio_id: first, custom: true, lyric: 'foo'})
    await made(path, {action: 'concat', audio_id: more})
  })
})
