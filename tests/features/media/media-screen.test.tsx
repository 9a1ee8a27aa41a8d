import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import {HistoryScreen} from '#features/media/history/history-screen.tsx'
import {SettingsPanel} from '#features/media/settings-panel.tsx'
import {selectPending} from '#machines/task-list/task-list.selectors.ts'
import {renderView} from '#tests/ui/render.tsx'
import {now} from './cards.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {createMediaWorld, InMedia} from './media-fixture.tsx'
import {klingShown, klingTask, Slots, slots, useWidth} from './open-screen.tsx'
import {openMedia, prompt} from './media-screen-fixture.tsx'

const running = (id: string) => klingTask(id, {response: {task_id: id, state: 'processing'}})

beforeEach(() => void useWidth(1_440))

describe('results', () => {
  test('the newest page shows newest first, with counts in the head', async () => {
    const {pages} = await openMedia({tasks: [klingTask('a', {created_at: now - 90}), running('b')], total: 48})
    expect(pages).toHaveLength(1)
    expect(screen.getAllByRole('article').map((each) => within(each).getByText(/^prompt/).textContent)).toEqual([
      'prompt b',
      'prompt a',
    ])
    const head = within(document.querySelector<HTMLElement>('#head') ?? document.body)
    expect(head.getByRole('heading', {level: 1, name: 'Results'})).toBeVisible()
    fireEvent.click(head.getByRole('button', {name: 'In progress 1'}))
    expect(screen.getAllByRole('article')).toHaveLength(1)
    expect(head.getByRole('button', {name: 'All 48'})).toBeVisible()
  })

  test('a filter that leaves nothing stays in sight and can be cleared', async () => {
    const {actors} = await openMedia({tasks: [running('b')]})
    fireEvent.click(screen.getByRole('button', {name: 'In progress 1'}))
    act(() => actors.list.send({type: 'tasks.polled', records: [toTaskRecord(kling, klingTask('b'))]}))
    expect(await screen.findByText('Nothing matches these filters.')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Clear filters'}))
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  test('nothing made yet: three examples that fill the form', async () => {
    const {actors} = await openMedia()
    const examples = within(await screen.findByRole('list', {name: 'Examples'})).getAllByRole('button')
    expect(examples).toHaveLength(3)
    fireEvent.click(examples[1] ?? document.body)
    const {form} = actors.generation.getSnapshot().context
    expect(form).toEqual({
      prompt: examples[1]?.textContent,
      aspect_ratio: '9:16',
      model: 'kling-v1',
      start_image_url: '',
      end_image_url: '',
      duration: 5,
      mode: 'std',
      cfg_scale: 0,
      negative_prompt: '',
      video_id: '',
      video_url: '',
    })
    expect(prompt().value).toBe(examples[1]?.textContent)
  })

  test('a list that could not be had says so and is asked for again', async () => {
    const {pages} = await openMedia({fails: true})
    expect(await screen.findByText("Couldn't load your results.")).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
    await waitFor(() => expect(pages).toHaveLength(2))
  })

  test('without an application both feed and button lead to set-up', async () => {
    const {media} = await openMedia({hasApplication: false})
    const [first, second] = await screen.findAllByRole('button', {name: 'Get started'})
    fireEvent.click(first ?? document.body)
    fireEvent.click(second ?? document.body)
    expect(media.startSetUp).toHaveBeenCalledTimes(2)
  })

  test('a poll without news commits nothing', async () => {
    const {actors, commits} = await openMedia({tasks: [klingTask('a'), running('b')]})
    const before = commits.mock.calls.length
    act(() => {
      actors.list.send({type: 'tasks.polled', records: [toTaskRecord(kling, running('b'))]})
      actors.list.send({
        type: 'tasks.polled',
        records: [toTaskRecord(kling, klingTask('a')), toTaskRecord(kling, running('b'))],
      })
    })
    expect(commits.mock.calls).toHaveLength(before)
    act(() => actors.list.send({type: 'tasks.polled', records: [toTaskRecord(kling, klingTask('b'))]}))
    expect(commits.mock.calls.length).toBeGreaterThan(before)
  })
})

describe('what can be done with a task', () => {
  test('its settings go into the form', async () => {
    const {media, actors} = await openMedia({tasks: [klingTask('a')]})
    media.formOf.mockReturnValue({prompt: 'prompt a', duration: 10})
    const [article] = screen.getAllByRole('article')
    fireEvent.keyDown(article ?? document.body, {key: 'r'})
    expect(media.formOf).toHaveBeenCalledWith(expect.objectContaining({prompt: 'prompt a'}), 'videos')
    expect(actors.generation.getSnapshot().context.form).toEqual({
      prompt: 'prompt a',
      duration: 10,
      model: 'kling-v1',
      aspect_ratio: '1:1',
      start_image_url: '',
      end_image_url: '',
      mode: 'std',
      cfg_scale: 0,
      negative_prompt: '',
      video_id: '',
      video_url: '',
    })
  })

  test('a failed one is sent again as a new task, without what the server added to its request', async () => {
    const failed = klingTask('a', {
      request: {prompt: 'foo', model: 'kling-v1', callback_url: 'https://hook.example', seed: null},
      response: {success: false, task_id: 'a', error: {code: 'forbidden', message: 'content refused'}},
    })
    const {actors} = await openMedia({tasks: [failed]})
    fireEvent.click(screen.getByRole('button', {name: 'Try again'}))
    // the second half of a double click
    fireEvent.click(screen.getAllByRole('button', {name: 'Try again'}).at(-1) ?? document.body)
    expect(selectPending(actors.list.getSnapshot())).toEqual([
      {
        key: 'key-1',
        submission: {operation: 'videos', body: {prompt: 'foo', model: 'kling-v1'}},
        tool: 'kling',
        at: expect.any(Number),
        form: {prompt: 'foo', model: 'kling-v1', callback_url: 'https://hook.example', seed: null},
        state: 'sending',
      },
    ])
  })

  test('removing takes the card off at once', async () => {
    await openMedia({tasks: [klingTask('a'), klingTask('b')]})
    const [article] = screen.getAllByRole('article')
    fireEvent.keyDown(article ?? document.body, {key: 'Delete'})
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  test('a result opens over the page, with its details and actions', async () => {
    const {actors} = await openMedia({tasks: [klingTask('a')]})
    fireEvent.click(await screen.findByRole('button', {name: 'Play Result of: prompt a'}))
    const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
    expect(await within(dialog).findByText('Task ID')).toBeVisible()
    expect(within(dialog).getByText('Model').nextElementSibling?.textContent).toBe('v1')
    fireEvent.click(within(dialog).getByRole('button', {name: 'Extend'}))
    expect(actors.generation.getSnapshot().context.form).toEqual({
      video_id: 'v-a',
      prompt: 'prompt a',
      model: 'kling-v1',
      aspect_ratio: '16:9',
      start_image_url: '',
      end_image_url: '',
      duration: 5,
      mode: 'std',
      cfg_scale: 0,
      negative_prompt: '',
      video_url: 'https://cdn.example/a.mp4',
    })
    await waitFor(() => expect(screen.queryByRole('dialog', {name: 'Viewer'})).toBeNull())
  })
})

describe('on a phone', () => {
  test('the prompt is docked, the form opens in a sheet and Generate stays in it', async () => {
    useWidth(390)
    const {actors, submitted} = await openMedia({tasks: [klingTask('a')]})
    expect(document.querySelector('#panel')?.childElementCount).toBe(0)
    act(() => actors.generation.send({type: 'form.fill', values: {prompt: 'a paper boat'}}))
    const line = await screen.findByRole('button', {name: 'Settings: 1:1 · Standard · 5 s'})
    // each keeps its own direction
    expect([...line.querySelectorAll('bdi')].map(({textContent}) => textContent)).toEqual(['1:1', 'Standard', '5 s'])
    fireEvent.click(screen.getByRole('button', {name: 'a paper boat'}))
    const sheet = await screen.findByRole('dialog', {name: 'Settings'})
    fireEvent.click(within(sheet).getByRole('button', {name: /^Generate/}))
    expect(submitted).toHaveLength(1)
    await waitFor(() => expect(screen.queryByRole('dialog', {name: 'Settings'})).toBeNull())
  })
})

test('a history has the same feed and no form; using a result goes to the tool', async () => {
  const world = createMediaWorld(klingShown, {tasks: [klingTask('a')]})
  renderView(<Slots />)
  renderView(
    <InMedia media={world.media}>
      <HistoryScreen slots={slots()} switcher={() => null} title="Kling history" />
    </InMedia>,
  )
  expect(await screen.findByText('prompt a')).toBeVisible()
  expect(document.querySelector('#panel')?.childElementCount).toBe(0)
  fireEvent.change(screen.getByRole('searchbox', {name: 'Search prompts'}), {target: {value: 'nothing'}})
  expect(screen.getByText('Nothing matches these filters.')).toBeVisible()
  fireEvent.change(screen.getByRole('searchbox'), {target: {value: 'PROMPT'}})
  const back = screen.getByRole('link', {name: 'Open Kling'})
  expect(back.getAttribute('href')).toBe('/kling')
  fireEvent.click(back)
  expect(world.media.navigation.go).toHaveBeenCalledExactlyOnceWith('/kling')
  world.media.navigation.go.mockClear()
  fireEvent.keyDown(screen.getByRole('article'), {key: 'r'})
  expect(world.media.navigation.go).toHaveBeenCalledExactlyOnceWith('/kling')
})

test('in Arabic nothing is missing and times stay left to right', async () => {
  const world = createMediaWorld(klingShown, {tasks: [running('a')]})
  renderView(
    <InMedia media={world.media}>
      <SettingsPanel />
    </InMedia>,
    {locale: 'ar'},
  )
  expect(screen.getAllByRole('radiogroup').length).toBeGreaterThan(1)
})
