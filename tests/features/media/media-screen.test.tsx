import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {Profiler} from 'react'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import {HistoryScreen} from '#features/media/history/history-screen.tsx'
import {MediaScreen} from '#features/media/media-screen.tsx'
import {SettingsPanel} from '#features/media/settings-panel.tsx'
import {selectPending} from '#machines/task-list/task-list.selectors.ts'
import {renderView} from '#tests/ui/render.tsx'
import {now} from './cards.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {createMediaWorld, InMedia} from './media-fixture.tsx'
import {klingShown, klingTask, Slots, slots, useWidth} from './open-screen.tsx'
import {eventually} from '../../eventually.ts'

const running = (id: string) => klingTask(id, {response: {task_id: id, state: 'processing'}})

beforeEach(() => void useWidth(1_440))

async function open(options: Parameters<typeof createMediaWorld>[1] = {}) {
  const world = createMediaWorld(klingShown, options)
  const slotsView = renderView(<Slots />)
  const commits = vi.fn()
  const view = renderView(
    <Profiler id="screen" onRender={commits}>
      <InMedia media={world.media}>
        <MediaScreen slots={slots()} switcher={() => <button type="button">Kling</button>} />
      </InMedia>
    </Profiler>,
  )
  await act(async () => {
    await eventually(() => expect(world.actors.pages.getSnapshot().matches({newest: 'request'})).toBe(false))
  })
  return {...world, view, slotsView, commits}
}
const panel = () => within(document.querySelector<HTMLElement>('#panel') ?? document.body)
const generate = () => panel().getByRole('button', {name: /^Generate/})
const prompt = () => panel().getByRole<HTMLTextAreaElement>('textbox', {name: /^Prompt/})

