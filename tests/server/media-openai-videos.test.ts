import {describe, expect, test} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import type {MediaAsk} from '#server/providers/media-provider.ts'
import {balanceOf, createAsker} from './ai.harness.ts'
import {mp4, readFileAt, tasksOf} from './media.harness.ts'
import {openaiMedia, openaiUpstream, cutOff, make, type Answer} from './media-upstream.ts'

const openai = openaiUpstream()
const {upstream} = openai
const {entry, registryOf} = upstream

describe('videos of an openai server', () => {
  test('a video job: created, asked for, fetched; its id is stored before it is asked for', async () => {
    let looks = 0
    const own = await createAsker(openai.on, '100')
    const storedAtLook: (string | null | undefined)[] = []
    upstream.answer = async ({method, path}) => {
      if (method === 'POST') return {json: {id: 'video_1', status: 'queued'}}
      if (path.endsWith('/content')) return {bytes: mp4}
      looks += 1
      storedAtLook.push((await tasksOf(openai.on, own.userId))[0]?.providerJob)
      if (looks === 1) return {status: 503, headers: {'retry-after': '17'}}
      return {
        json: {id: 'video_1', status: looks < 4 ? 'in_progress' : 'completed', progress: looks * 20, seconds: '5'},
      }
    }
    const {body} = await make(openai.on, own, '/kling/videos', {prompt: 'kite', aspect_ratio: '9:16'})
    expect(storedAtLook).toEqual(Array(4).fill('video_1'))
    expect(upstream.pauses).toEqual([17_000, 3_000, 3_000])
    expect(body).toEqual({
      success: true,
      duration: '5',
      state: 'succeed',
      video_id: expect.any(String),
      video_url: expect.any(String),
      provider_model: 'foo-video',
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
    })
    expect((await readFileAt(openai.on, body.video_url)).headers.get('content-type')).toBe('video/mp4')
    expect(upstream.asked[0]).toMatchObject({
      path: '/v1/videos',
      body: {model: 'foo-video', seconds: '5', size: '720x1280'},
    })
  })

  test('a finished video is fetched until it is there, and not before the server wants', async () => {
    const faults: Answer[] = [{status: 503}, {status: 429, headers: {'retry-after': '29'}}, cutOff(mp4)]
    upstream.answer = ({method, path}) => {
      if (method === 'POST') return {json: {id: 'video_5'}}
      return path.endsWith('/content') ? (faults.shift() ?? {bytes: mp4}) : {json: {id: 'video_5', status: 'completed'}}
    }
    const {body} = await openai.make('/kling/videos', {prompt: 'kite'})
    expect(body).toEqual({
      success: true,
      state: 'succeed',
      duration: '',
      video_id: expect.any(String),
      video_url: expect.any(String),
      provider_model: 'foo-video',
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
    })
    const file = await readFileAt(openai.on, body.video_url)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(mp4))
    expect(upstream.pauses).toEqual([6_000, 29_000, 24_000])
    expect(upstream.asked.filter(({method}) => method === 'POST')).toHaveLength(1)
  })

  test('a server that takes forms only and lists its jobs', async () => {
    upstream.answer = ({method, path, headers}) => {
      if (method === 'POST')
        return headers['content-type'] === 'application/json' ? {status: 415} : {json: {id: 'video_2'}}
      if (path.endsWith('/content')) return {bytes: mp4}
      if (path === '/v1/videos') return {json: {data: [{id: 'video_2', status: 'completed'}]}}
      return {status: 404}
    }
    const {body} = await openai.make('/kling/videos', {prompt: 'kite'})
    expect(body.success).toBe(true)
  })

  test.each([
    [400, {error: {message: "Invalid value for 'seconds': must be one of 4, 8, 12", param: 'seconds'}}],
    [400, {error: {message: "Invalid value: '5' for 'seconds'. Supported values are: '4', '8', and '12'."}}],
    [422, {detail: [{type: 'literal_error', loc: ['body', 'seconds'], msg: 'Input should be 4', input: {size: '1'}}]}],
  ])('a length that is refused with %s is the nearest that is named, at the same price', async (status, json) => {
    upstream.answer = ({method, path, body}) => {
      if (method === 'POST') return body.seconds === '4' ? {json: {id: 'video_4'}} : {status, json}
      return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_4', status: 'completed', seconds: '4'}}
    }
    const {body} = await openai.make('/kling/videos', {prompt: 'kite', aspect_ratio: '16:9'})
    expect(body).toEqual({
      success: true,
      duration: '4',
      state: 'succeed',
      video_id: expect.any(String),
      video_url: expect.any(String),
      provider_model: 'foo-video',
      task_id: expect.any(String),
      trace_id: expect.any(String),
      provider: 'foo',
    })
    const sent = upstream.asked.filter(({method}) => method === 'POST').map((request) => request.body)
    expect(sent).toEqual([
      {seconds: '5', size: '1280x720', model: 'foo-video', prompt: 'kite'},
      {seconds: '4', size: '1280x720', model: 'foo-video', prompt: 'kite'},
    ])
  })

  test.each([
    ['no shorter length', {}, "'seconds' must be one of 8, 12", 'seconds'],
    ['a length at half the price', {duration: 10}, 'must be one of 4, 8, 12', 'seconds'],
    ['a range', {}, "'seconds' must be between 1 and 4", undefined],
    ['no such shape', {}, 'supported sizes are 720x1280, 1024x1024', 'size'],
    ['a larger size', {}, 'must be one of 1920x1080', 'size'],
    ['a size of something else', {}, 'prompt exceeds maximum size', undefined],
    ['another field', {}, "no 'size' of 'seconds'", 'prompt'],
  ])('%s that is named is a refusal in those words, asked once and not paid', async (_what, more, message, param) => {
    const own = await createAsker(openai.on, '100')
    upstream.answer = () => ({status: 400, json: {error: {message, param}}})
    const {body} = await make(openai.on, own, '/kling/videos', {prompt: 'kite', aspect_ratio: '16:9', ...more})
    expect([upstream.asked.length, body.error]).toEqual([1, {code: 'bad_request', message}])
    expect((await balanceOf(openai.on, own)).remaining).toBe('100.000000')
  })

  test('a size that is refused is the nearest smaller one of its shape', async () => {
    upstream.answer = ({method, path, body}) => {
      if (method === 'POST' && body.size === '1280x720')
        return {status: 400, json: {error: {message: 'size must be one of 480x832, 832x480', param: 'size'}}}
      if (method === 'POST') return {json: {id: 'video_7'}}
      return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_7', status: 'completed'}}
    }
    const {body} = await openai.make('/kling/videos', {prompt: 'kite', aspect_ratio: '16:9'})
    expect([body.success, upstream.asked[1]?.body.size]).toEqual([true, '832x480'])
  })

  test.each([
    {error: {message: "Unknown parameter: 'seconds'.", param: 'seconds', code: 'unknown_parameter'}},
    {error: {message: 'Unrecognized request argument supplied: seconds', param: null}},
    {error: {message: "'seconds' is not supported with this model.", param: 'seconds'}},
  ])('a length that a server does not know is left out: %j', async (json) => {
    upstream.answer = ({method, path, body}) => {
      if (method === 'POST') return 'seconds' in body ? {status: 400, json} : {json: {id: 'video_8'}}
      return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_8', status: 'completed'}}
    }
    const {body} = await openai.make('/kling/videos', {prompt: 'kite'})
    expect([body.success, body.duration, 'seconds' in upstream.asked[1]?.body]).toEqual([true, '', false])
  })

  test('a length that is refused for another reason fails in its words, asked once', async () => {
    upstream.answer = () => ({status: 400, json: {error: {code: 'bad_request', message: 'no kites'}}})
    const {body} = await openai.make('/kling/videos', {prompt: 'kite'})
    expect([upstream.asked.length, body.error.message]).toEqual([1, 'no kites'])
  })

  test('a video that is refused for now says when it may be asked for again', async () => {
    upstream.answer = () => ({status: 429, headers: {'retry-after': '21'}})
    const plan = {medium: 'video', prompt: 'kite', aspectRatio: [16, 9], count: 1, sources: []}
    const ask = {tool: kling, plan, sourceFiles: async () => [], signal: new AbortController().signal}
    const provider = registryOf([entry({media: openaiMedia})]).find('kling')
    // as: nothing else of it is looked at
    await expect(provider?.make(ask as unknown as MediaAsk)).rejects.toEqual(
      new ProviderFailure('too_many_requests', 'foo answered with an error (429).', {
        status: 429,
        retryAfterSeconds: 21,
      }),
    )
  })
})
