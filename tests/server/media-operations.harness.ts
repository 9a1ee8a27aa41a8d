import QRCode from 'qrcode'
import sharp from 'sharp'
import {imageActionNames} from '#contract/media/media-image-actions.ts'
import type {Artifact, MediaPlan, MediaTool, Operation} from '#contract/media/media-tool.ts'
import {z} from '#contract/schema.ts'
import {createApplication, type Backend} from '#server/handler.ts'
import {listen} from '#server/http/listen.ts'
import {mediaTools} from '#server/media/media-tools.ts'
import {closeMediaPool} from '#sandbox/media/make-media.ts'
import {operationCases, image, second} from '#tests/contract/media/operation-cases.ts'
import {balanceOf, createAsker} from './ai.harness.ts'
import {freePort} from './free-port.ts'
import {createTestServer} from './harness.ts'

/*
 * Every operation on a server that listens, with its own job queue and the sandbox: what comes is what a client gets.
 */

type Body = Record<string, unknown>

/** One call of an operation. Addresses and ids of the body stand for what a user has: files and earlier results. */
export type Call = {tool: MediaTool; name: string; operation: Operation; body: Body; plan: MediaPlan; key: string}

export type Ended = {
  call: Call
  /** The body as it was sent. */
  sent: Body
  lines: Body[]
  /** The task as `/{service}/tasks` gives it afterwards. */
  task: Body
  artifacts: Artifact[]
  /** The result that the request works on. */
  source: Ended | undefined
}

/** The size of the images that go in: no tool makes 4:3 of itself. */
export const sourceSize = {width: 320, height: 240}

export function callOf([id, name, body]: readonly [string, string, Body]): Call {
  const tool = mediaTools.find(({identity}) => identity.id === id)
  const operation = tool?.operations[name]
  if (tool === undefined || operation === undefined) throw new Error(`${id} has no operation "${name}"`)
  const plan = operation.plan(z.parse(operation.body, body))
  return {tool, name, operation, body, plan, key: JSON.stringify([id, name, body])}
}

export const calls = operationCases.map(([id, name, body]) => callOf([id, name, body]))
/** The actions on an image or a song, as far as no case has them. */
export const actionCalls = [
  ...imageActionNames.map((action) => callOf(['midjourney', 'imagine', {action, image_id: '5001'}])),
  ...['cover', 'stems', 'upload_extend', 'upload_cover'].map((action) =>
    callOf(['suno', 'audios', {action, audio_id: 'a1', custom: true}]),
  ),
].filter(({tool, plan}) => !calls.some((call) => call.tool === tool && call.plan.action === plan.action))
/** The first request of a user to each tool: something new. */
export const mainCalls = mediaTools.map(({identity: {id}}) => {
  const found = calls.find(({tool}) => tool.identity.id === id)
  if (found === undefined) throw new Error(`${id} has no case`)
  return found
})

const ownSong = 'https://files.test/own.mp3'
/** The content of the user's image of a code. */
const codeContent = 'foo bar'

/** The actions that work on one image instead of a sheet of four. */
const worksOnOne = ({action}: MediaPlan) => /^(redo_|upscale_|zoom|square|pan_|variation_)/.test(action ?? '')

/**
 * The call whose result this one works on; only what extends another can be joined with it, and only what was enlarged
 * so can be so again.
 */
function sourceOf({tool, plan}: Call, all: readonly Call[]): Call | undefined {
  const {action} = plan
  if (plan.sourceId === undefined && action !== 'extend' && action !== 'upload') return undefined
  const medium = action === 'mp4' ? 'audio' : plan.medium
  const redone = /^redo_(.+)$/.exec(action ?? '')?.[1]
  const wanted = redone ?? (action === 'concat' ? 'extend' : worksOnOne(plan) ? 'upscale2' : undefined)
  const found = all.find((each) => each.tool === tool && each.plan.medium === medium && each.plan.action === wanted)
  if (found === undefined) throw new Error(`There is nothing that ${action} could work on`)
  return found
}