describe('results', () => {
  test('the newest page shows newest first, with counts in the head', async () => {
    const {pages} = await open({tasks: [klingTask('a', {created_at: now - 90}), running('b')], total: 48})
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
    const {actors} = await open({tasks: [running('b')]})
    fireEvent.click(screen.getByRole('button', {name: 'In progress 1'}))
    act(() => actors.list.send({type: 'tasks.polled', records: [toTaskRecord(kling, klingTask('b'))]}))
    expect(await screen.findByText('Nothing matches these filters.')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Clear filters'}))
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  test('nothing made yet: three examples that fill the form', async () => {
    const {actors} = await open()
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
    const {pages} = await open({fails: true})
    expect(await screen.findByText("Couldn't load your results.")).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
    await waitFor(() => expect(pages).toHaveLength(2))
  })

  test('without an application both feed and button lead to set-up', async () => {
    const {media} = await open({hasApplication: false})
    const [first, second] = await screen.findAllByRole('button', {name: 'Get started'})
    fireEvent.click(first ?? document.body)
    fireEvent.click(second ?? document.body)
    expect(media.startSetUp).toHaveBeenCalledTimes(2)
  })

  test('a poll without news commits nothing', async () => {
    const {actors, commits} = await open({tasks: [klingTask('a'), running('b')]})
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

describe('the form', () => {
  test('shows what a run costs and what is left after it', async () => {
    await open({balance: 100})
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    const expectCost = (words: string) =>
      eventually(() => expect(document.querySelector('#panel')?.textContent).toContain(words))
    await expectCost('Estimated cost 1.40 credits')
    await expectCost('98.60 left after')
    fireEvent.click(panel().getByRole('radio', {name: '10 s'}))
    await expectCost('Estimated cost 2.80 credits')
  })

  test('says how much is missing', async () => {
    await open({balance: 1})
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    await waitFor(() => expect(document.querySelector('#panel')?.textContent).toContain('0.40 credits short'))
  })

  test('faults show from the first try on', async () => {
    const {submitted} = await open()
    expect(prompt().getAttribute('aria-invalid')).toBeNull()
    fireEvent.click(generate())
    expect(submitted).toEqual([])
    expect(await panel().findByText('Describe what to make first.')).toBeVisible()
    expect(prompt().getAttribute('aria-invalid')).toBe('true')
    await waitFor(() => expect(document.activeElement).toBe(prompt()))
  })

  test('a prompt is called optional only while the form can go without it', async () => {
    const {actors} = await open()
    expect(await panel().findByText('0 / 500')).toBeVisible()
    act(() => actors.generation.send({type: 'form.fill', values: {start_image_url: 'https://cdn.example/a.png'}}))
    expect(panel().queryByText('0 / 500')).toBeNull()
  })

  test('Ctrl+Enter sends what the form says, and its card is there at once', async () => {
    const {submitted} = await open()
    fireEvent.change(prompt(), {target: {value: 'a paper boat'}})
    fireEvent.keyDown(prompt(), {key: 'Enter', ctrlKey: true})
    expect(submitted).toHaveLength(1)
    expect(submitted[0]).toMatchObject({
      key: 'key-1',
      submission: {operation: 'videos', body: {prompt: 'a paper boat'}},
    })
    const [newest] = screen.getAllByRole('article')
    expect(within(newest ?? document.body).getByText('Sending')).toBeVisible()
  })

  test('an input method that composes sends nothing', async () => {
    const {submitted} = await open()
    fireEvent.change(prompt(), {target: {value: 'にほん'}})
    fireEvent.keyDown(prompt(), {key: 'Enter', ctrlKey: true, keyCode: 229})
    expect(submitted).toEqual([])
  })

  test('generating waits for an upload and says so', async () => {
    const {submitted, uploads} = await open()
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    const [input] = document.querySelectorAll<HTMLInputElement>('#panel input[type="file"]')
    fireEvent.change(input ?? document.body, {target: {files: [new File(['foo'], 'a.png', {type: 'image/png'})]}})
    expect(await panel().findByRole('progressbar', {name: 'Uploading a.png'})).toBeVisible()
    await act(async () => uploads.next({type: 'upload.progressed', percent: 40}))
    expect(panel().getByRole('progressbar', {name: 'Uploading a.png'}).getAttribute('aria-valuenow')).toBe('40')
    fireEvent.click(generate())
    expect(panel().getByText('Generating waits for the upload.')).toBeVisible()
    expect(submitted).toEqual([])
    await act(async () => uploads.next({type: 'upload.finished', url: 'https://hub.example/files/a.png'}))
    await act(async () => uploads.complete())
    expect(submitted[0]?.submission.body).toEqual({
      start_image_url: 'https://hub.example/files/a.png',
      prompt: 'foo',
      model: 'kling-v1',
      aspect_ratio: '1:1',
      duration: 5,
      mode: 'std',
      cfg_scale: 0,
    })
  })

  test('taking a thumbnail away clears the value', async () => {
    const {actors} = await open()
    act(() => actors.generation.send({type: 'form.fill', values: {start_image_url: 'https://cdn.example/a.png'}}))
    fireEvent.click(panel().getByRole('button', {name: 'Remove a.png'}))
    expect(actors.generation.getSnapshot().context.form.start_image_url).toBe('')
  })

  test('a file of the wrong type is refused with the types that work', async () => {
    await open()
    const [input] = document.querySelectorAll<HTMLInputElement>('#panel input[type="file"]')
    fireEvent.change(input ?? document.body, {target: {files: [new File(['foo'], 'a.svg', {type: 'image/svg+xml'})]}})
    expect((await panel().findByRole('alert')).textContent).toBe(
      'a.svg: Only PNG, JPEG, GIF, BMP, or WEBP files work here.',
    )
  })

  test('own results can be picked', async () => {
    const {media, actors} = await open()
    media.ownResults.mockResolvedValue([{url: 'https://cdn.example/own.png', previewUrl: undefined, title: 'an owl'}])
    fireEvent.click(panel().getAllByRole('button', {name: 'Pick from your results'})[0] ?? document.body)
    fireEvent.click(await screen.findByRole('button', {name: 'an owl'}))
    expect(actors.generation.getSnapshot().context.form.start_image_url).toBe('https://cdn.example/own.png')
  })

  test('reset takes everything back to its default and says when there is something to take back', async () => {
    const {actors} = await open()
    expect(await panel().findByRole('button', {name: 'Reset'})).toBeVisible()
    fireEvent.change(prompt(), {target: {value: 'foo'}})
    fireEvent.click(panel().getByRole('button', {name: 'Reset Changed'}))
    expect(actors.generation.getSnapshot().context.form.prompt).toBe('')
  })
})

describe('what can be done with a task', () => {
  test('its settings go into the form', async () => {
    const {media, actors} = await open({tasks: [klingTask('a')]})
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
    const {actors} = await open({tasks: [failed]})
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
    await open({tasks: [klingTask('a'), klingTask('b')]})
    const [article] = screen.getAllByRole('article')
    fireEvent.keyDown(article ?? document.body, {key: 'Delete'})
    expect(screen.getAllByRole('article')).toHaveLength(1)
  })

  test('a result opens over the page, with its details and actions', async () => {
    const {actors} = await open({tasks: [klingTask('a')]})
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
    const {actors, submitted} = await open({tasks: [klingTask('a')]})
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
