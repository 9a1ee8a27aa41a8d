import {randomUUID} from 'node:crypto'
import {and, asc, eq} from 'drizzle-orm'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Config} from '#server/config.ts'
import type {ServerDeps} from '#server/deps.ts'
import {createMediaService, type MediaService} from '#server/media/media-service.ts'
import {mediaRoutes} from '#server/media/media.routes.ts'
import {fileRoutes} from '#server/files/files.routes.ts'
import type {MadeFile, MediaAsk, MediaProvider, MediaResult} from '#server/providers/media-provider.ts'
import {createMediaRegistry, type MediaRegistry} from '#server/providers/media-registry.ts'
import {realOutboundPorts, type OutboundPorts} from '#server/providers/outbound.ts'
import {realTimers, type Timers} from '#server/providers/timers.ts'
import {usages} from '#server/store/schema/credits.ts'
import {tasks} from '#server/store/schema/media.ts'
import {createConnections} from '#server/runs/connections.ts'
import {createArrivals} from './arrivals.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'
import {insertLivingWorker} from './living-worker.ts'
import {pixel} from './pixel.ts'

/** One generation that reached the scripted provider; the test makes its result. */
export type Making = {
  ask: MediaAsk
  finish: (result?: MediaResult | readonly MadeFile[]) => void
  fail: (error: unknown) => void
}

export const imageFile = (facts: Partial<MadeFile> = {}): MadeFile => ({
  medium: 'image',
  file: pixel,
  type: 'image/png',
  name: 'foo.png',
  ...facts,
})

/** The first bytes of a video and of a song, by which their kind is known. */
export const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom\x00\x00\x02\x00isomiso2')])
export const mp3 = Buffer.concat([
  Buffer.from('ID3'),
  Buffer.alloc(7),
  Buffer.from([0xff, 0xfb, 0x90, 0x64]),
  Buffer.alloc(413),
])
export const video = (facts: Partial<MadeFile> = {}): MadeFile => ({
  medium: 'video',
  file: mp4,
  type: 'video/mp4',
  name: 'foo.mp4',
  preview: {file: pixel, type: 'image/png'},
  durationSeconds: 5,
  ...facts,
})
export const song = (facts: Partial<MadeFile> = {}): MadeFile => ({
  medium: 'audio',
  file: mp3,
  type: 'audio/mpeg',
  name: 'foo.mp3',
  preview: {file: pixel, type: 'image/png'},
  durationSeconds: 20,
  ...facts,
})

/** A maker of media under the test's hand: a double of the outside world, nothing of ours. */
export function createScriptedMedia(facts: Partial<MediaProvider> = {}) {
  const makings = createArrivals<Making>()
  const provider: MediaProvider = {
    name: 'foo',
    kind: 'openai',
    local: false,
    isRepeatable: false,
    sources: 'read',
    check: () => undefined,
    make: (ask) =>
      new Promise((resolve, reject) => {
        const making: Making = {
          ask,
          finish: (result = [imageFile()]) => resolve('kind' in result ? result : {kind: 'files', files: result}),
          fail: reject,
        }
        makings.arrive(making)
      }),
    ...facts,
  }
  return {
    provider,
    /** The next generation that arrives, or the first that nobody took yet. */
    next: makings.next,
    unasked: makings.isEmpty,
  }
}

export type MediaServer = {
  server: TestServer
  service: MediaService
  workerId: string
  /** Starts what waits, as the job queue would. */
  work: () => Promise<void>
  close: () => Promise<void>
}

export type MediaServerOptions = {
  tools: readonly MediaTool[]
  /** Makes all tools; or a registry. */
  provider: MediaProvider | MediaRegistry
  config?: Partial<Config>
  timers?: Timers
  ports?: OutboundPorts
  sharing?: MediaServer
}

/** The media service of one process on a fresh database; `sharing` makes a second process on the same one. */
export async function createMediaServer(options: MediaServerOptions): Promise<MediaServer> {
  const {tools, provider, config, timers = realTimers, ports = realOutboundPorts, sharing} = options
  const workerId = `worker-${randomUUID()}`
  const registry =
    'make' in provider ? createMediaRegistry([{provider, tools: tools.map(({identity}) => identity.id)}]) : provider
  let service: MediaService | undefined
  const createService = (deps: ServerDeps) =>
    createMediaService(deps, {
      tools,
      registry,
      workerId: () => workerId,
      connections: createConnections({...deps, timers, limitFactor: 1}),
      timers,
      ports,
    })
  const server = await createTestServer({
    config,
    sharing: sharing?.server,
    routes: (deps) => {
      service = createService(deps)
      return [...mediaRoutes(service), ...fileRoutes(deps)]
    },
  })
  if (service === undefined) throw new Error('The routes were not asked for')
  const created = service
  await insertLivingWorker(server, workerId)
  await created.start()
  return {
    server,
    service: created,
    workerId,
    work: () => created.runner.startWaiting(),
    close: async () => {
      await created.stop()
      await server.close()
    },
  }
}

export type Answered = {status: number; body: any; headers: Headers} // eslint-disable-line @typescript-eslint/no-explicit-any -- what a server answers is looked at by tests only

/** A call of the AI host with the user's key. */
export async function post(
  {server}: Pick<MediaServer, 'server'>,
  {token}: {token: string},
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await server.call('POST', `/services/api${path}`, {
    token,
    body,
    headers: {accept: 'application/json', ...headers},
  })
  const text = await response.text()
  return {status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: response.headers}
}

/** Opens a generation as ndjson; `next` is its next line, `undefined` after the last. */
export async function openLines(
  {server}: Pick<MediaServer, 'server'>,
  {token}: {token: string},
  path: string,
  body: unknown,
) {
  const response = await server.call('POST', `/services/api${path}`, {
    token,
    body,
    headers: {accept: 'application/x-ndjson'},
  })
  if (response.body === null) throw new Error('no body')
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let buffer = ''
  const next = async (): Promise<Record<string, unknown> | undefined> => {
    for (;;) {
      const end = buffer.indexOf('\n')
      if (end >= 0) {
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 1)
        return JSON.parse(line) as Record<string, unknown>
      }
      const {done, value} = await reader.read()
      if (done) return undefined
      buffer += value
    }
  }
  return {status: response.status, next, cancel: () => reader.cancel()}
}

export const tasksOf = ({server}: MediaServer, userId: string) =>
  server.deps.database.asSystem((transaction) =>
    transaction.select().from(tasks).where(eq(tasks.userId, userId)).orderBy(asc(tasks.createdAt)),
  )

export const usagesOf = ({server}: MediaServer, userId: string) =>
  server.deps.database.asSystem((transaction) =>
    transaction
      .select()
      .from(usages)
      .where(and(eq(usages.userId, userId))),
  )

/** A file of the user in our store, and its address as an upload would have told it. */
export async function upload(
  {server}: Pick<MediaServer, 'server'>,
  accessToken: string,
  bytes: Uint8Array = pixel,
  name = 'foo.png',
): Promise<string> {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(bytes)], name))
  const response = await server.call('POST', '/services/platform/api/v1/files/', {token: accessToken, body: form})
  const {file_url: address} = (await response.json()) as {file_url: string}
  return address
}

/** Reads a stored file by the address that stands in an answer. */
export async function readFileAt({server}: MediaServer, address: string): Promise<Response> {
  const url = new URL(address)
  if (url.origin !== testOrigin) throw new Error(`${address} is not at the page's origin`)
  return server.call('GET', url.pathname)
}