export async function openWorld(all: readonly Call[]) {
  const port = await freePort()
  let application: Backend | undefined
  const server = await createTestServer({
    config: {port},
    handler: (deps) => {
      application = createApplication(deps)
      return application.handle
    },
  })
  if (application === undefined) throw new Error('no application')
  const started = application
  await started.start()
  const listener = await listen(server.deps, started.handle)
  const address = `http://127.0.0.1:${port}/services`
  const user = await server.createUser()
  const asker = await createAsker({server}, '10', user)

  const post = (path: string, body: Body, accept = 'application/json') =>
    fetch(`${address}/api${path}`, {
      method: 'POST',
      headers: {authorization: `Bearer ${asker.token}`, 'content-type': 'application/json', accept},
      body: JSON.stringify(body),
    })
  const upload = async (bytes: Uint8Array, name: string): Promise<string> => {
    const form = new FormData()
    form.set('file', new File([new Uint8Array(bytes)], name))
    const headers = {authorization: `Bearer ${user.accessToken}`}
    const response = await fetch(`${address}/platform/api/v1/files/`, {method: 'POST', headers, body: form})
    const {file_url: url} = (await response.json()) as {file_url: string}
    return url
  }
  const drawing = (colour: string) =>
    sharp({create: {...sourceSize, channels: 3, background: '#202020'}})
      .composite([
        {input: Buffer.from(`<svg width="320" height="240"><circle cx="160" cy="120" r="90" fill="${colour}"/></svg>`)},
      ])
      .png()
      .toBuffer()
  const files = new Map([
    [image, await upload(await drawing('#206080'), 'foo.png')],
    [second, await upload(await drawing('#a04020'), 'bar.png')],
  ])
  const code = await upload(await QRCode.toBuffer(codeContent, {width: 400}), 'code.png')

  const bodyFor = ({tool, body, plan}: Call, source: Ended | undefined): Body => {
    const [result] = source?.artifacts ?? []
    const change = (text: string): string => {
      if (text === plan.sourceId) return result?.id ?? ''
      if (text === ownSong || (plan.action === 'extend' && text === second)) return result?.url ?? ''
      if (tool.identity.id === 'qrart' && text === image) return code
      return [...files].reduce((changed, [stand, url]) => changed.replaceAll(stand, url), text)
    }
    const entries = Object.entries(body).map(([key, value]: [string, unknown]) => {
      if (Array.isArray(value)) return [key, value.map((item) => change(String(item)))] as const
      return [key, typeof value === 'string' ? change(value) : value] as const
    })
    return Object.fromEntries(entries)
  }

  const make = async (call: Call): Promise<Ended> => {
    const wanted = sourceOf(call, all)
    const source = wanted && (await run(wanted))
    const sent = bodyFor(call, source)
    const response = await post(call.operation.path, sent, 'application/x-ndjson')
    const text = await response.text()
    const lines = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Body]))
    const id = lines.at(-1)?.['task_id']
    const retrieved = await post(`/${call.tool.identity.service}/tasks`, {action: 'retrieve', id})
    const task = (await retrieved.json()) as Body
    const {artifacts} = call.tool.read((task['response'] ?? {}) as Body, sent)
    return {call, sent, lines, task, artifacts, source}
  }
  const runs = new Map<string, Promise<Ended>>()
  /** A call is made once, however many tests ask for it. */
  const run = (call: Call): Promise<Ended> => {
    const known = runs.get(call.key) ?? make(call)
    runs.set(call.key, known)
    return known
  }

  return {
    run,
    asker,
    codeContent,
    /** Reads a file as any client with its address does. */
    read: async (url: string | undefined) => {
      const response = await fetch(url ?? '')
      const type = response.headers.get('content-type')
      return {status: response.status, type, bytes: new Uint8Array(await response.arrayBuffer())}
    },
    balance: () => balanceOf({server}, asker),
    service: async (id: string) => {
      const headers = {authorization: `Bearer ${user.accessToken}`}
      const response = await fetch(`${address}/platform/api/v1/services/${id}`, {headers})
      return (await response.json()) as {metadata: Body}
    },
    close: async () => {
      await listener.drain(0, 0)
      await started.stop()
      await closeMediaPool()
      await server.close()
    },
  }
}
export type World = Awaited<ReturnType<typeof openWorld>>
