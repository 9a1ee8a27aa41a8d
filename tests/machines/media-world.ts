import {NEVER, Subject} from 'rxjs'
import {waitFor} from 'xstate'
import {identity, tool} from '#contract/media/flux.ts'
import type {ToolScreen} from '#contract/media/media-screen.ts'
import {screen as fluxScreen} from '#contract/media/flux.screen.ts'
import {createMediaTools} from '#app/media/media-tools.ts'
import {createPlayer} from '#app/logic/media/player.logic.ts'
import type {MediaDeps} from '#app/logic/root-deps.ts'
import type {AudioPort} from '#browser/audio.ts'
import type {TaskReport} from '#browser/task-channel.ts'
import type {TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import {createBackend, createWorld, hub} from './root-world.ts'

// as: the exact form of the tool is forgotten, as where it is loaded
const screen = fluxScreen as unknown as ToolScreen

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {status, headers: {'content-type': 'application/json'}})

/** The back end of the root's tests, with one media service that knows keys again. */
export function createMediaBackend() {
  const backend = createBackend()
  const keys = new Map<string, string>()
  const media = {
    tasks: [] as Record<string, unknown>[],
    posts: [] as {key: string | null; body: unknown}[],
    /** Answers of generation calls get lost on their way. */
    losesAnswers: false,
    isUsedUp: false,
    /** Ids of tasks that cannot be deleted. */
    keeps: new Set<unknown>(),
    /** Questions for tasks are refused. */
    isBusy: false,
    /** Answers to questions for tasks have a date. */
    tellsTime: false,
    /** Whether the next questions for what runs are refused. */
    refusesRunning: [] as boolean[],
    /** Questions for what runs are not answered. */
    isSilent: false,
    capabilities: ['idempotency', 'async', 'delete'],
  }
  backend.server.capabilities = media.capabilities
  let tellPosted: () => void = () => undefined
  const posted = new Promise<void>((resolve) => (tellPosted = resolve))
  const generate = (key: string | null, body: {prompt?: string}) => {
    media.posts.push({key, body})
    tellPosted()
    if (media.isUsedUp) return json({error: {code: 'used_up', message: 'foo'}, success: false}, 403)
    const known = key === null ? undefined : keys.get(key)
    const id = known ?? `t-${media.tasks.length + 1}`
    if (known === undefined) {
      media.tasks.push({id, type: 'images', created_at: 1_000 + media.tasks.length, request: body})
      if (key !== null) keys.set(key, id)
    }
    if (media.losesAnswers) throw new TypeError('fetch failed')
    return json({task_id: id})
  }
  const fetch: typeof globalThis.fetch = async (address, init = {}) => {
    const url = new URL(address instanceof Request ? address.url : address)
    // as: this app sends JSON text only
    const body = (init.body ? JSON.parse(init.body as string) : {}) as {
      action?: string
      ids?: string[]
      id?: string
      prompt?: string
    }
    if (url.pathname === '/api/v1/tasks/running') {
      backend.calls.push(`running as ${new Headers(init.headers).get('authorization')}`)
      if (media.refusesRunning.shift() === true) return json({code: 'forbidden'}, 403)
      if (media.isSilent)
        return new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(new Error('aborted'))))
      const items = media.tasks.filter(({finished_at}) => finished_at === undefined)
      return json({items: items.map(({id, created_at}) => ({id, created_at, service: 'flux'}))})
    }
    if (!url.pathname.startsWith('/flux/')) return backend.fetch(address, init)
    const credential = new Headers(init.headers).get('authorization')?.replace('Bearer ', '')
    const refusal = backend.server.refusedCredentials.has(credential ?? '')
      ? json({error: {code: 'invalid_token', message: 'no'}}, 401)
      : undefined
    if (url.pathname === '/flux/images')
      return refusal ?? generate(new Headers(init.headers).get('idempotency-key'), body)
    backend.calls.push(`tasks ${body.action} ${body.ids?.join() ?? ''}`.trim())
    if (media.isBusy) return json({error: {code: 'api_error', message: 'Busy'}}, 500)
    if (refusal !== undefined) return refusal
    if (body.action === 'delete') {
      if (media.keeps.has(body.id)) return json({error: {code: 'api_error', message: 'Not now'}}, 500)
      media.tasks = media.tasks.filter(({id}) => id !== body.id)
      return json({id: body.id, deleted: true})
    }
    if (body.action === 'retrieve') return json(media.tasks.find(({id}) => id === body.id) ?? {})
    const items = media.tasks.filter(({id}) => body.ids === undefined || body.ids.includes(String(id)))
    const answer = json({items, count: items.length})
    if (media.tellsTime) answer.headers.set('date', new Date(1_000_000).toUTCString())
    return answer
  }
  const finish = (id: string) => {
    const task = media.tasks.find((known) => known.id === id)
    if (task !== undefined)
      Object.assign(task, {
        finished_at: 2_000,
        response: {success: true, task_id: id, data: [{prompt: 'foo', image_url: `${hub}/${id}.png`}]},
      })
  }
  return {...backend, fetch, media, posted, finish}
}

