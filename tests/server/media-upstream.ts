import {afterAll, beforeAll, beforeEach} from 'vitest'
import {createServer, type IncomingMessage, type ServerResponse} from 'node:http'
import type {AddressInfo} from 'node:net'
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
import {createMediaProviders} from '#server/providers/media-registry.ts'
import {realOutboundPorts, type OutboundPorts} from '#server/providers/outbound.ts'
import {realTimers, type Timers} from '#server/providers/timers.ts'
import {createAsker, type Asker} from './ai.harness.ts'
import {createMediaServer, createScriptedMedia, post, tasksOf, type MediaServer} from './media.harness.ts'
import {until} from './until.ts'
import {quietTimers} from './providers.fixtures.ts'

/* The adapters against a real HTTP server that a test writes. */

export type Asked = {method: string; path: string; body: any; headers: IncomingMessage['headers']} // eslint-disable-line @typescript-eslint/no-explicit-any -- what was sent is looked at by tests only
export type Answer = {status?: number; json?: unknown; bytes?: Uint8Array; headers?: Record<string, string>}

/** A server that makes things, in the hands of a test, and our own servers that ask it. */
export function createUpstream() {
  const upstream = {
    origin: '',
    /** The requests that it received in this test. */
    asked: [] as Asked[],
    /** Pauses between two looks at a job, and two fetches of a file, of this test. */
    pauses: [] as number[],
    answer: (_: Asked): Answer | Promise<Answer> => ({status: 500}),
  }
  const server = createServer((request, response) => void serve(request, response))
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
    upstream.asked.push(entry)
    const {status = 200, json, bytes, headers} = await upstream.answer(entry)
    response.writeHead(status, {...(json === undefined ? {} : {'content-type': 'application/json'}), ...headers})
    response.end(bytes ?? (json === undefined ? '' : JSON.stringify(json)))
  }
  /** They are over at once; deadlines never come. What a task waits for on the server itself takes its time. */
  const hastyPorts: OutboundPorts = {
    // the time to connect is no pause
    send: (address, request) => realOutboundPorts.send(address, request, realTimers),
    timers: {
      after: (milliseconds, run) => {
        if (milliseconds <= 30_000 && milliseconds >= 3_000) {
          upstream.pauses.push(milliseconds)
          setImmediate(run)
        }
        return () => undefined
      },
      every: () => () => undefined,
      silence: quietTimers.silence,
    },
  }

  const hastyTimers: Timers = {
    ...realTimers,
    after: (milliseconds, run) =>
      (milliseconds > 30_000 || milliseconds < 3_000 ? realTimers : hastyPorts.timers).after(milliseconds, run),
  }

  const entry = (facts: Partial<ProviderConfig>): ProviderConfig => ({
    name: 'foo',
    kind: 'openai',
    baseUrl: `${upstream.origin}/v1`,
    apiKey: 'secret-key',
    groups: [],
    models: [],
    local: false,
    ...facts,
  })
  const sandbox = createScriptedMedia({name: 'sandbox', kind: 'sandbox', local: true}).provider
  const registryOf = (providers: readonly ProviderConfig[], hasSandbox = false) =>
    createMediaProviders(config(providers, hasSandbox), {
      tools,
      sandbox,
      now: () => new Date(),
      log: silentLog,
      ports: hastyPorts,
    })

  const open: MediaServer[] = []
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

  return Object.assign(upstream, {
    hastyTimers,
    registryOf,
    entry,
    serverOf,
    listen: async () => {
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      // as: a server that listens on a port has its address in this form
      upstream.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    },
    reset: () => {
      upstream.asked = []
      upstream.pauses = []
    },
    close: async () => {
      for (const own of open) await own.close()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}

/**
 * Our server before a server that speaks OpenAI's protocol for the tests of a file, with a new user with credits for
 * each.
 */
export function openaiUpstream() {
  const upstream = createUpstream()
  let on: MediaServer
  let asker: Asker
  beforeAll(async () => {
    await upstream.listen()
    on = await upstream.serverOf({media: openaiMedia})
    await on.server.createUser() // the operator
  })
  beforeEach(async () => {
    upstream.reset()
    asker = await createAsker(on, '100')
  })
  afterAll(upstream.close)
  return {
    upstream,
    get on() {
      return on
    },
    /** A request of the test's user that waits, with its task begun. */
    make: (path: string, body: object) => make(on, asker, path, body),
  }
}

/** A request that waits, with its task begun. */
export async function make(on: MediaServer, own: Asker, path: string, body: object) {
  const before = (await tasksOf(on, own.userId)).length
  const answered = post(on, own, path, body)
  await until(async () => (await tasksOf(on, own.userId)).length > before)
  await on.work()
  return answered
}

/** The connection ends before the file does. */
export const cutOff = (file: Uint8Array): Answer => ({
  bytes: file.subarray(0, file.length / 2),
  headers: {'content-length': String(file.length), connection: 'close'},
})

const config = (providers: readonly ProviderConfig[], sandbox = false): ProvidersConfig => ({
  sandbox,
  providers,
  prices: {},
  defaultPrice: {prompt: '0', completion: '0', answerCap: 1},
  detectLocal: false,
  namesConversations: false,
})
export const tools: readonly MediaTool[] = [flux, headshots, kling, luma, midjourney, pixverse, sora, suno]

/** Every tool of a server that speaks OpenAI's protocol, with the model that makes it. */
export const openaiMedia = {
  ...Object.fromEntries(tools.map(({identity}) => [identity.id, 'foo-image'])),
  kling: 'foo-video',
  suno: 'foo-song',
}
