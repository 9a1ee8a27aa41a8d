import {createServer, type IncomingMessage, type Server, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
import sharp from 'sharp'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {tool as flux} from '#contract/media/flux.ts'
import {tool as headshots} from '#contract/media/headshots.ts'
import {tool as kling} from '#contract/media/kling.ts'
import {tool as luma} from '#contract/media/luma.ts'
import {tool as midjourney} from '#contract/media/midjourney.ts'
import {tool as pixverse} from '#contract/media/pixverse.ts'
import {tool as sora} from '#contract/media/sora.ts'
import {tool as suno} from '#contract/media/suno.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {ProviderConfig, ProvidersConfig} from '#server/config.ts'
import {silentLog} from '#server/log.ts'
import {withMediaBreaker} from '#server/providers/breaker.ts'
import type {MediaAsk} from '#server/providers/media-provider.ts'
import {createMediaProviders} from '#server/providers/media-registry.ts'
import {download, realOutboundPorts, type OutboundPorts} from '#server/providers/outbound.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {isPublicAddress} from '#server/providers/public-address.ts'
import {realTimers, type Timers} from '#server/providers/timers.ts'
import {StartFailure} from '#server/start-failure.ts'
import {balanceOf, createAsker, type Asker} from './ai.harness.ts'
import {
  createMediaServer,
  createScriptedMedia,
  mp3,
  mp4,
  pixel,
  post,
  readFileAt,
  tasksOf,
  until,
  upload,
  type MediaServer,
} from './media.harness.ts'

/* The adapters against a real HTTP server that a test writes, and the rules for what is fetched (security R27). */

type Asked = {method: string; path: string; body: any; headers: IncomingMessage['headers']} // eslint-disable-line @typescript-eslint/no-explicit-any -- what was sent is looked at by tests only
type Answer = {status?: number; json?: unknown; bytes?: Uint8Array; headers?: Record<string, string>}

let upstream: Server
let origin: string
let asked: Asked[]
let answer: (request: Asked) => Answer | Promise<Answer>
beforeAll(async () => {
  upstream = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => upstream.close(resolve)))
beforeEach(() => {
  asked = []
  pauses = []
})

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('latin1')
  const isJson = request.headers['content-type'] === 'application/json'
  const entry = {
    method: request.method ?? '',
    path: request.url ?? '',
    body: isJson ? JSON.parse(text) : text,
    headers: request.headers,
  }
  asked.push(entry)
  const {status = 200, json, bytes, headers} = await answer(entry)
  response.writeHead(status, {...(json === undefined ? {} : {'content-type': 'application/json'}), ...headers})
  response.end(bytes ?? (json === undefined ? '' : JSON.stringify(json)))
}

/** Pauses between two looks at a job, and two fetches of a file, of this test. */
let pauses: number[]
/** They are over at once; deadlines never come. What a task waits for on the server itself takes its time. */
const hastyPorts: OutboundPorts = {
  ...realOutboundPorts,
  timers: {
    after: (milliseconds, run) => {
      if (milliseconds <= 30_000 && milliseconds >= 3_000) {
        pauses.push(milliseconds)
        setImmediate(run)
      }
      return () => undefined
    },
    every: () => () => undefined,
  },
}

const hastyTimers: Timers = {
  ...realTimers,
  after: (milliseconds, run) =>
    (milliseconds > 30_000 || milliseconds < 3_000 ? realTimers : hastyPorts.timers).after(milliseconds, run),
}

/** The connection ends before the file does. */
const cutOff = (file: Uint8Array): Answer => ({
  bytes: file.subarray(0, file.length / 2),
  headers: {'content-length': String(file.length), connection: 'close'},
})

const entry = (facts: Partial<ProviderConfig>): ProviderConfig => ({
  name: 'foo',
  kind: 'openai',
  baseUrl: `${origin}/v1`,
  apiKey: 'secret-key',
  groups: [],
  models: [],
  local: false,
  ...facts,
})
const config = (providers: readonly ProviderConfig[], sandbox = false): ProvidersConfig => ({
  sandbox,
  providers,
  prices: {},
  defaultPrice: {prompt: '0', completion: '0', answerCap: 1},
  detectLocal: false,
  namesConversations: false,
})
const tools: readonly MediaTool[] = [flux, headshots, kling, luma, midjourney, pixverse, sora, suno]
const sandbox = createScriptedMedia({name: 'sandbox', kind: 'sandbox', local: true}).provider
const registryOf = (providers: readonly ProviderConfig[], hasSandbox = false) =>
  createMediaProviders(config(providers, hasSandbox), {
    tools,
    sandbox,
    now: () => new Date(),
    log: silentLog,
    ports: hastyPorts,
  })