export const token = {access: 'access-1', expiration: 1_900, receivedAt: 1_000_000, refreshAt: 2_000_000}
export const signedIn = {user: {id: 'u-1'}, token}

type Kept = {
  stored?: Record<string, unknown>
  bulkItems?: Map<string, unknown>
  capabilities?: string[]
  /** Whether the next downloads of the player fail. */
  losesPlayer?: boolean[]
}
const silence: AudioPort = {
  load: () => undefined,
  play: () => undefined,
  pause: () => undefined,
  seek: () => undefined,
  setVolume: () => undefined,
  unload: () => undefined,
  events$: NEVER,
}

export function open(backend: ReturnType<typeof createMediaBackend>, kept: Kept = {}) {
  const loaded: string[] = []
  const sentReports: TaskReport[] = []
  const reports = new Subject<TaskReport>()
  const media: MediaDeps = {
    channel: {tell: (report) => void sentReports.push(report), reports$: reports, close: () => undefined},
    random: () => 0.5,
  }
  const world = createWorld({
    backend,
    href: `${hub}/chatgpt`,
    stored: kept.stored ?? signedIn,
    ...(kept.bulkItems && {bulkItems: kept.bulkItems}),
    ...(kept.capabilities && {capabilities: kept.capabilities}),
    media: {
      tools: [{id: 'flux', name: 'Flux'}],
      loadTools: async () => {
        loaded.push('tools')
        return {identities: [identity], loadTool: async (id) => (id === 'flux' ? {tool, screen} : undefined)}
      },
      openMedia: async () => {
        loaded.push('media')
        return media
      },
      openPlayer: async () => {
        loaded.push('player')
        if (kept.losesPlayer?.shift() === true) throw new TypeError('Failed to fetch')
        return createPlayer(silence)
      },
    },
  })
  world.root.start()
  const tools = createMediaTools(world.root, world.deps)
  const session = async () => {
    await waitFor(world.root.actor, () => world.root.actors.session() !== undefined)
    const actor = world.root.actors.session()
    if (actor === undefined) throw new Error('Nobody is signed in')
    await waitFor(actor, (snapshot) => snapshot.hasTag('active'))
    return actor
  }
  /** The list of a tool that nobody opened: what is stored wakes it. */
  const wokenList = async () => {
    await waitFor(await session(), () => world.root.actors.tasks() !== undefined)
    const tasks = world.root.actors.tasks()
    if (tasks === undefined) throw new Error('The tasks are not running')
    await waitFor(tasks, () => world.root.actors.taskList('flux') !== undefined)
    const list = world.root.actors.taskList('flux')
    if (list === undefined) throw new Error('The list is not running')
    return list
  }
  const startTool = async () => {
    await session()
    tools.open('flux')
    const running = await waitFor(await session(), () => tools.tool('flux') !== undefined)
    const flux = tools.tool('flux')
    if (flux === undefined) throw new Error(`The tool is not running in ${JSON.stringify(running.value)}`)
    await waitFor(flux, (snapshot) => snapshot.matches({form: {running: 'working'}}))
    const [generation, list, provisioning] = [tools.form('flux'), tools.list('flux'), tools.provisioning('flux')]
    if (!generation || !list || !provisioning) throw new Error('A part of the tool is not running')
    return {actors: {generation, list, provisioning}}
  }
  const readyTool = async () => {
    const flux = await startTool()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    return flux
  }
  /** The tool with its first task, which runs. */
  const toolWithTask = async () => {
    const flux = await readyTool()
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    return flux
  }
  const player = async () => {
    await waitFor(await session(), () => world.root.actors.player() !== undefined)
    const actor = world.root.actors.player()
    if (actor === undefined) throw new Error('The player is not running')
    return actor
  }
  return {
    ...world,
    loaded,
    sentReports,
    reports,
    use: startTool,
    readyTool,
    toolWithTask,
    session,
    player,
    wokenList,
    tools,
  }
}

export const isQuiet = ({context: {running: counts}}: TasksSnapshot) =>
  Object.values(counts).every((count) => count === 0)

export const submit = async (
  {actors}: Awaited<ReturnType<ReturnType<typeof open>['use']>>,
  prompt: string,
  key: string,
) => {
  const {generation} = actors
  generation.send({type: 'field.change', field: 'prompt', value: prompt})
  generation.send({type: 'form.submit', key, at: 1_000})
}
