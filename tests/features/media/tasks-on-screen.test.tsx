import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {type Task} from '#contract/task.ts'
import {HistoryScreen} from '#features/media/history/history-screen.tsx'
import {renderView} from '#tests/ui/render.tsx'
import {createMediaWorld, InMedia} from './media-fixture.tsx'
import {klingShown, klingTask, openKling, Slots, slots, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))
const running = (id: string, given: Partial<Task> = {}) =>
  klingTask(id, {response: {task_id: id, state: 'processing'}, ...given})
const failed = (id: string, given: Partial<Task> = {}) =>
  klingTask(id, {
    response: {success: false, task_id: id, error: {code: 'forbidden', message: 'content refused'}},
    ...given,
  })
const openMenu = async () => {
  const more = screen.getByRole('button', {name: 'More'})
  fireEvent.focus(more)
  fireEvent.click(more)
  return within(await screen.findByRole('menu'))
}

describe('what a task costs', () => {
  test.each([
    ['is put aside while it runs', running('a', {credits: {held: 1.4}}), 'Reserved: 1.4 credits'],
    ['is told when it is done', klingTask('a', {credits: {held: 1.4, settled: 1.4}}), '1.4 credits'],
    ['went back when it failed', failed('a', {credits: {held: 1.4}}), 'Refunded: 1.4 credits'],
    ['was nothing when it failed and cost nothing', failed('a', {credits: {held: 0}}), 'Nothing was charged.'],
  ])('%s', async (_, task, words) => {
    await openKling({tasks: [task]})
    // what shows a failed task is loaded with the first of them
    expect(await within(screen.getByRole('article')).findByText(words)).toBeVisible()
  })

  test.each([
    ['is not claimed where the server says nothing', failed('a')],
    ['is not called given back when it was charged', failed('a', {credits: {held: 1.4, settled: 1.4}})],
  ])('%s, so no sum is shown', async (_, task) => {
    await openKling({tasks: [task]})
    expect(screen.getByRole('article').textContent).not.toMatch(/Refunded|charged/)
  })
})

describe('deleting', () => {
  test('a task that has started and has a price says that it is charged all the same', async () => {
    await openKling({tasks: [running('a', {started_at: 1, credits: {held: 1.4}})]})
    const menu = await openMenu()
    expect(menu.getByRole('menuitem', {name: /^Delete/}).textContent).toContain('charged all the same')
  })

  test.each([
    ['waits', running('a', {credits: {held: 1.4}})],
    ['costs nothing', running('a', {started_at: 1, credits: {held: 0}})],
    ['is done', klingTask('a', {started_at: 1, credits: {held: 1.4, settled: 1.4}})],
  ])('one that %s does not', async (_, task) => {
    await openKling({tasks: [task]})
    const menu = await openMenu()
    expect(menu.getByRole('menuitem', {name: /^Delete/}).textContent).not.toContain('charged')
  })

  test('a back end that knows no deleting is not asked to', async () => {
    const {actors} = await openKling({tasks: [klingTask('a')], metadata: {capabilities: []}})
    const menu = await openMenu()
    expect(menu.queryByRole('menuitem', {name: 'Delete'})).toBeNull()
    fireEvent.keyDown(screen.getByRole('article'), {key: 'Delete'})
    expect(actors.list.getSnapshot().context.removing).toEqual([])
  })
})

describe('going to a task from elsewhere', () => {
  test('its card has the focus and is the active task, under any filter, and again with each visit', async () => {
    const {actors, goTo} = await openKling({tasks: [klingTask('a'), running('b')]})
    fireEvent.click(screen.getByRole('button', {name: 'In progress 1'}))
    goTo('a', 'first')
    const card = screen.getByRole('article', {name: 'prompt a'})
    expect(document.activeElement).toBe(card)
    expect(actors.list.getSnapshot().context.active).toBe('a')
    fireEvent.click(screen.getByRole('button', {name: 'In progress 1'}))
    expect(screen.queryByRole('article', {name: 'prompt a'})).toBeNull()
    goTo('a', 'second')
    expect(document.activeElement).toBe(screen.getByRole('article', {name: 'prompt a'}))
  })

  test('a task that is not there yet is gone to when it comes, and nothing moves after that', async () => {
    const world = await openKling({tasks: [klingTask('a')]})
    const asked: string[] = []
    world.actors.lookup.subscribe(({context: {wanted}}) => void (wanted !== '' && asked.push(wanted)))
    world.goTo('b', 'first')
    expect(document.activeElement).toBe(document.body)
    // it is older than what has been read, or not there: the server is asked for it
    expect(new Set(asked)).toEqual(new Set(['b']))
    const [known] = world.actors.list.getSnapshot().context.items
    const arrive = (id: string) =>
      act(() =>
        world.actors.list.send({
          type: 'tasks.polled',
          records: known === undefined ? [] : [{...known, task: klingTask(id)}],
        }),
      )
    arrive('b')
    const card = screen.getByRole('article', {name: 'prompt b'})
    expect(document.activeElement).toBe(card)
    const filter = screen.getByRole('button', {name: /^All/})
    act(() => filter.focus())
    arrive('c')
    expect(document.activeElement).toBe(filter)
  })
})

