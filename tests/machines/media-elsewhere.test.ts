import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {selectTray} from '#machines/tasks/tasks.selectors.ts'
import {createMediaBackend, open, isQuiet, token} from './media-world.ts'

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
    expect(selectTray(tasks.getSnapshot())).toEqual([
      {
        tool: 'flux',
        id: 't-1',
        prompt: 't-1',
        key: 't-1',
        type: 'images',
        state: 'queued',
        request: {prompt: 't-1'},
        reading: {artifacts: []},
        at: 1000,
        isDue: false,
        isSandbox: false,
      },
    ])
    expect(asked(backend)).toEqual(['running as Bearer access-1'])
    // by its id alone: nobody opened the tool, so its list is not read
    expect(new Set(backend.calls.filter((call) => call.startsWith('tasks')))).toEqual(
      new Set(['tasks retrieve_batch t-1']),
    )
    backend.finish('t-1')
    list.send({type: 'task.check'})
    await waitFor(tasks, isQuiet)
    expect(page.root.actors.notices()?.getSnapshot().context.notices).toEqual([
      {
        kind: 'success',
        textId: 'index.taskDone',
        href: '/flux#t-1',
        id: '00000000-0000-4000-8000-000000000002',
        values: {tool: 'Flux'},
      },
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
