import {describe, expect, test} from 'vitest'
import {balanceOf, createAsker} from './ai.harness.ts'
import {mp4, post} from './media.harness.ts'
import {openaiUpstream} from './media-upstream.ts'
import {pixel} from './pixel.ts'

const openai = openaiUpstream()
const {upstream} = openai

describe('what an openai server cannot do', () => {
  test('flags of a prompt stay here: the words go, and the ratio as the size', async () => {
    upstream.answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
    const prompt = 'owl,serene --version 6.1 --chaos 30 --aspect 16:9 --no text'
    const {body} = await openai.make('/midjourney/imagine', {prompt})
    expect(body.success).toBe(true)
    expect(upstream.asked[0]?.body).toEqual({
      model: 'foo-image',
      prompt: 'owl,serene, without text',
      n: 1,
      size: '1536x1024',
    })
  })

  test('a failed job fails the task in its words; nothing is said of the key', async () => {
    upstream.answer = ({method}) =>
      method === 'POST'
        ? {json: {id: 'video_3'}}
        : {json: {id: 'video_3', status: 'failed', error: {code: 'bad_request', message: 'no kites, secret-key'}}}
    const {status, body} = await openai.make('/kling/videos', {prompt: 'kite'})
    expect([status, body.error]).toEqual([400, {code: 'bad_request', message: 'no kites, [key]'}])
  })

  test.each([
    ['a song', '/suno/audios', {prompt: 'sea shanty'}],
    ['more of a video', '/kling/videos', {prompt: 'kite', action: 'extend', video_id: 'v-1'}],
    [
      'a video between two images',
      '/kling/videos',
      {
        prompt: 'kite',
        action: 'image2video',
        start_image_url: 'https://foo.example/a.png',
        end_image_url: 'https://foo.example/b.png',
      },
    ],
    ['an image of flags alone', '/midjourney/imagine', {prompt: '--version 6.1'}],
    ['an upscaled image', '/midjourney/imagine', {prompt: 'owl', action: 'upscale1', image_id: 'i-1'}],
  ])('%s is refused at once, and nothing is held', async (_what, path, body) => {
    const own = await createAsker(openai.on, '100')
    const refused = await post(openai.on, own, path, body)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
    expect([upstream.asked, (await balanceOf(openai.on, own)).remaining]).toEqual([[], '100.000000'])
  })

  test.each([
    ['/kling/videos', {negative_prompt: 'rain'}, 'negative_prompt'],
    ['/kling/videos', {mode: 'pro'}, 'mode'],
    ['/kling/videos', {cfg_scale: 0.7}, 'cfg_scale'],
    ['/flux/images', {quality: 80}, 'quality'],
    ['/midjourney/imagine', {mode: 'turbo'}, 'mode'],
    ['/luma/videos', {loop: true}, 'loop'],
    ['/luma/videos', {enhancement: false}, 'enhancement'],
    ['/pixverse/videos', {seed: 5}, 'seed'],
    ['/sora/videos', {character_url: 'https://files.test/a.mp4'}, 'character_url'],
    ['/headshots/generate', {mode: 'relax', template: 'wedding', image_urls: ['https://files.test/a.png']}, 'mode'],
  ])('%s with %j is refused by the field that could not go along', async (path, more, field) => {
    const own = await createAsker(openai.on, '100')
    const words = path.startsWith('/headshots') ? {} : {prompt: 'kite'}
    const {status, body} = await post(openai.on, own, path, {...words, ...more})
    expect([status, body.error]).toEqual([
      400,
      {
        code: 'bad_request',
        message: `foo knows nothing of ${field}: leave it at what it is without.`,
        field,
      },
    ])
    expect([upstream.asked, (await balanceOf(openai.on, own)).remaining]).toEqual([[], '100.000000'])
  })

  test('what is at its default goes as if it was not there, and what is carried goes', async () => {
    upstream.answer = ({method, path}) => {
      if (method === 'POST') return {json: {id: 'video_6'}}
      return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_6', status: 'completed'}}
    }
    const usual = {mode: 'std', cfg_scale: 0, negative_prompt: '', mirror: false, model: 'kling-v2-master'}
    const {body} = await openai.make('/kling/videos', {
      prompt: 'kite',
      aspect_ratio: '1:1',
      duration: 10,
      ...usual,
    })
    expect(body.success).toBe(true)
    expect(upstream.asked[0]?.body).toEqual({model: 'foo-video', prompt: 'kite', size: '1024x1024', seconds: '10'})
  })

  test('an image it made offers no action that it could not do', async () => {
    upstream.answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
    const {body} = await openai.make('/midjourney/imagine', {prompt: 'owl'})
    expect([body.success, body.actions]).toEqual([true, []])
  })
})