test('the task that is looked at is the active one; a video that plays pauses the song', async () => {
  const {actors} = await openKling({tasks: [klingTask('a')]})
  const send = vi.spyOn(actors.player, 'send')
  fireEvent.click(screen.getByRole('button', {name: 'Play Result of: prompt a'}))
  expect(actors.list.getSnapshot().context.active).toBe('a')
  const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
  const video = within(dialog).getByLabelText('prompt a', {selector: 'video'})
  expect(send).not.toHaveBeenCalled()
  fireEvent.play(video)
  expect(send).toHaveBeenCalledExactlyOnceWith({type: 'player.pause'})
  fireEvent.click(within(dialog).getByRole('button', {name: 'Close'}))
  expect(actors.list.getSnapshot().context.active).toBeUndefined()
})

test('without a song a video plays as loud as the songs were when they were last heard', async () => {
  await openKling({tasks: [klingTask('a')], hasPlayer: false})
  fireEvent.click(screen.getByRole('button', {name: 'Play Result of: prompt a'}))
  const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
  const video: HTMLVideoElement = within(dialog).getByLabelText('prompt a', {selector: 'video'})
  fireEvent.loadedMetadata(video)
  fireEvent.play(video)
  expect(video.volume).toBe(0.3)
})

describe('a history', () => {
  async function openHistory(options: Parameters<typeof createMediaWorld>[1]) {
    const world = createMediaWorld(klingShown, options)
    renderView(<Slots />)
    renderView(
      <InMedia media={world.media}>
        <HistoryScreen slots={slots()} switcher={() => null} title="Kling history" />
      </InMedia>,
    )
    await waitFor(() => expect(world.actors.pages.getSnapshot().matches({newest: 'request'})).toBe(false))
    return world
  }

  test('days are asked of the server, and where nothing matches there is a way to older ones', async () => {
    const {pages, actors} = await openHistory({tasks: [klingTask('a')], total: 90})
    await screen.findByText('prompt a')
    fireEvent.change(screen.getByLabelText('From'), {target: {value: '2020-01-01'}})
    fireEvent.change(screen.getByLabelText('To'), {target: {value: '2020-01-02'}})
    const midnight = (day: number) => new Date(2020, 0, day).getTime() / 1_000
    await waitFor(() => expect(pages).toHaveLength(3))
    expect(pages.slice(1).map(({createdAtMin, createdAtMax}) => [createdAtMin, createdAtMax])).toEqual([
      [midnight(1), undefined],
      [midnight(1), midnight(3)],
    ])
    expect(screen.getByText('Nothing matches these filters.')).toBeVisible()
    fireEvent.click(await screen.findByRole('button', {name: 'Load older'}))
    await waitFor(() => expect(pages).toHaveLength(4))
    fireEvent.click(screen.getAllByRole('button', {name: 'Clear filters'})[0] ?? document.body)
    expect(screen.getByText('prompt a')).toBeVisible()
    expect(actors.list.getSnapshot().context.total).toBe(90)
  })

  test('words that match nothing leave the way to older ones', async () => {
    const {pages} = await openHistory({tasks: [klingTask('a')], total: 90})
    await screen.findByText('prompt a')
    fireEvent.change(screen.getByRole('searchbox', {name: 'Search prompts'}), {target: {value: 'bar'}})
    fireEvent.click(screen.getByRole('button', {name: 'Load older'}))
    await waitFor(() => expect(pages).toHaveLength(2))
  })

  test('without a token leads to set-up, as the tool does', async () => {
    const {media} = await openHistory({hasApplication: false})
    expect(screen.queryByText("Couldn't load your results.")).toBeNull()
    fireEvent.click(await screen.findByRole('button', {name: 'Get started'}))
    expect(media.startSetUp).toHaveBeenCalledTimes(1)
  })
})
