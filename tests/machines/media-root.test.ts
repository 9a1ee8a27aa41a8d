import {NEVER, Subject} from 'rxjs'
import {afterEach, describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {identity, tool} from '#contract/media/flux.ts'
import type {ToolScreen} from '#contract/media/media-screen.ts'
import {screen as fluxScreen} from '#contract/media/flux.screen.ts'
import {createMediaTools} from '#app/media/media-tools.ts'
import {createPlayer} from '#app/logic/media/player.logic.ts'
import type {MediaDeps} from '#app/logic/root-deps.ts'
import type {AudioPort} from '#browser/audio.ts'
import type {TaskReport} from '#browser/task-channel.ts'
import {pollInterval, pollRules} from '#domain/poll-rules.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import type {TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import {selectCards, selectKeys, selectPendingOf} from '#machines/task-list/task-list.selectors.ts'
import {selectEnded, selectTray} from '#machines/tasks/tasks.selectors.ts'
import {createBackend, createWorld, hub} from './root-world.ts'

// as: the exact form of the tool is forgotten, as where it is loaded
const screen = fluxScreen as unknown as ToolScreen

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {status, headers: {'content-type': 'application/json'}})

/** The back end of the root's tests, with one media service that knows keys again. */
function createMediaBackend() {
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
      if (media.isSilent) return new Promise(() => {})
      const items = media.tasks.filter(({finished_at}) => finished_at === undefined)
      return json({items: items.map(({id, created_at}) => ({id, created_at, service: 'flux'}))})
    }
    if (url.pathname === '/flux/images') return generate(new Headers(init.headers).get('idempotency-key'), body)
    if (url.pathname !== '/flux/tasks') return backend.fetch(address, init)
    backend.calls.push(`tasks ${body.action} ${body.ids?.join() ?? ''}`.trim())
    if (media.isBusy) return json({error: {code: 'api_error', message: 'Busy'}}, 500)
    const credential = new Headers(init.headers).get('authorization')?.replace('Bearer ', '')
    if (backend.server.refusedCredentials.has(credential ?? ''))
      return json({error: {code: 'invalid_token', message: 'no'}}, 401)
    if (body.action === 'delete') {
      if (media.keeps.has(body.id)) return json({error: {code: 'api_error', message: 'Not now'}}, 500)
      media.tasks = media.tasks.filter(({id}) => id !== body.id)
      return json({id: body.id, deleted: true})
    }
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

const token = {access: 'access-1', expiration: 1_900, receivedAt: 1_000_000, refreshAt: 2_000_000}
const signedIn = {user: {id: 'u-1'}, token}

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
const running: {stop: () => void}[] = []
afterEach(() => {
  for (const root of running.splice(0)) root.stop()
})

