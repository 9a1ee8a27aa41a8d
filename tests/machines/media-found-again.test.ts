import {describe, expect, test} from 'vitest'
import {waitFor} from 'xstate'
import {pollInterval, pollRules} from '#domain/poll-rules.ts'
import {selectCards} from '#machines/task-list/task-list.selectors.ts'
import {createMediaBackend, open} from './media-world.ts'

describe('tasks of an earlier page', () => {
  test('a task that ran when the page was left is found again', async () => {
    const backend = createMediaBackend()
    const first = open(backend)
    await first.toolWithTask()
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
    const flux = await first.toolWithTask()
    Object.assign(backend.media.tasks[0] ?? {}, {response: {success: true, task_id: 't-1', data: []}})
    flux.actors.list.send({type: 'task.check'})
    await waitFor(flux.actors.list, ({context}) => context.items[0]?.status === 'checking')
    const stored = first.stored()
    expect(stored.flux).toHaveProperty('tasks.running', ['t-1'])
    first.root.stop()
    backend.finish('t-1')
    const second = open(backend, {stored, bulkItems: first.bulkItems})
    const list = await second.wokenList()
    await waitFor(list, ({context}) => context.items[0]?.status === 'succeeded')
    expect(second.stored().flux).toHaveProperty('tasks.running', [])
  })

  test('a vanished task is told of once: the next page neither shows nor asks for it', async () => {
    const backend = createMediaBackend()
    const first = open(backend)
    const flux = await first.toolWithTask()
    const stored = first.stored()
    expect(stored.flux).toMatchObject({tasks: {items: [{id: 't-1'}], running: ['t-1']}})
    flux.actors.list.send({type: 'tasks.gone', ids: ['t-1']})
    const notices = first.root.actors.notices()?.getSnapshot().context.notices
    expect(notices).toEqual([{id: 'gone/t-1', kind: 'warning', textId: 'index.taskGone', values: {tool: 'Flux'}}])
    expect(selectCards(flux.actors.list.getSnapshot()).map(({state}) => state)).toEqual(['gone'])
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

  test('the next page does not begin with a task that is being deleted, unless that is taken back', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const {list} = (await page.toolWithTask()).actors
    const kept = async () => {
      await page.deps.bulk.flush()
      return [...page.bulkItems.keys()].filter((key) => key.includes('/task/')).length
    }
    list.send({type: 'task.remove', id: 't-1'})
    expect(page.stored().flux).toMatchObject({tasks: {items: [], running: []}})
    expect(await kept()).toBe(0)
    list.getSnapshot().children['removal/flux/t-1']?.send({type: 'removal.undo'})
    expect(page.stored().flux).toMatchObject({tasks: {items: [{id: 't-1'}], running: ['t-1']}})
    expect(await kept()).toBe(1)
  })

  test('a vanished task that is asked for again is kept again', async () => {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.toolWithTask()
    flux.actors.list.send({type: 'tasks.gone', ids: ['t-1']})
    backend.finish('t-1')
    flux.actors.list.send({type: 'task.check', id: 't-1'})
    await waitFor(flux.actors.list, ({context}) => context.items[0]?.status === 'succeeded')
    await page.deps.bulk.flush()
    expect(page.stored().flux).toMatchObject({tasks: {items: [{id: 't-1', finished_at: 2_000}], running: []}})
    expect([...page.bulkItems.keys()].filter((key) => key.includes('/task/'))).toHaveLength(1)
  })
})

describe('a task that is asked for', () => {
  /** A page with one task that runs, and its poller. */
  async function polling() {
    const backend = createMediaBackend()
    const page = open(backend)
    const flux = await page.toolWithTask()
    const poller = flux.actors.list.getSnapshot().children.taskPoll
    if (poller === undefined) throw new Error('Nobody polls')
    return {backend, flux, poller}
  }

  test('a task that ended without a result that can be read is hardly asked for any more', async () => {
    const {backend, flux, poller} = await polling()
    const pace = () => pollInterval({isHidden: false, age: poller.getSnapshot().context.age})
    await waitFor(poller, (snapshot) => snapshot.matches({active: {work: {leading: {question: 'waiting'}}}}))
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
    await waitFor(poller, (snapshot) => snapshot.matches({active: {work: {leading: {question: 'waiting'}}}}))
    backend.media.tellsTime = tellsTime
    Object.assign(backend.media.tasks[0] ?? {}, {created_at: 1_000 - 2 * 24 * 60 * 60})
    backend.calls.length = 0
    flux.actors.list.send({type: 'task.check'})
    await waitFor(poller, () => backend.calls.length > 0)
    await waitFor(poller, (snapshot) => snapshot.matches({active: {work: {leading: {question: 'waiting'}}}}))
    expect(pollInterval({isHidden: false, age: poller.getSnapshot().context.age})).toBe(expected)
  })

  test('a poll that fails went out once: the poller alone asks again', async () => {
    const {backend, flux, poller} = await polling()
    await waitFor(poller, (snapshot) => snapshot.matches({active: {work: {leading: {question: 'waiting'}}}}))
    backend.media.isBusy = true
    backend.calls.length = 0
    flux.actors.list.send({type: 'task.check'})
    await waitFor(poller, (snapshot) => snapshot.matches({active: {work: {leading: {question: 'backingOff'}}}}))
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
})
