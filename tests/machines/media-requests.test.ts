import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {listParts} from '#machines/task-list/list-parts.ts'
import {selectCards, selectKeys, selectPendingOf} from '#machines/task-list/task-list.selectors.ts'
import {selectFormRequest} from '#machines/task-requests/task-requests.selectors.ts'
import {selectEnded, selectTray} from '#machines/tasks/tasks.selectors.ts'
import {hub} from './root-world.ts'
import {createMediaBackend, open, isQuiet, submit, token} from './media-world.ts'

describe('requests of media tools below the root', () => {
  test('a user who only chats loads nothing of them', async () => {
    const page = open(createMediaBackend())
    await page.session()
    expect([page.loaded, page.root.actors.tasks(), page.root.actors.player()]).toEqual([[], undefined, undefined])
  })

  test('from the form to the result: one request, one task, the balance read again, all of it kept', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.toolWithTask()
    expect(backend.media.posts).toEqual([
      {key: 'k-1', body: {action: 'generate', prompt: 'foo', model: 'flux-dev', count: 1, async: true}},
    ])
    const tasks = page.root.actors.tasks()
    if (tasks === undefined) throw new Error('The tasks are not running')
    expect(selectTray(tasks.getSnapshot())).toEqual([
      {
        tool: 'flux',
        key: 'k-1',
        id: 't-1',
        prompt: 'foo',
        state: 'queued',
        request: {action: 'generate', prompt: 'foo', model: 'flux-dev', count: 1},
        reading: {artifacts: []},
        at: 1000,
        isDue: false,
        isSandbox: false,
      },
    ])
    backend.finish('t-1')
    flux.actors.list.send({type: 'task.check'})
    await waitFor(flux.actors.list, ({context}) => context.items[0]?.status === 'succeeded')
    const [card] = selectCards(flux.actors.list.getSnapshot())
    expect(card).toEqual({
      id: 't-1',
      key: 'k-1',
      tool: 'flux',
      type: 'images',
      state: 'succeeded',
      at: 1_000,
      finishedAt: 2_000,
      prompt: 'foo',
      request: {action: 'generate', async: true, count: 1, model: 'flux-dev', prompt: 'foo'},
      reading: {artifacts: [{medium: 'image', model: 'flux-dev', url: `${hub}/t-1.png`}]},
      isDue: false,
      isSandbox: false,
    })
    await waitFor(tasks, isQuiet)
    // it was made on another page: a word of it
    expect(page.root.actors.notices()?.getSnapshot().context.notices).toEqual([
      {
        kind: 'success',
        textId: 'index.taskDone',
        values: {tool: 'Flux'},
        href: '/flux#t-1',
        id: '00000000-0000-4000-8000-000000000002',
      },
    ])
    expect(page.stored().flux).toMatchObject({
      tasks: {items: [{id: 't-1', finished_at: 2_000}]},
      config: {prompt: 'foo'},
      credential: {token: 'key-2'},
    })
    // the next page lists it before any tool is loaded
    expect(selectEnded(tasks.getSnapshot()).flux).toEqual([
      {
        id: 't-1',
        status: 'succeeded',
        endedAt: 2_000,
        prompt: 'foo',
        at: 1000,
        preview: {medium: 'image', url: 'https://hub.test/t-1.png'},
      },
    ])
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
    const {pages} = listParts(actors.list)
    pages.send({type: 'tasks.open'})
    // a read that is on its way with the credential may be answered before or after it is refused
    await waitFor(pages, ({value: {newest}}) => newest === 'success')
    const {credentials, refusedCredentials} = backend.server
    const {token} = actors.provisioning.getSnapshot().context.credential ?? {}
    for (const each of [token ?? '', ...(refusesAll ? ['key-1', 'key-2', 'key-3'] : [])]) refusedCredentials.add(each)
    pages.send({type: 'tasks.open'})
    const {value} = await waitFor(pages, ({value: {newest}}) => newest === 'success' || newest === 'error')
    expect([value.newest, backend.server.credentials - credentials]).toEqual([end, 1])
  })

  test('favourites are kept, follow the other tabs whichever wrote last, and leave with their task', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.use()
    await waitFor(flux.actors.list, (snapshot) => snapshot.hasTag('cached'))
    const {favourites} = listParts(flux.actors.list)
    favourites.send({type: 'favourite.set', id: 'mine', isOn: true, at: 10})
    favourites.send({type: 'favourite.set', id: 'both', isOn: true, at: 10})
    expect(page.stored().flux).toEqual({
      favourites: {mine: 10, both: 10},
      tasks: {items: [], total: 0, running: [], ended: []},
    })
    // another tab marked one and took one off; it has not heard of ours
    page.storeElsewhere({...page.stored(), flux: {favourites: {theirs: 20, both: -30}}})
    await waitFor(favourites, ({context}) => context.marks.theirs === 20)
    expect(page.stored().flux).toEqual({
      favourites: {mine: 10, theirs: 20, both: -30},
      tasks: {items: [], total: 0, running: [], ended: []},
    })
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
    const flux = await page.readyTool()
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
    expect(page.root.actors.notices()?.getSnapshot().context.notices).toEqual([
      {
        kind: 'error',
        textId: 'common.mediaDeleteKept',
        values: {count: 1, names: 'other'},
        id: '00000000-0000-4000-8000-000000000002',
        duration: 15000,
      },
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
    const flux = await page.readyTool()
    backend.media.isUsedUp = true
    await submit(flux, 'foo', 'k-1')
    await waitFor(flux.actors.list, (snapshot) => selectPendingOf(snapshot, 'k-1')?.state === 'usedUp')
    const {requests} = listParts(flux.actors.list)
    expect(selectFormRequest(requests.getSnapshot())).toEqual({
      key: 'k-1',
      state: 'usedUp',
      at: expect.any(Number),
      tool: 'flux',
      submission: {operation: 'images', body: {action: 'generate', prompt: 'foo', model: 'flux-dev', count: 1}},
      form: {action: 'generate', prompt: 'foo', image_url: '', model: 'flux-dev', count: 1, aspect_ratio: ''},
      sentAt: expect.any(Number),
      failure: {code: 'used_up', detail: 'foo', status: 403},
    })
    backend.media.isUsedUp = false
    setBalance(900)
    page.events.visible.next(false)
    page.events.visible.next(false)
    page.events.visible.next(true)
    await waitFor(flux.actors.list, ({context}) => context.items.length === 1)
    expect(selectFormRequest(requests.getSnapshot())).toBeUndefined()
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
    const flux = await first.readyTool()
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
})