function open(backend: ReturnType<typeof createMediaBackend>, kept: Kept = {}) {
  const loaded: string[] = []
  const told: TaskReport[] = []
  const reports = new Subject<TaskReport>()
  const media: MediaDeps = {
    channel: {tell: (report) => void told.push(report), reports$: reports, close: () => undefined},
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
  running.push(world.root)
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
  const use = async () => {
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
  const player = async () => {
    await waitFor(await session(), () => world.root.actors.player() !== undefined)
    const actor = world.root.actors.player()
    if (actor === undefined) throw new Error('The player is not running')
    return actor
  }
  return {...world, loaded, told, reports, use, session, player, wokenList, tools}
}

const isQuiet = ({context: {running: counts}}: TasksSnapshot) => Object.values(counts).every((count) => count === 0)

const submit = async ({actors}: Awaited<ReturnType<ReturnType<typeof open>['use']>>, prompt: string, key: string) => {
  const {generation} = actors
  generation.send({type: 'field.change', field: 'prompt', value: prompt})
  generation.send({type: 'form.submit', key, at: 1_000})
}

describe('media tools below the root', () => {
  test('who only chats loads nothing of them', async () => {
    const page = open(createMediaBackend())
    await page.session()
    expect([page.loaded, page.root.actors.tasks(), page.root.actors.player()]).toEqual([[], undefined, undefined])
  })

  test('from the form to the result: one request, one task, the balance read again, all of it kept', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    expect(backend.media.posts).toEqual([
      {key: 'k-1', body: {action: 'generate', prompt: 'foo', model: 'flux-dev', count: 1, async: true}},
    ])
    const tasks = page.root.actors.tasks()
    if (tasks === undefined) throw new Error('The tasks are not running')
    expect(selectTray(tasks.getSnapshot())).toMatchObject([{tool: 'flux', key: 'k-1', id: 't-1', prompt: 'foo'}])
    backend.finish('t-1')
    flux.actors.list.send({type: 'task.check'})
    await waitFor(flux.actors.list, ({context}) => context.items[0]?.status === 'succeeded')
    const [card] = selectCards(flux.actors.list.getSnapshot())
    expect(card).toMatchObject({
      id: 't-1',
      key: 'k-1',
      reading: {artifacts: [{medium: 'image', url: `${hub}/t-1.png`}]},
    })
    await waitFor(tasks, isQuiet)
    // it was made on another page: a word of it
    expect(page.root.actors.notices()?.getSnapshot().context.notices).toMatchObject([
      {kind: 'success', textId: 'index.taskDone', values: {tool: 'Flux'}, href: '/flux#t-1'},
    ])
    expect(page.stored().flux).toMatchObject({
      tasks: {items: [{id: 't-1', finished_at: 2_000}]},
      config: {prompt: 'foo'},
      credential: {token: 'key-2'},
    })
    // the next page lists it before any tool is loaded
    expect(selectEnded(tasks.getSnapshot()).flux).toMatchObject([{id: 't-1', status: 'succeeded', endedAt: 2_000}])
    expect(page.tools.storedEnds().get('flux')).toEqual(selectEnded(tasks.getSnapshot()).flux)
    await page.deps.bulk.flush()
    expect([...page.bulkItems.keys()].filter((key) => /\/(task|intent)\//.test(key))).toHaveLength(1)
    expect(await page.tools.stored('flux')).toMatchObject([{task: {id: 't-1'}, status: 'succeeded'}])
    expect(await page.tools.stored('kling')).toEqual([])
  })

  test.each([
    ['a new one reads the list', false, 'success'],
    ['a second refusal is told', true, 'error'],
  ] as const)('a refused credential is made again once: %s', async (_name, refusesAll, end) => {
    const backend = createMediaBackend()
    const page = open(backend)
    const {actors} = await page.use()
    await waitFor(actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    const {credentials, refusedCredentials} = backend.server
    const {token} = actors.provisioning.getSnapshot().context.credential ?? {}
    for (const each of [token ?? '', ...(refusesAll ? ['key-1', 'key-2', 'key-3'] : [])]) refusedCredentials.add(each)
    const {pages} = listParts(actors.list)
    pages.send({type: 'tasks.open'})
    const {value} = await waitFor(pages, ({value: {newest}}) => newest === 'success' || newest === 'error')
    expect([value.newest, backend.server.credentials - credentials]).toEqual([end, 1])
  })

  test('favourites are kept, follow the other tabs whoever wrote last, and leave with their task', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.use()
    await waitFor(flux.actors.list, (snapshot) => snapshot.hasTag('cached'))
    const {favourites} = listParts(flux.actors.list)
    favourites.send({type: 'favourite.set', id: 'mine', isOn: true, at: 10})
    favourites.send({type: 'favourite.set', id: 'both', isOn: true, at: 10})
    expect(page.stored().flux).toMatchObject({favourites: {mine: 10, both: 10}})
    // another tab marked one and took one off; it has not heard of ours
    page.storeElsewhere({...page.stored(), flux: {favourites: {theirs: 20, both: -30}}})
    await waitFor(favourites, ({context}) => context.marks.theirs === 20)
    expect(page.stored().flux).toMatchObject({favourites: {mine: 10, theirs: 20, both: -30}})
    page.root.stop()

    const next = open(backend, {stored: page.stored()})
    const again = await next.use()
    await waitFor(listParts(again.actors.list).favourites, ({context}) => context.marks.mine === 10)
  })

  test('several are deleted for good at once; one that cannot be is told of and stays', async () => {
    const backend = createMediaBackend()
    for (const id of ['a', 'b', 'c']) {
      backend.media.tasks.push({id, type: 'images', created_at: 1_000, request: {prompt: id}})
      backend.finish(id)
    }
    backend.media.keeps.add('b')
    const page = open(backend)
    const flux = await page.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    listParts(flux.actors.list).pages.send({type: 'tasks.open'})
    await waitFor(flux.actors.list, ({context}) => context.items.length === 3)
    const actor = page.tools.tool('flux')
    actor?.send({type: 'selection.send', event: {type: 'selection.enter'}})
    if (actor !== undefined) await waitFor(actor, (snapshot) => snapshot.matches({selection: 'working'}))
    const selection = page.tools.selection('flux')
    if (selection === undefined) throw new Error('Nothing is chosen')
    expect(selection.getSnapshot().hasTag('selecting')).toBe(true)
    selection.send({type: 'tasks.choose', ids: ['a', 'b']})
    selection.send({type: 'delete.ask'})
    selection.send({
      type: 'delete.confirm',
      tasks: [
        {id: 'a', title: 'one'},
        {id: 'b', title: 'other'},
      ],
    })
    await waitFor(selection, (snapshot) => snapshot.matches({selecting: 'choosing'}))
    expect(selection.getSnapshot().context.chosen).toEqual(['b'])
    expect(flux.actors.list.getSnapshot().context.items.map(({task}) => task.id)).toEqual(['b', 'c'])
    expect(backend.media.tasks.map(({id}) => id)).toEqual(['b', 'c'])
    expect(page.root.actors.notices()?.getSnapshot().context.notices).toMatchObject([
      {kind: 'error', textId: 'common.mediaDeleteKept', values: {count: 1, names: 'other'}},
    ])
    // what goes elsewhere leaves the choice
    selection.send({type: 'task.toggle', id: 'c'})
    flux.actors.list.send({type: 'task.remove', id: 'c'})
    await waitFor(selection, ({context}) => context.chosen.length === 1)
  })

  test('used up: once there are credits the request goes on when the page is seen again, and so does its form', async () => {
    const backend = createMediaBackend()
    const setBalance = (remaining: number) => {
      for (const application of backend.server.applications) application.remaining_amount = remaining
    }
    setBalance(0)
    const page = open(backend)
    const flux = await page.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    backend.media.isUsedUp = true
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, (snapshot) => selectPendingOf(snapshot, 'k-1')?.state === 'usedUp')
    expect(flux.actors.generation.getSnapshot().hasTag('rejected')).toBe(true)
    backend.media.isUsedUp = false
    setBalance(900)
    page.events.visible.next(false)
    page.events.visible.next(false)
    page.events.visible.next(true)
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    await waitFor(flux.actors.generation, (snapshot) => snapshot.hasTag('sent'))
    expect(backend.media.posts.map(({key}) => key)).toEqual(['k-1', 'k-1'])
  })

  test('a form stands below the session and ends with it; who signs in next gets one of their own', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const first = await page.use()
    first.actors.generation.send({type: 'field.change', field: 'prompt', value: 'only mine'})
    const held = page.tools.files().hold(new File(['foo'], 'foo.png'))
    expect(page.root.actors.form('flux')).toBe(first.actors.generation)

    page.events.tabs.next({type: 'session.ended', epoch: 1})
    expect([first.actors.generation, first.actors.list].map((actor) => actor.getSnapshot().status)).toEqual([
      'stopped',
      'stopped',
    ])
    expect(page.root.actors.form('flux')).toBeUndefined()
    expect(() => page.tools.files()).toThrow('Nobody is signed in')

    backend.server.user = {id: 'u-2', nickname: 'Bar'}
    backend.server.tokens.add('access-2')
    page.storeElsewhere({token: {...token, access: 'access-2', receivedAt: 1_000_001}, _meta: {v: 1, epoch: 1}})
    const second = await page.use()
    expect(second.actors.generation.getSnapshot().context.form).not.toMatchObject({prompt: 'only mine'})
    expect(page.tools.files().get(held.id)).toBeUndefined()
    await waitFor(second.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(second, 'foo', 'k-1')
    await waitFor(second.actors.list, ({context}) => context.items.length === 1)
  })

  test('a tab that is killed before the answer came: the next one asks with the same key, and there is one task', async () => {
    const backend = createMediaBackend()
    backend.media.losesAnswers = true
    const first = open(backend)
    const flux = await first.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(flux, 'foo', 'k-1')
    await backend.posted
    const stored = first.stored()
    first.root.stop()

    backend.media.losesAnswers = false
    const second = open(backend, {stored, bulkItems: first.bulkItems})
    // nobody opens the tool: the request alone wakes it
    const list = await second.wokenList()
    await waitFor(list, ({context}) => context.items.length === 1)
    expect(new Set(backend.media.posts.map(({key}) => key))).toEqual(new Set(['k-1']))
    expect([backend.media.tasks.length, selectKeys(list.getSnapshot())]).toEqual([1, {'t-1': 'k-1'}])
    await second.deps.bulk.flush()
    expect([...second.bulkItems.keys()].filter((key) => key.includes('/intent/'))).toEqual([])
  })

  test('a task that ran when the page was left is found again', async () => {
    const backend = createMediaBackend()
    const first = open(backend)
    const flux = await first.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    const stored = first.stored()
    first.root.stop()
    backend.finish('t-1')
    const second = open(backend, {stored, bulkItems: first.bulkItems})
    const list = await second.wokenList()
    await waitFor(list, ({context}) => context.items[0]?.status === 'succeeded')
  })

  test('a task that says success without a result is taken up again when the page opens', async () => {
    const backend = createMediaBackend()
    const first = open(backend)
    const flux = await first.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    Object.assign(backend.media.tasks[0] ?? {}, {response: {success: true, task_id: 't-1', data: []}})
    flux.actors.list.send({type: 'task.check'})
    await waitFor(flux.actors.list, ({context}) => context.items[0]?.status === 'checking')
    const stored = first.stored()
    expect(stored.flux).toMatchObject({tasks: {running: ['t-1']}})
    first.root.stop()
    backend.finish('t-1')
    const second = open(backend, {stored, bulkItems: first.bulkItems})
    const list = await second.wokenList()
    await waitFor(list, ({context}) => context.items[0]?.status === 'succeeded')
    expect(second.stored().flux).toMatchObject({tasks: {running: []}})
  })

  test('a vanished task is told of once: the next page neither shows nor asks for it', async () => {
    const backend = createMediaBackend()
    const first = open(backend)
    const flux = await first.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    const stored = first.stored()
    expect(stored.flux).toMatchObject({tasks: {items: [{id: 't-1'}], running: ['t-1']}})
    flux.actors.list.send({type: 'tasks.gone', ids: ['t-1']})
    const notices = first.root.actors.notices()?.getSnapshot().context.notices
    expect(notices).toMatchObject([{id: 'gone/t-1', textId: 'index.taskGone'}])
    expect(selectCards(flux.actors.list.getSnapshot())).toMatchObject([{state: 'gone'}])
    await first.deps.bulk.flush()
    expect(first.stored().flux).toMatchObject({tasks: {items: [], running: []}})
    expect([...first.bulkItems.keys()].filter((key) => key.includes('/task/'))).toEqual([])
    first.root.stop()
    const asked = backend.calls.length
    const second = open(backend, {stored: first.stored(), bulkItems: first.bulkItems})
    await second.session()
    expect([second.loaded, second.root.actors.tasks()]).toEqual([[], undefined])
    expect(backend.calls.slice(asked).filter((call) => call.startsWith('tasks'))).toEqual([])
  })

  test('a vanished task that is asked for again is kept again', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    flux.actors.list.send({type: 'tasks.gone', ids: ['t-1']})
    backend.finish('t-1')
    flux.actors.list.send({type: 'task.check', id: 't-1'})
    await waitFor(flux.actors.list, ({context}) => context.items[0]?.status === 'succeeded')
    await page.deps.bulk.flush()
    expect(page.stored().flux).toMatchObject({tasks: {items: [{id: 't-1', finished_at: 2_000}], running: []}})
    expect([...page.bulkItems.keys()].filter((key) => key.includes('/task/'))).toHaveLength(1)
  })

  /** A page with one task that runs, and its poller. */
  async function polling() {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.use()
    await waitFor(flux.actors.provisioning, (snapshot) => snapshot.hasTag('ready'))
    await submit(flux, 'foo', 'k-1')
    const {children} = await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    const poller = children.taskPoll
    if (poller === undefined) throw new Error('Nobody polls')
    return {backend, flux, poller}
  }

  test('a task that ended without a result that can be read is hardly asked for any more', async () => {
    const {backend, flux, poller} = await polling()
    const pace = () => pollInterval({isHidden: false, age: poller.getSnapshot().context.age})
    await waitFor(poller, (snapshot) => snapshot.matches({inTurn: {leading: 'waiting'}}))
    expect(pace()).toBe(pollRules.visible)
    Object.assign(backend.media.tasks[0] ?? {}, {finished_at: 2_000, response: {success: true, data: []}})
    flux.actors.list.send({type: 'task.check'})
    await waitFor(flux.actors.list, ({context}) => context.items[0]?.status === 'checking')
    expect(pace()).toBe(pollRules.forgotten)
  })

  test.each([
    ['hides its time', false, pollRules.visible],
    ['tells its time', true, pollRules.forgotten],
  ])('the pace of a task that seems two days old, where the server %s', async (_, tellsTime, expected) => {
    const {backend, flux, poller} = await polling()
    await waitFor(poller, (snapshot) => snapshot.matches({inTurn: {leading: 'waiting'}}))
    backend.media.tellsTime = tellsTime
    Object.assign(backend.media.tasks[0] ?? {}, {created_at: 1_000 - 2 * 24 * 60 * 60})
    backend.calls.length = 0
    flux.actors.list.send({type: 'task.check'})
    await waitFor(poller, () => backend.calls.length > 0)
    await waitFor(poller, (snapshot) => snapshot.matches({inTurn: {leading: 'waiting'}}))
    expect(pollInterval({isHidden: false, age: poller.getSnapshot().context.age})).toBe(expected)
  })

  test('a poll that fails went out once: the poller alone asks again', async () => {
    const {backend, flux, poller} = await polling()
    await waitFor(poller, (snapshot) => snapshot.matches({inTurn: {leading: 'waiting'}}))
    backend.media.isBusy = true
    backend.calls.length = 0
    flux.actors.list.send({type: 'task.check'})
    await waitFor(poller, (snapshot) => snapshot.matches({inTurn: {leading: 'backingOff'}}))
    expect(backend.calls.filter((call) => call.startsWith('tasks'))).toEqual(['tasks retrieve_batch t-1'])
  })

  test('what another tab learnt arrives without a question of this one', async () => {
    const page = open(createMediaBackend())
    const flux = await page.use()
    page.reports.next({
      userId: 'u-1',
      tool: 'flux',
      tasks: [{id: 't-9', created_at: 1}],
      watched: [],
      gone: [],
      isHidden: false,
      isLost: false,
      nextIn: 3_000,
    })
    page.reports.next({
      userId: 'u-2',
      tool: 'flux',
      tasks: [{id: 't-0', created_at: 1}],
      watched: [],
      gone: [],
      isHidden: false,
      isLost: false,
      nextIn: 1,
    })
    await waitFor(flux.actors.list, ({context}) => context.items.length > 0)
    expect(flux.actors.list.getSnapshot().context.items.map(({task}) => task.id)).toEqual(['t-9'])
  })

  const track = (id: string) => ({id, url: `${hub}/${id}.mp3`, title: id})
  const songs = ['a', 'b'].map(track)

  test('the first song loads the player, and plays once that is there: the one that was pressed last', async () => {
    const page = open(createMediaBackend())
    await page.use()
    expect([page.loaded.includes('player'), page.root.actors.player()]).toEqual([false, undefined])
    page.tools.play({track: track('a'), queue: songs})
    page.tools.play({track: track('b'), queue: songs})
    const player = await page.player()
    await waitFor(player, ({context}) => context.index === 1)
    expect(player.getSnapshot()).toMatchObject({value: {open: 'loading'}, context: {queue: songs}})
    expect(page.stored().player).toEqual({queue: songs, index: 1, position: 0})
    page.tools.play({track: track('a')})
    expect(player.getSnapshot().context.queue).toEqual([track('a')])
    expect(page.loaded.filter((part) => part === 'player')).toEqual(['player'])
  })

  test('a player that was prepared in vain is loaded for the song', async () => {
    const page = open(createMediaBackend(), {losesPlayer: [true]})
    await page.use()
    await page.tools.preparePlayer()
    expect(page.root.actors.player()).toBeUndefined()
    page.tools.play({track: track('a')})
    await waitFor(await page.player(), ({context}) => context.queue.length > 0)
    expect(page.loaded.filter((part) => part === 'player')).toHaveLength(2)
  })

  test('songs wait after a reload for the same user, and go with the session', async () => {
    const page = open(createMediaBackend())
    await page.use()
    page.tools.play({track: track('b'), queue: songs})
    const player = await page.player()
    await waitFor(player, (snapshot) => snapshot.matches('open'))
    player.send({type: 'audio.progressed', position: 12})
    expect(page.stored().player).toEqual({queue: songs, index: 1, position: 12})

    const later = open(createMediaBackend(), {stored: page.stored()})
    expect((await later.player()).getSnapshot()).toMatchObject({
      value: {open: 'kept'},
      context: {queue: songs, index: 1, position: 12},
    })
    // who listens in the chat carries no task
    expect(later.loaded).toEqual(['player'])
    later.events.tabs.next({type: 'session.ended', epoch: 1})
    await waitFor(later.root.actor, () => later.root.actors.session() === undefined)
    expect(later.stored().player).toBeUndefined()
  })

  test('signing out ends forms, lists and player, and leaves nothing of the user', async () => {
    const page = open(createMediaBackend())
    const flux = await page.use()
    await submit(flux, 'secret', 'k-1')
    page.tools.play({track: track('a')})
    const player = await page.player()
    page.events.tabs.next({type: 'session.ended', epoch: 1})
    await waitFor(page.root.actor, () => page.root.actors.session() === undefined)
    const {generation, list, provisioning} = flux.actors
    expect([generation, list, provisioning, player].map((actor) => actor.getSnapshot().status)).toEqual([
      'stopped',
      'stopped',
      'stopped',
      'stopped',
    ])
  })
})

describe('what runs elsewhere', () => {
  const capabilities = ['pkce', 'refresh', 'running']
  const isQuestion = (call: string) => call.startsWith('running')
  const asked = (backend: ReturnType<typeof createMediaBackend>) => backend.calls.filter(isQuestion)
  /** A back end where another device had an image made, or has. */
  const withTask = (...ids: string[]) => {
    const backend = createMediaBackend()
    for (const id of ids) backend.media.tasks.push({id, type: 'images', created_at: 1_000, request: {prompt: id}})
    return backend
  }
  /** Until the session knows the answer, or that there is none. */
  const answered = async (page: ReturnType<typeof open>, elsewhere: 'fresh' | 'failed' = 'fresh') =>
    waitFor(await page.session(), (snapshot) => snapshot.matches({active: {elsewhere}}))

  /** Another tab has renewed the token. */
  const adoptToken = (page: ReturnType<typeof open>, backend: ReturnType<typeof createMediaBackend>) => {
    backend.server.tokens.add('access-9')
    page.root.actors.auth()?.send({
      type: 'token.adopted',
      token: {...token, access: 'access-9', receivedAt: 1_000_001},
      epoch: page.deps.state.epoch(),
    })
  }

  test('is taken up by a browser that knows of none of it, and followed to its end', async () => {
    const backend = withTask('t-1')
    const page = open(backend, {capabilities})
    const list = await page.wokenList()
    await waitFor(list, ({context}) => context.items[0]?.task.request?.prompt === 't-1')
    const tasks = page.root.actors.tasks()
    if (tasks === undefined) throw new Error('The tasks are not running')
    expect(selectTray(tasks.getSnapshot())).toMatchObject([{tool: 'flux', id: 't-1', prompt: 't-1'}])
    expect(asked(backend)).toEqual(['running as Bearer access-1'])
    // by its id alone: nobody opened the tool, so its list is not read
    expect(new Set(backend.calls.filter((call) => call.startsWith('tasks')))).toEqual(
      new Set(['tasks retrieve_batch t-1']),
    )
    backend.finish('t-1')
    list.send({type: 'task.check'})
    await waitFor(tasks, isQuiet)
    expect(page.root.actors.notices()?.getSnapshot().context.notices).toMatchObject([
      {kind: 'success', textId: 'index.taskDone', href: '/flux#t-1'},
    ])
    expect(page.stored().flux).toMatchObject({tasks: {items: [{id: 't-1', finished_at: 2_000}], running: []}})
  })

  test('is one question where nothing runs, and nothing of the tools is loaded', async () => {
    const backend = withTask('t-1')
    backend.finish('t-1')
    const page = open(backend, {capabilities})
    await answered(page)
    expect([asked(backend).length, page.loaded, page.root.actors.tasks()]).toEqual([1, [], undefined])
    // looked at again, and a network that is back: the answer is still new
    page.events.visible.next(false)
    page.events.visible.next(true)
    page.events.online.next(false)
    page.events.online.next(true)
    await answered(page)
    expect(asked(backend)).toHaveLength(1)
  })

  test('is not asked for where the platform does not offer to say it', async () => {
    const backend = withTask('t-1')
    const page = open(backend)
    await answered(page)
    expect([asked(backend), page.loaded]).toEqual([[], []])
  })

  test('joins the tools that are in use already', async () => {
    const backend = withTask()
    backend.media.refusesRunning.push(true)
    const page = open(backend, {capabilities})
    const flux = await page.use()
    await answered(page, 'failed')
    backend.media.tasks.push({id: 't-2', type: 'images', created_at: 1_000, request: {prompt: 't-2'}})
    page.events.visible.next(false)
    page.events.visible.next(true)
    await waitFor(flux.actors.list, ({context}) => context.items.some(({task}) => task.id === 't-2'))
    expect((await page.session()).getSnapshot().context.tools).toHaveLength(1)
  })

  test('a question that failed is asked again with the next token, and when the network is back', async () => {
    const backend = withTask('t-1')
    backend.media.refusesRunning.push(true, true)
    const page = open(backend, {capabilities})
    await answered(page, 'failed')
    const asking = waitFor(await page.session(), (snapshot) => snapshot.matches({active: {elsewhere: 'asking'}}))
    page.events.online.next(false)
    page.events.online.next(true)
    await asking
    await answered(page, 'failed')
    expect(asked(backend)).toHaveLength(2)
    adoptToken(page, backend)
    await page.wokenList()
    expect(asked(backend).at(-1)).toBe('running as Bearer access-9')
  })

  test('a token that comes while the question is open asks it anew: the answer to the old one may be a refusal', async () => {
    const backend = withTask('t-1')
    backend.media.isSilent = true
    const page = open(backend, {capabilities})
    await waitFor(await page.session(), (snapshot) => snapshot.matches({active: {elsewhere: 'asking'}}))
    backend.media.isSilent = false
    adoptToken(page, backend)
    await page.wokenList()
    expect(asked(backend)).toEqual(['running as Bearer access-1', 'running as Bearer access-9'])
  })
})