describe('who makes what', () => {
  test('a configured provider the tools it names, acedata all, the sandbox the rest, nobody in its place', () => {
    const registry = registryOf([entry({media: {flux: 'foo-image'}})], true)
    expect([registry.find('flux')?.name, registry.find('kling')?.name]).toEqual(['foo', 'sandbox'])
    expect(registryOf([entry({media: {flux: 'foo-image'}})]).find('kling')).toBeUndefined()
    const passing = registryOf([entry({name: 'acedata', kind: 'acedata'})], true)
    expect(tools.map(({identity}) => passing.find(identity.id)?.name)).toEqual(tools.map(() => 'acedata'))
    expect(passing.byName('flux', 'foo')).toBeUndefined()
    expect(registryOf([entry({})], true).find('flux')?.name).toBe('sandbox')
  })

  test('a tool that does not exist stops the start', () => {
    expect(() => registryOf([entry({media: {foo: 'bar'}})])).toThrow(StartFailure)
  })
})

describe('on the server', () => {
  const open: MediaServer[] = []
  afterAll(async () => {
    for (const server of open) await server.close()
  })
  const serverOf = async (
    provider: Partial<ProviderConfig>,
    more: Parameters<typeof createMediaServer>[0]['config'] = {},
  ) => {
    const on = await createMediaServer({
      tools,
      provider: registryOf([entry(provider)]),
      config: more,
      timers: hastyTimers,
    })
    open.push(on)
    return on
  }
  /** A request that waits, with its task begun. */
  async function make(on: MediaServer, own: Asker, path: string, body: object) {
    const before = (await tasksOf(on, own.userId)).length
    const answered = post(on, own, path, body)
    await until(async () => (await tasksOf(on, own.userId)).length > before)
    await on.work()
    return answered
  }

  describe('openai', () => {
    const media = {
      ...Object.fromEntries(tools.map(({identity}) => [identity.id, 'foo-image'])),
      kling: 'foo-video',
      suno: 'foo-song',
    }
    let on: MediaServer
    let asker: Asker
    beforeAll(async () => {
      on = await serverOf({media})
      asker = await createAsker(on, '100')
    })

    test.each([
      ['base64', () => ({b64_json: pixel.toString('base64')})],
      ['a data address', () => ({url: `data:image/png;base64,${pixel.toString('base64')}`})],
      ['a relative address', () => ({url: '/v1/images/1/content'})],
      ['a whole address', () => ({url: `${origin}/foo.png`})],
    ])('a picture as %s is copied into our store', async (_what, item) => {
      answer = ({method}) => (method === 'GET' ? {bytes: pixel} : {json: {data: [item()]}})
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl', aspect_ratio: '16:9'})
      expect(body).toMatchObject({success: true, provider: 'foo', provider_model: 'foo-image'})
      const file = await readFileAt(on, body.data[0].image_url)
      expect(Buffer.from(await file.arrayBuffer())).toEqual(pixel)
      expect(asked[0]).toMatchObject({
        path: '/v1/images/generations',
        body: {model: 'foo-image', prompt: 'owl', n: 1, size: '1536x1024'},
        headers: {authorization: 'Bearer secret-key'},
      })
      expect(asked[1]?.headers.authorization).toBeUndefined()
    })

    test('what a server refuses by name is left out; one picture at a time then', async () => {
      answer = ({body}) => {
        if ('size' in body) return {status: 400, json: {error: {message: "Unknown parameter: 'size'"}}}
        if ('n' in body) return {status: 400, json: {error: {message: "'n' must be 1"}}}
        return {json: {data: [{b64_json: pixel.toString('base64')}]}}
      }
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl', count: 2})
      expect(body.data).toHaveLength(2)
      expect(asked.map((request) => Object.keys(request.body).length)).toEqual([4, 3, 2, 2])
    })

    test.each([
      [
        '9:16',
        "Invalid value: '1024x1536'. Supported values are: '1024x1024', '1024x1792', and '1792x1024'.",
        '1024x1792',
      ],
      ['16:9', "Invalid value: '1536x1024'. Supported values are: '256x256', '512x512', and '1024x1024'.", '1024x1024'],
      ['16:9', 'This size is too large.', undefined],
    ])(
      'a size that is refused for %s is the one that is named and nearest in shape: %s',
      async (ratio, words, size) => {
        answer = ({body}) =>
          body.size === undefined || words.includes(`'${body.size}',`) || words.includes(`and '${body.size}'`)
            ? {json: {data: [{b64_json: pixel.toString('base64')}]}}
            : {status: 400, json: {error: {message: words, param: 'size', type: 'image_generation_user_error'}}}
        const {body} = await make(on, asker, '/flux/images', {prompt: 'owl', aspect_ratio: ratio})
        expect([body.success, ...asked.map((request) => request.body.size)]).toEqual([
          true,
          ratio === '9:16' ? '1024x1536' : '1536x1024',
          size,
        ])
      },
    )

    test('a named size that is refused as well is left out', async () => {
      answer = ({body}) =>
        body.size === undefined
          ? {json: {data: [{b64_json: pixel.toString('base64')}]}}
          : {status: 400, json: {error: {message: 'size must be one of 512x512, 768x768', param: 'size'}}}
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
      expect([body.success, asked.map((request) => request.body.size)]).toEqual([
        true,
        ['1024x1024', '768x768', undefined],
      ])
    })

    test('an edit sends the own file as a form', async () => {
      const person = await on.server.createUser()
      const own = await createAsker(on, '10', person)
      const address = await upload(on, person.accessToken)
      answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
      const {body} = await make(on, own, '/flux/images', {prompt: 'hat', action: 'edits', image_url: address})
      expect(body.success).toBe(true)
      expect(asked[0]?.path).toBe('/v1/images/edits')
      expect(asked[0]?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
      expect(asked[0]?.body).toContain(pixel.toString('latin1'))
    })

    test.each([
      [{width: 600, height: 400}, {}, '1536x1024'],
      [{width: 400, height: 600}, {}, '1024x1536'],
      [{width: 520, height: 500}, {}, '1024x1024'],
      [{width: 600, height: 400}, {aspect_ratio: '1:1'}, '1024x1024'],
    ])('an edit of %j that asks for %j goes with the size %s', async (size, more, sent) => {
      const person = await on.server.createUser()
      const own = await createAsker(on, '10', person)
      const picture = sharp({create: {...size, channels: 3, background: '#336699'}})
      const address = await upload(on, person.accessToken, await picture.png().toBuffer())
      answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
      const request = {prompt: 'hat', action: 'edits', image_url: address, ...more}
      const {body} = await make(on, own, '/flux/images', request)
      expect(body.success).toBe(true)
      expect(asked[0]?.body).toMatch(new RegExp(`name="size"\\r\\n\\r\\n${sent}\\r`))
    })

    test('a video job: created, asked for, fetched; its id is stored before it is asked for', async () => {
      let looks = 0
      const own = await createAsker(on, '100')
      const storedAtLook: (string | null | undefined)[] = []
      answer = async ({method, path}) => {
        if (method === 'POST') return {json: {id: 'video_1', status: 'queued'}}
        if (path.endsWith('/content')) return {bytes: mp4}
        looks += 1
        storedAtLook.push((await tasksOf(on, own.userId))[0]?.providerJob)
        if (looks === 1) return {status: 503, headers: {'retry-after': '17'}}
        return {
          json: {id: 'video_1', status: looks < 4 ? 'in_progress' : 'completed', progress: looks * 20, seconds: '5'},
        }
      }
      const {body} = await make(on, own, '/kling/videos', {prompt: 'kite', aspect_ratio: '9:16'})
      expect(storedAtLook).toEqual(Array(4).fill('video_1'))
      expect(pauses).toEqual([17_000, 3_000, 3_000])
      expect(body).toMatchObject({success: true, duration: '5', state: 'succeed'})
      expect((await readFileAt(on, body.video_url)).headers.get('content-type')).toBe('video/mp4')
      expect(asked[0]).toMatchObject({path: '/v1/videos', body: {model: 'foo-video', seconds: '5', size: '720x1280'}})
    })

    test('a finished video is fetched until it is there, and not before the server wants', async () => {
      const faults: Answer[] = [{status: 503}, {status: 429, headers: {'retry-after': '29'}}, cutOff(mp4)]
      answer = ({method, path}) => {
        if (method === 'POST') return {json: {id: 'video_5'}}
        return path.endsWith('/content')
          ? (faults.shift() ?? {bytes: mp4})
          : {json: {id: 'video_5', status: 'completed'}}
      }
      const {body} = await make(on, asker, '/kling/videos', {prompt: 'kite'})
      expect(body).toMatchObject({success: true})
      const file = await readFileAt(on, body.video_url)
      expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(mp4))
      expect(pauses).toEqual([6_000, 29_000, 24_000])
      expect(asked.filter(({method}) => method === 'POST')).toHaveLength(1)
    })

    test('a picture at an address is fetched until it is there', async () => {
      const faults: Answer[] = [{status: 502}, {status: 408}]
      answer = ({method}) =>
        method === 'GET' ? (faults.shift() ?? {bytes: pixel}) : {json: {data: [{url: `${origin}/foo.png`}]}}
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
      expect([body.success, pauses, asked.length]).toEqual([true, [6_000, 12_000], 4])
    })

    test('a picture that is gone from its address is left out; the others stay', async () => {
      answer = ({method, path}) => {
        if (method === 'POST') return {json: {data: [{url: `${origin}/gone.png`}, {url: `${origin}/foo.png`}]}}
        return path === '/gone.png' ? {status: 404} : {bytes: pixel}
      }
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl', count: 2})
      expect([body.success, body.data.length]).toEqual([true, 1])
    })

    test('a server that takes forms only and lists its jobs', async () => {
      answer = ({method, path, headers}) => {
        if (method === 'POST')
          return headers['content-type'] === 'application/json' ? {status: 415} : {json: {id: 'video_2'}}
        if (path.endsWith('/content')) return {bytes: mp4}
        if (path === '/v1/videos') return {json: {data: [{id: 'video_2', status: 'completed'}]}}
        return {status: 404}
      }
      const {body} = await make(on, asker, '/kling/videos', {prompt: 'kite'})
      expect(body.success).toBe(true)
    })

    test.each([
      [400, {error: {message: "Invalid value for 'seconds': must be one of 4, 8, 12", param: 'seconds'}}],
      [400, {error: {message: "Invalid value: '5' for 'seconds'. Supported values are: '4', '8', and '12'."}}],
      [
        422,
        {detail: [{type: 'literal_error', loc: ['body', 'seconds'], msg: 'Input should be 4', input: {size: '1'}}]},
      ],
    ])('a length that is refused with %s is the nearest that is named, at the same price', async (status, json) => {
      answer = ({method, path, body}) => {
        if (method === 'POST') return body.seconds === '4' ? {json: {id: 'video_4'}} : {status, json}
        return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_4', status: 'completed', seconds: '4'}}
      }
      const {body} = await make(on, asker, '/kling/videos', {prompt: 'kite', aspect_ratio: '16:9'})
      expect(body).toMatchObject({success: true, duration: '4'})
      const sent = asked.filter(({method}) => method === 'POST').map((request) => request.body)
      expect(sent).toMatchObject([
        {seconds: '5', size: '1280x720'},
        {seconds: '4', size: '1280x720'},
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
      const own = await createAsker(on, '100')
      answer = () => ({status: 400, json: {error: {message, param}}})
      const {body} = await make(on, own, '/kling/videos', {prompt: 'kite', aspect_ratio: '16:9', ...more})
      expect([asked.length, body.error]).toEqual([1, {code: 'bad_request', message}])
      expect((await balanceOf(on, own)).remaining).toBe('100.000000')
    })

    test('a size that is refused is the nearest smaller one of its shape', async () => {
      answer = ({method, path, body}) => {
        if (method === 'POST' && body.size === '1280x720')
          return {status: 400, json: {error: {message: 'size must be one of 480x832, 832x480', param: 'size'}}}
        if (method === 'POST') return {json: {id: 'video_7'}}
        return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_7', status: 'completed'}}
      }
      const {body} = await make(on, asker, '/kling/videos', {prompt: 'kite', aspect_ratio: '16:9'})
      expect([body.success, asked[1]?.body.size]).toEqual([true, '832x480'])
    })

    test.each([
      {error: {message: "Unknown parameter: 'seconds'.", param: 'seconds', code: 'unknown_parameter'}},
      {error: {message: 'Unrecognized request argument supplied: seconds', param: null}},
      {error: {message: "'seconds' is not supported with this model.", param: 'seconds'}},
    ])('a length that a server does not know is left out: %j', async (json) => {
      answer = ({method, path, body}) => {
        if (method === 'POST') return 'seconds' in body ? {status: 400, json} : {json: {id: 'video_8'}}
        return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_8', status: 'completed'}}
      }
      const {body} = await make(on, asker, '/kling/videos', {prompt: 'kite'})
      expect([body.success, body.duration, 'seconds' in asked[1]?.body]).toEqual([true, '', false])
    })

    test('a length that is refused for another reason fails in its words, asked once', async () => {
      answer = () => ({status: 400, json: {error: {code: 'bad_request', message: 'no kites'}}})
      const {body} = await make(on, asker, '/kling/videos', {prompt: 'kite'})
      expect([asked.length, body.error.message]).toEqual([1, 'no kites'])
    })

    test('a video that is refused for now says when it may be asked for again', async () => {
      answer = () => ({status: 429, headers: {'retry-after': '21'}})
      const plan = {medium: 'video', prompt: 'kite', aspectRatio: [16, 9], count: 1, sources: []}
      const ask = {tool: kling, plan, sourceFiles: async () => [], signal: new AbortController().signal}
      const provider = registryOf([entry({media})]).find('kling')
      // as: nothing else of it is looked at
      await expect(provider?.make(ask as unknown as MediaAsk)).rejects.toMatchObject({
        code: 'too_many_requests',
        options: {retryAfterSeconds: 21},
      })
    })

    test('flags of a prompt stay here: the words go, and the ratio as the size', async () => {
      answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
      const prompt = 'owl,serene --version 6.1 --chaos 30 --aspect 16:9 --no text'
      const {body} = await make(on, asker, '/midjourney/imagine', {prompt})
      expect(body.success).toBe(true)
      expect(asked[0]?.body).toEqual({
        model: 'foo-image',
        prompt: 'owl,serene, without text',
        n: 1,
        size: '1536x1024',
      })
    })

    test('a failed job fails the task in its words; nothing is said of the key', async () => {
      answer = ({method}) =>
        method === 'POST'
          ? {json: {id: 'video_3'}}
          : {json: {id: 'video_3', status: 'failed', error: {code: 'bad_request', message: 'no kites, secret-key'}}}
      const {status, body} = await make(on, asker, '/kling/videos', {prompt: 'kite'})
      expect([status, body.error]).toEqual([400, {code: 'bad_request', message: 'no kites, [key]'}])
    })

    test.each([
      ['a song', '/suno/audios', {prompt: 'sea shanty'}],
      ['more of a video', '/kling/videos', {prompt: 'kite', action: 'extend', video_id: 'v-1'}],
      [
        'a video between two pictures',
        '/kling/videos',
        {prompt: 'kite', action: 'image2video', start_image_url: `${origin}/a.png`, end_image_url: `${origin}/b.png`},
      ],
      ['a picture of flags alone', '/midjourney/imagine', {prompt: '--version 6.1'}],
      ['an upscaled picture', '/midjourney/imagine', {prompt: 'owl', action: 'upscale1', image_id: 'i-1'}],
    ])('%s is refused at once, and nothing is held', async (_what, path, body) => {
      const own = await createAsker(on, '100')
      const refused = await post(on, own, path, body)
      expect([refused.status, refused.body.error.code]).toEqual([400, 'bad_request'])
      expect([asked, (await balanceOf(on, own)).remaining]).toEqual([[], '100.000000'])
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
      const own = await createAsker(on, '100')
      const words = path.startsWith('/headshots') ? {} : {prompt: 'kite'}
      const {status, body} = await post(on, own, path, {...words, ...more})
      expect([status, body.error]).toEqual([
        400,
        {
          code: 'bad_request',
          message: `foo knows nothing of ${field}: leave it at what it is without.`,
          field,
        },
      ])
      expect([asked, (await balanceOf(on, own)).remaining]).toEqual([[], '100.000000'])
    })

    test('what is at its default goes as if it was not there, and what is carried goes', async () => {
      answer = ({method, path}) => {
        if (method === 'POST') return {json: {id: 'video_6'}}
        return path.endsWith('/content') ? {bytes: mp4} : {json: {id: 'video_6', status: 'completed'}}
      }
      const usual = {mode: 'std', cfg_scale: 0, negative_prompt: '', mirror: false, model: 'kling-v2-master'}
      const {body} = await make(on, asker, '/kling/videos', {
        prompt: 'kite',
        aspect_ratio: '1:1',
        duration: 10,
        ...usual,
      })
      expect(body.success).toBe(true)
      expect(asked[0]?.body).toEqual({model: 'foo-video', prompt: 'kite', size: '1024x1024', seconds: '10'})
    })

    test('a picture it made offers no action that it could not do', async () => {
      answer = () => ({json: {data: [{b64_json: pixel.toString('base64')}]}})
      const {body} = await make(on, asker, '/midjourney/imagine', {prompt: 'owl'})
      expect(body).toMatchObject({success: true, actions: []})
    })
  })

  describe('acedata', () => {
    const passing = {name: 'acedata', kind: 'acedata'} as const
    let on: MediaServer
    let asker: Asker
    beforeAll(async () => {
      on = await serverOf({...passing, baseUrl: origin})
      asker = await createAsker(on, '100')
    })
    const taskOf = (response: object | undefined, more = {}) => ({
      json: {id: 'up-1', created_at: 1, ...(response && {response}), ...more},
    })

    test('passes the body on, asks for the upstream task, copies every file and names none of the upstream', async () => {
      let looks = 0
      answer = ({path}) => {
        if (path === '/luma/videos') return {json: {task_id: 'up-1', trace_id: 'up-trace'}}
        if (path.endsWith('.mp4')) return {bytes: mp4}
        if (path.endsWith('.png')) return path.includes('gone') ? {status: 404} : {bytes: pixel}
        looks += 1
        if (looks === 1) return {status: 429, headers: {'retry-after': '19'}}
        if (looks === 2) return taskOf(undefined)
        if (looks === 3) return taskOf({state: 'processing', thumbnail_url: `${origin}/early.png`})
        return taskOf({
          success: true,
          task_id: 'up-1',
          trace_id: 'up-trace',
          state: 'completed',
          prompt: 'slow fog',
          video_id: 'up-video',
          video_url: `${origin}/a.mp4`,
          thumbnail_url: `${origin}/a.png`,
          raw_image_url: `${origin}/gone.png`,
        })
      }
      const {body} = await make(on, asker, '/luma/videos', {prompt: 'slow fog'})
      expect(body).toMatchObject({
        success: true,
        provider: 'acedata',
        state: 'completed',
        prompt: 'slow fog',
        video_id: 'up-video',
      })
      expect(pauses).toEqual([19_000, 3_000, 3_000])
      expect(body.task_id).not.toBe('up-1')
      expect(body.raw_image_url).toBeUndefined()
      expect(JSON.stringify(body)).not.toContain(origin)
      expect((await readFileAt(on, body.video_url)).headers.get('content-type')).toBe('video/mp4')
      expect((await readFileAt(on, body.thumbnail_url)).headers.get('content-type')).toBe('image/png')
      expect(asked[0]).toMatchObject({path: '/luma/videos', body: {prompt: 'slow fog', async: true}})
      expect(asked[1]).toMatchObject({path: '/luma/tasks', body: {action: 'retrieve', id: 'up-1'}})
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
      const picture = {success: true, image_id: '1', image_url: `${origin}/a.png`, raw_image_url: `${origin}/raw.png`}
      answer = ({path}) => {
        if (path === '/midjourney/imagine') return {json: {task_id: 'up-1', trace_id: 'up-trace'}}
        if (path === '/midjourney/tasks') return taskOf({...picture, progress: 100}, {finished_at: 2})
        return path === '/raw.png' ? (faults.shift() ?? {bytes: pixel}) : {status: 503}
      }
      const {body} = await make(on, asker, '/midjourney/imagine', {prompt: 'owl'})
      expect(body).toMatchObject({success: true, image_id: '1'})
      const file = await readFileAt(on, body.raw_image_url)
      expect(Buffer.from(await file.arrayBuffer())).toEqual(pixel)
      expect(pauses).toEqual([6_000, 23_000, 24_000])
      expect(asked.filter(({path}) => path === '/a.png')).toHaveLength(1)
      expect(body.image_url).toBeUndefined()
    })

    test.each([403, 404, 410])(
      'a result that is answered with %s is asked for once, and said to be lost',
      async (status) => {
        answer = ({path}) =>
          path === '/flux/images'
            ? {json: {success: true, task_id: 'up-1', data: [{image_url: `${origin}/a.png`}]}}
            : {status}
        const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
        expect(body).toMatchObject({success: false, error: {code: 'api_error'}})
        expect([asked.length, pauses]).toEqual([2, []])
      },
    )

    test('a result that is lost among others is left out with all that tells of it; what came stays', async () => {
      const own = await createAsker(on, '100')
      const item = (name: string) => ({id: name, image_url: `${origin}/${name}.png`, cover_url: `${origin}/c-${name}`})
      answer = ({path}) => {
        if (path === '/flux/images') return {json: {success: true, data: ['a', 'gone', 'b', 'c'].map(item)}}
        return path === '/gone.png' ? {status: 404} : {bytes: pixel}
      }
      const {body} = await make(on, own, '/flux/images', {prompt: 'owl', count: 4})
      expect(body).toMatchObject({success: true, data: [{id: 'a'}, {id: 'b'}, {id: 'c'}]})
      for (const {image_url: address} of body.data)
        expect(Buffer.from(await (await readFileAt(on, address)).arrayBuffer())).toEqual(pixel)
      expect(JSON.stringify(body)).not.toContain('gone')
      expect(JSON.stringify(body)).not.toContain(origin)
      expect(asked.map(({path}) => path).filter((path) => path.includes('gone'))).toEqual(['/gone.png'])
    })

    test('results that are all lost fail the task, and nothing is charged', async () => {
      const own = await createAsker(on, '100')
      answer = ({path}) => {
        const data = ['a', 'b'].map((name) => ({id: name, image_url: `${origin}/${name}.png`}))
        return path === '/flux/images' ? {json: {success: true, data}} : {status: 404}
      }
      const {body} = await make(on, own, '/flux/images', {prompt: 'owl', count: 2})
      expect(body).toMatchObject({success: false, error: {code: 'api_error'}})
      expect(asked.map(({path}) => path)).toEqual(['/flux/images', '/a.png', '/b.png'])
      expect((await balanceOf(on, own)).used).toBe('0.000000')
    })

    test('an upstream that answers at once is taken at its word; a word it does not know is left out', async () => {
      answer = ({path, body}) => {
        if (path.endsWith('.mp3')) return {bytes: mp3}
        if (path !== '/suno/audios') return {bytes: pixel}
        if ('async' in body) return {status: 400, json: {error: {code: 'bad_request', message: 'unknown field async'}}}
        const song = {id: 's-1', audio_url: `${origin}/a.mp3`, image_url: `${origin}/a.png`, state: 'succeeded'}
        return {json: {success: true, task_id: 'up-2', data: [song]}}
      }
      const {body} = await make(on, asker, '/suno/audios', {prompt: 'sea shanty'})
      expect(body.data).toMatchObject([{id: 's-1', state: 'succeeded'}])
      expect((await readFileAt(on, body.data[0].audio_url)).headers.get('content-type')).toBe('audio/mpeg')
      expect(asked.filter(({path}) => path === '/suno/tasks')).toEqual([])
    })

    test.each([
      [{status: 403, json: {error: {code: 'forbidden', message: 'moderation'}}}, 'forbidden'],
      [{status: 429, json: {error: {code: 'too_many_requests', message: 'slow down'}}}, 'too_many_requests'],
      [{status: 401, json: {error: {code: 'invalid_token', message: 'bad key'}}}, 'api_error'],
    ])('a refusal %o is %s', async (refusal, code) => {
      answer = () => refusal
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
      expect(body).toMatchObject({success: false, error: {code}})
    })

    test('a task that failed, ended without a result, or is not known any more', async () => {
      const failed = {success: false, error: {code: 'forbidden', message: 'content refused'}}
      for (const [task, error] of [
        [taskOf(failed), {code: 'forbidden', message: 'content refused'}],
        [taskOf({success: true, data: []}, {finished_at: 2}), {code: 'api_error'}],
        [{status: 404}, {code: 'api_error'}],
      ] as const) {
        answer = ({path}) => (path === '/flux/images' ? {json: {task_id: 'up-1'}} : task)
        const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
        expect(body).toMatchObject({success: false, error})
      }
    })

    test('a result at an address inside of the network is not fetched', async () => {
      answer = ({path}) =>
        path === '/flux/images'
          ? {json: {success: true, task_id: 'up-1', data: [{image_url: 'http://127.0.0.2:9/a.png'}]}}
          : {bytes: pixel}
      const {body} = await make(on, asker, '/flux/images', {prompt: 'owl'})
      expect(body).toMatchObject({success: false, error: {code: 'api_error'}})
      expect(asked).toHaveLength(1)
    })

    test('an own file goes as an address that the upstream can fetch, or not at all; a foreign one as it is', async () => {
      const person = await on.server.createUser()
      const own = await createAsker(on, '10', person)
      const address = await upload(on, person.accessToken)
      const edit = {prompt: 'hat', action: 'edits', image_url: address}
      const refused = await post(on, own, '/flux/images', edit)
      expect(refused).toMatchObject({status: 400, body: {error: {code: 'bad_request'}}})
      expect(refused.body.error.message).toContain('PUBLIC_ORIGINS')

      const result = {success: true, task_id: 'up-1', data: [{image_url: `${origin}/a.png`}]}
      answer = ({path}) => (path === '/flux/images' ? {json: result} : {bytes: pixel})
      await make(on, own, '/flux/images', {...edit, image_url: 'https://foo.example/a.png'})
      expect(asked[0]?.body.image_url).toBe('https://foo.example/a.png')

      const publicOn = await serverOf({...passing, baseUrl: origin}, {publicOrigins: ['https://ai.example.org']})
      const member = await publicOn.server.createUser()
      const there = await upload(publicOn, member.accessToken)
      const asking = await createAsker(publicOn, '10', member)
      asked = []
      await make(publicOn, asking, '/flux/images', {...edit, image_url: there})
      expect(asked[0]?.body.image_url).toBe(`https://ai.example.org${new URL(there).pathname}`)

      answer = ({path}) =>
        path === '/midjourney/imagine'
          ? {json: {success: true, task_id: 'up-2', image_id: '1', image_url: `${origin}/a.png`}}
          : {bytes: pixel}
      asked = []
      await make(publicOn, asking, '/midjourney/imagine', {prompt: `${there} an owl --chaos 5`})
      expect(asked[0]?.body.prompt).toBe(`https://ai.example.org${new URL(there).pathname} an owl --chaos 5`)
    })
  })
})

describe('what is fetched (R27)', () => {
  const fetchIt = (address: string, resolve?: () => Promise<{address: string; family: number}[]>) =>
    download({upstream: 'foo', address, ownOrigin: origin, signal: new AbortController().signal, resolve})

  test.each([
    'http://example.org/a.png',
    'https://127.0.0.1/a.png',
    'https://[::1]/a.png',
    'https://[::ffff:127.0.0.1]/a.png',
    'https://10.0.0.1/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://2130706433/a.png',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'foo',
  ])('%s is refused unasked', async (address) => {
    await expect(fetchIt(address)).rejects.toMatchObject({code: 'api_error'})
  })

  test('a name that leads inside, also with one of its addresses, is refused', async () => {
    const both = [
      {address: '93.184.216.34', family: 4},
      {address: '192.168.1.1', family: 4},
    ]
    await expect(fetchIt('https://foo.example/a.png', async () => both)).rejects.toMatchObject({
      detail: expect.stringContaining('not fetched'),
    })
    await expect(fetchIt('https://foo.example/a.png', async () => [])).rejects.toMatchObject({code: 'api_error'})
  })

  test('redirects are checked one by one, and end', async () => {
    answer = ({path}) =>
      path === '/in'
        ? {status: 302, headers: {location: 'http://127.0.0.2:9/a.png'}}
        : {status: 302, headers: {location: '/again'}}
    await expect(fetchIt(`${origin}/in`)).rejects.toMatchObject({detail: expect.stringContaining('not fetched')})
    asked = []
    await expect(fetchIt(`${origin}/again`)).rejects.toMatchObject({code: 'api_error'})
    expect(asked).toHaveLength(4)
  })

  test.each([
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['100.64.0.1', false],
    ['198.18.0.1', false],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['fe80::1', false],
    ['fc00::1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['foo', false],
  ])('%s is public: %s', (address, is) => expect(isPublicAddress(address)).toBe(is))
})

test('a provider that fails five times in a row is left alone; a job that is bought is asked for all the same', async () => {
  let time = 0
  const media = createScriptedMedia({make: () => Promise.reject(new ProviderFailure('api_error', 'down'))})
  const provider = withMediaBreaker(media.provider, () => new Date(time))
  const make = (job?: string) => provider.make({job} as MediaAsk) // nothing else of it is looked at
  for (let index = 0; index < 5; index += 1) await expect(make()).rejects.toMatchObject({code: 'api_error'})
  await expect(make()).rejects.toMatchObject({code: 'busy', options: {retryAfterSeconds: 15}})
  await expect(make('job')).rejects.toMatchObject({code: 'api_error'})
  time = 15_000
  await expect(make()).rejects.toMatchObject({code: 'api_error'})
  await expect(make()).rejects.toMatchObject({code: 'busy', options: {retryAfterSeconds: 30}})
})
