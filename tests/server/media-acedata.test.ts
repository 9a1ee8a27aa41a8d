import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {mp3, mp4, post, readFileAt, tasksOf, upload, type MediaServer} from './media.harness.ts'
import {createUpstream, cutOff, make, type Answer} from './media-upstream.ts'
import {pixel} from './pixel.ts'

const upstream = createUpstream()
const {serverOf} = upstream
beforeAll(upstream.listen)
afterAll(upstream.close)
beforeEach(upstream.reset)

describe('acedata', () => {
  const passing = {name: 'acedata', kind: 'acedata'} as const
  let on: MediaServer
  let asker: Asker
  beforeAll(async () => {
    on = await serverOf({...passing, baseUrl: upstream.origin})
    await on.server.createUser() // the operator
  })
  beforeEach(async () => {
    asker = await createAsker(on, '100')
  })
  const taskOf = (response: object | undefined, more = {}) => ({
    json: {id: 'up-1', created_at: 1, ...(response && {response}), ...more},
  })

  test('passes the body on, asks for the upstream task, copies every file and names none of the upstream', async () => {
    let looks = 0
    upstream.answer = ({path}) => {
      if (path === '/luma/videos') return {json: {task_id: 'up-1', trace_id: 'up-trace'}}
      if (path.endsWith('.mp4')) return {bytes: mp4}
      if (path.endsWith('.png')) return path.includes('gone') ? {status: 404} : {bytes: pixel}
      looks += 1
      if (looks === 1) return {status: 429, headers: {'retry-after': '19'}}
      if (looks === 2) return taskOf(undefined)
      if (looks === 3) return taskOf({state: 'processing', thumbnail_url: `${upstream.origin}/early.png`})
      return taskOf({
        success: true,
        task_id: 'up-1',
        trace_id: 'up-trace',
        state: 'completed',
        prompt: 'slow fog',
        video_id: 'up-video',
        video_url: `${upstream.origin}/a.mp4`,
        thumbnail_url: `${upstream.origin}/a.png`,
        raw_image_url: `${upstream.origin}/gone.png`,
      })
    }
    const {body} = await make(on, asker, '/luma/videos', {prompt: 'slow fog'})
    expect(body).toEqual({
      success: true,
      provider: 'acedata',
      state: 'completed',
      prompt: 'slow fog',
      video_id: 'up-video',
      video_url: expect.any(String),
      thumbnail_url: expect.any(String),
      task_id: expect.any(String),
      trace_id: expect.any(String),
    })
    expect(upstream.pauses).toEqual([19_000, 3_000, 3_000])
    expect(body.task_id).not.toBe('up-1')
    expect(body.raw_image_url).toBeUndefined()
    expect(JSON.stringify(body)).not.toContain(upstream.origin)
    expect((await readFileAt(on, body.video_url)).headers.get('content-type')).toBe('video/mp4')
    expect((await readFileAt(on, body.thumbnail_url)).headers.get('content-type')).toBe('image/png')
    expect(upstream.asked[0]).toMatchObject({path: '/luma/videos', body: {prompt: 'slow fog', async: true}})
    expect(upstream.asked[1]).toMatchObject({path: '/luma/tasks', body: {action: 'retrieve', id: 'up-1'}})
    expect((await tasksOf(on, asker.userId)).at(-1)?.providerJob).toBe('up-1')

    // The result is named by the upstream's id in the next request, and only by its owner.
    const stranger = await createAsker(on)
    const extend = {action: 'extend', video_id: 'up-video', prompt: 'more'}
    expect((await post(on, stranger, '/luma/videos', extend)).status).toBe(400)
    looks = 3
    expect((await make(on, asker, '/luma/videos', extend)).body.success).toBe(true)
  })

  test('a finished result is fetched until it is there, what goes with it once', async () => {
    const faults: Answer[] = [{status: 502}, {status: 429, headers: {'retry-after': '23'}}, cutOff(pixel)]
    const image = {
      success: true,
      image_id: '1',
      image_url: `${upstream.origin}/a.png`,
      raw_image_url: `${upstream.origin}/raw.png`,
    }
    upstream.answer = ({path}) => {
      if (path === '/midjourney/imagine') return {json: {task_id: 'up-1', trace_id: 'up-trace'}}
      if (path === '/midjourney/tasks') return taskOf({...image, progress: 100}, {finished_at: 2})
      return path === '/raw.png' ? (faults.shift() ?? {bytes: pixel}) : {status: 503}
    }
    const {body} = await make(on, asker, '/midjourney/imagine', {prompt: 'owl'})
    expect(body).toEqual({
      success: true,
      image_id: '1',
      progress: 100,
      raw_image_url: expect.any(String),
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'acedata',
    })
    const file = await readFileAt(on, body.raw_image_url)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(pixel)
    expect(upstream.pauses).toEqual([6_000, 23_000, 24_000])
    expect(upstream.asked.filter(({path}) => path === '/a.png')).toHaveLength(1)
    expect(body.image_url).toBeUndefined()
  })

  test.each([403, 404, 410])(
    'a result that is answered with %s is asked for once, and said to be lost',
    async (status) => {
      upstream.answer = ({path}) =>
        path === '/flux/images'
          ? {json: {success: true, task_id: 'up-1', data: [{image_url: `${upstream.origin}/a.png`}]}}
          : {status}
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
      expect(body).toEqual({
        success: false,
        error: {code: 'api_error', message: expect.any(String)},
        task_id: expect.any(String),
        trace_id: expect.any(String),
        provider: 'acedata',
        outcome: 'refused',
      })
      expect([upstream.asked.length, upstream.pauses]).toEqual([2, []])
    },
  )

  test('a result that is lost among others is left out with all that tells of it; what came stays', async () => {
    const own = await createAsker(on, '100')
    const item = (name: string) => ({
      id: name,
      image_url: `${upstream.origin}/${name}.png`,
      cover_url: `${upstream.origin}/c-${name}`,
    })
    upstream.answer = ({path}) => {
      if (path === '/flux/images') return {json: {success: true, data: ['a', 'gone', 'b', 'c'].map(item)}}
      return path === '/gone.png' ? {status: 404} : {bytes: pixel}
    }
    const {body} = await make(on, own, '/flux/images', {prompt: 'owl', count: 4})
    expect(body).toEqual({
      success: true,
      data: [
        {id: 'a', cover_url: expect.any(String), image_url: expect.any(String)},
        {id: 'b', cover_url: expect.any(String), image_url: expect.any(String)},
        {id: 'c', cover_url: expect.any(String), image_url: expect.any(String)},
      ],
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'acedata',
    })
    for (const {image_url: address} of body.data)
      expect(Buffer.from(await (await readFileAt(on, address)).arrayBuffer())).toEqual(pixel)
    expect(JSON.stringify(body)).not.toContain('gone')
    expect(JSON.stringify(body)).not.toContain(upstream.origin)
    expect(upstream.asked.map(({path}) => path).filter((path) => path.includes('gone'))).toEqual(['/gone.png'])
  })

  test('results that are all lost fail the task, and nothing is charged', async () => {
    const own = await createAsker(on, '100')
    upstream.answer = ({path}) => {
      const data = ['a', 'b'].map((name) => ({id: name, image_url: `${upstream.origin}/${name}.png`}))
      return path === '/flux/images' ? {json: {success: true, data}} : {status: 404}
    }
    const {body} = await make(on, own, '/flux/images', {prompt: 'owl', count: 2})
    expect(body).toEqual({
      success: false,
      error: {code: 'api_error', message: 'acedata does not hand out what it made (404).'},
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'acedata',
      outcome: 'refused',
    })
    expect(upstream.asked.map(({path}) => path)).toEqual(['/flux/images', '/a.png', '/b.png'])
    expect((await balanceOf(on, own)).used).toBe('0.000000')
  })

  test('an upstream that answers at once is taken at its word; a word it does not know is left out', async () => {
    upstream.answer = ({path, body}) => {
      if (path.endsWith('.mp3')) return {bytes: mp3}
      if (path !== '/suno/audios') return {bytes: pixel}
      if ('async' in body) return {status: 400, json: {error: {code: 'bad_request', message: 'unknown field async'}}}
      const song = {
        id: 's-1',
        audio_url: `${upstream.origin}/a.mp3`,
        image_url: `${upstream.origin}/a.png`,
        state: 'succeeded',
      }
      return {json: {success: true, task_id: 'up-2', data: [song]}}
    }
    const {body} = await make(on, asker, '/suno/audios', {prompt: 'sea shanty'})
    expect(body.data).toEqual([
      {id: 's-1', state: 'succeeded', audio_url: expect.any(String), image_url: expect.any(String)},
    ])
    expect((await readFileAt(on, body.data[0].audio_url)).headers.get('content-type')).toBe('audio/mpeg')
    expect(upstream.asked.filter(({path}) => path === '/suno/tasks')).toEqual([])
  })

  test.each([
    [{status: 403, json: {error: {code: 'forbidden', message: 'moderation'}}}, 'forbidden'],
    [{status: 429, json: {error: {code: 'too_many_requests', message: 'slow down'}}}, 'too_many_requests'],
    [{status: 401, json: {error: {code: 'invalid_token', message: 'bad key'}}}, 'api_error'],
  ])('a refusal %o is %s', async (refusal, code) => {
    upstream.answer = () => refusal
    const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
    expect(body).toEqual({
      success: false,
      error: {code, message: expect.any(String)},
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'acedata',
      outcome: 'refused',
    })
  })

  test('a task that failed, ended without a result, or is not known any more', async () => {
    const failed = {success: false, error: {code: 'forbidden', message: 'content refused'}}
    for (const [task, error] of [
      [taskOf(failed), {code: 'forbidden', message: 'content refused'}],
      [
        taskOf({success: true, data: []}, {finished_at: 2}),
        {code: 'api_error', message: 'acedata ended the task without a result.'},
      ],
      [{status: 404}, {code: 'api_error', message: 'acedata does not know this job any more.'}],
    ] as const) {
      upstream.answer = ({path}) => (path === '/flux/images' ? {json: {task_id: 'up-1'}} : task)
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
      expect(body).toEqual({
        success: false,
        error,
        task_id: expect.any(String),
        trace_id: expect.any(String),
        provider: 'acedata',
        outcome: 'refused',
      })
    }
  })

  test('a result at an address inside of the network is not fetched', async () => {
    upstream.answer = ({path}) =>
      path === '/flux/images'
        ? {json: {success: true, task_id: 'up-1', data: [{image_url: 'http://127.0.0.2:9/a.png'}]}}
        : {bytes: pixel}
    const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
    expect(body).toEqual({
      success: false,
      error: {code: 'api_error', message: 'acedata left what it made at an address that is not fetched from here.'},
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'acedata',
      outcome: 'refused',
    })
    expect(upstream.asked).toHaveLength(1)
  })

  test('an own file goes as an address that the upstream can fetch, or not at all; a foreign one as it is', async () => {
    const user = await on.server.createUser()
    const own = await createAsker(on, '10', user)
    const address = await upload(on, user.accessToken)
    const edit = {prompt: 'hat', action: 'edits', image_url: address}
    const refused = await post(on, own, '/flux/images', edit)
    expect(refused).toEqual({
      status: 400,
      body: {
        error: {code: 'bad_request', message: expect.any(String), field: 'image_url'},
        trace_id: expect.any(String),
        success: false,
      },
      headers: expect.any(Headers),
    })
    expect(refused.body.error.message).toContain('PUBLIC_ORIGINS')

    const result = {success: true, task_id: 'up-1', data: [{image_url: `${upstream.origin}/a.png`}]}
    upstream.answer = ({path}) => (path === '/flux/images' ? {json: result} : {bytes: pixel})
    await make(on, own, '/flux/images', {...edit, image_url: 'https://foo.example/a.png'})
    expect(upstream.asked[0]?.body.image_url).toBe('https://foo.example/a.png')

    const publicOn = await serverOf({...passing, baseUrl: upstream.origin}, {publicOrigins: ['https://ai.example.org']})
    const member = await publicOn.server.createUser()
    const there = await upload(publicOn, member.accessToken)
    const asking = await createAsker(publicOn, '10', member)
    upstream.asked = []
    await make(publicOn, asking, '/flux/images', {...edit, image_url: there})
    expect(upstream.asked[0]?.body.image_url).toBe(`https://ai.example.org${new URL(there).pathname}`)

    upstream.answer = ({path}) =>
      path === '/midjourney/imagine'
        ? {json: {success: true, task_id: 'up-2', image_id: '1', image_url: `${upstream.origin}/a.png`}}
        : {bytes: pixel}
    upstream.asked = []
    await make(publicOn, asking, '/midjourney/imagine', {prompt: `${there} an owl --chaos 5`})
    expect(upstream.asked[0]?.body.prompt).toBe(`https://ai.example.org${new URL(there).pathname} an owl --chaos 5`)
  })
})
