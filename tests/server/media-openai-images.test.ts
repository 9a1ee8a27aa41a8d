import sharp from 'sharp'
import {describe, expect, test} from 'vitest'
import {createAsker} from './ai.harness.ts'
import {readFileAt, upload} from './media.harness.ts'
import {openaiUpstream, make, type Answer} from './media-upstream.ts'
import {pixel} from './pixel.ts'

const openai = openaiUpstream()
const {upstream} = openai

describe('images of an openai server', () => {
  test.each([
    ['base64', () => ({b64_json: pixel.toString('base64')})],
    ['a data address', () => ({url: `data:image/png;base64,${pixel.toString('base64')}`})],
    ['a relative address', () => ({url: '/v1/images/1/content'})],
    ['a whole address', () => ({url: `${upstream.origin}/foo.png`})],
  ])('an image as %s is copied into our store', async (_what, item) => {
    upstream.answer = ({method}) => (method === 'GET' ? {bytes: pixel} : {json: {data: [item()]}})
    const {body} = await openai.make('/flux/images', {prompt: 'owl', aspect_ratio: '16:9'})
    expect(body).toEqual({
      success: true,
      provider: 'foo',
      provider_model: 'foo-image',
      data: [{width: 1, height: 1, prompt: 'owl', image_url: expect.any(String)}],
      task_id: expect.any(String),
      trace_id: expect.any(String),
    })
    const file = await readFileAt(openai.on, body.data[0].image_url)
    expect(Buffer.from(await file.arrayBuffer())).toEqual(pixel)
    expect(upstream.asked[0]).toMatchObject({
      path: '/v1/images/generations',
      body: {model: 'foo-image', prompt: 'owl', n: 1, size: '1536x1024'},
      headers: {authorization: 'Bearer secret-key'},
    })
    expect(upstream.asked[1]?.headers.authorization).toBeUndefined()
  })

  test('what a server refuses by name is left out; one image at a time then', async () => {
    upstream.answer = ({body}) => {
      if ('size' in body) return {status: 400, json: {error: {message: "Unknown parameter: 'size'"}}}
      if ('n' in body) return {status: 400, json: {error: {message: "'n' must be 1"}}}
      return {json: {data: [{b64_json: pixel.toString('base64')}]}}
    }
    const {body} = await openai.make('/flux/images', {prompt: 'owl', count: 2})
    expect(body.data).toHaveLength(2)
    expect(upstream.asked.map((request) => Object.keys(request.body).length)).toEqual([4, 3, 2, 2])
  })

  test.each([
    [
      '9:16',
      "Invalid value: '1024x1536'. Supported values are: '1024x1024', '1024x1792', and '1792x1024'.",
      '1024x1792',
    ],
    ['16:9', "Invalid value: '1536x1024'. Supported values are: '256x256', '512x512', and '1024x1024'.", '1024x1024'],
    ['16:9', 'This size is too large.', undefined],
  ])('a size that is refused for %s is the one that is named and nearest in shape: %s', async (ratio, words, size) => {
    upstream.answer = ({body}) =>
      body.size === undefined || words.includes(`'${body.size}',`) || words.includes(`and '${body.size}'`)
        ? {json: {data: [{b64_json: pixel.toString('base64')}]}}
        : {status: 400, json: {error: {message: words, param: 'size', type: 'image_generation_user_error'}}}
    const {body} = await openai.make('/flux/images', {prompt: 'owl', aspect_ratio: ratio})
    expect([body.success, ...upstream.asked.map((request) => request.body.size)]).toEqual([
      true,
      ratio === '9:16' ? '1024x1536' : '1536x1024',
      size,
    ])
  })

  test('a named size that is refused as well is left out', async () => {
    upstream.answer = ({body}) =>
      body.size === undefined
        ? {json: {data: [{b64_json: pixel.toString('base64')}]}}
        : {status: 400, json: {error: {message: 'size must be one of 512x512, 768x768', param: 'size'}}}
    const {body} = await openai.make('/flux/images', {prompt: 'owl'})
    expect([body.success, upstream.asked.map((request) => request.body.size)]).toEqual([
      true,
      ['1024x1024', '768x768', undefined],
    ])
  })

  test('an edit sends the own file as a form', async () => {
    const user = await openai.on.server.createUser()
    const own = await createAsker(openai.on, '10', user)
    const address = await upload(openai.on, user.accessToken)
    upstream.answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
    const {body} = await make(openai.on, own, '/flux/images', {prompt: 'hat', action: 'edits', image_url: address})
    expect(body.success).toBe(true)
    expect(upstream.asked[0]?.path).toBe('/v1/images/edits')
    expect(upstream.asked[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
    expect(upstream.asked[0]?.body).toContain(pixel.toString('latin1'))
  })

  test.each([
    [{width: 600, height: 400}, {}, '1536x1024'],
    [{width: 400, height: 600}, {}, '1024x1536'],
    [{width: 520, height: 500}, {}, '1024x1024'],
    [{width: 600, height: 400}, {aspect_ratio: '1:1'}, '1024x1024'],
  ])('an edit of %j that asks for %j goes with the size %s', async (size, more, sent) => {
    const user = await openai.on.server.createUser()
    const own = await createAsker(openai.on, '10', user)
    const image = sharp({create: {...size, channels: 3, background: '#336699'}})
    const address = await upload(openai.on, user.accessToken, await image.png().toBuffer())
    upstream.answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
    const request = {prompt: 'hat', action: 'edits', image_url: address, ...more}
    const {body} = await make(openai.on, own, '/flux/images', request)
    expect(body.success).toBe(true)
    expect(upstream.asked[0]?.body).toMatch(new RegExp(`name="size"\\r\\n\\r\\n${sent}\\r`))
  })

  test('an image at an address is fetched until it is there', async () => {
    const faults: Answer[] = [{status: 502}, {status: 408}]
    upstream.answer = ({method}) =>
      method === 'GET' ? (faults.shift() ?? {bytes: pixel}) : {json: {data: [{url: `${upstream.origin}/foo.png`}]}}
    const {body} = await openai.make('/flux/images', {prompt: 'owl'})
    expect([body.success, upstream.pauses, upstream.asked.length]).toEqual([true, [6_000, 12_000], 4])
  })

  test('an image that is gone from its address is left out; the others stay', async () => {
    upstream.answer = ({method, path}) => {
      if (method === 'POST')
        return {json: {data: [{url: `${upstream.origin}/gone.png`}, {url: `${upstream.origin}/foo.png`}]}}
      return path === '/gone.png' ? {status: 404} : {bytes: pixel}
    }
    const {body} = await openai.make('/flux/images', {prompt: 'owl', count: 2})
    expect([body.success, body.data.length]).toEqual([true, 1])
  })
})
