import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import type {CardState} from '#machines/task-list/task-list.selectors.ts'
import {contentShape} from '#features/media/feed/ratio.ts'
import {TaskCard} from '#features/media/feed/task-card.tsx'
import {OtherOrWaitingRow} from '#features/media/songs/waiting-row.tsx'
import {wells} from '#features/media/feed/load-task-well.ts'
import {renderView} from '#tests/ui/render.tsx'
import {card, createCommands, now} from './cards.ts'
import {propsOf, showCard} from './show-card.tsx'

// a card without a result tells its state in one line until these are there
beforeEach(async () => void (await wells.load()))
afterEach(() => vi.useRealTimers())

/** Every state says what it is in words and has a way out. */
const states = {
  sending: {says: 'Sending', ways: []},
  offline: {says: 'Waiting for the network', ways: ['Try again']},
  looking: {says: 'Looking for your request', ways: []},
  unsure: {says: "We don't know if this was sent", ways: ['Send again', 'Remove']},
  rejected: {says: "This wasn't accepted", ways: ['Try again', 'Edit', 'Remove']},
  usedUp: {says: "You're out of credits for this tool.", ways: ['Try again', 'Edit', 'Remove']},
  queued: {says: 'Waiting to start', ways: []},
  running: {says: 'Rendering', ways: []},
  checking: {says: 'Checking with the server', ways: ['Check now']},
  lost: {says: 'Lost contact', ways: ['Check now']},
  gone: {says: 'Not on the server any more', ways: ['Check now', 'Remove']},
  failed: {says: "This one didn't work", ways: ['Try again', 'Edit']},
  succeeded: {says: undefined, ways: ['Play Result of: a paper boat']},
} as const satisfies Record<CardState, {says: string | undefined; ways: readonly string[]}>

describe('each state', () => {
  // as: the table has exactly the states as its keys
  test.each(Object.keys(states) as CardState[])('%s', (state) => {
    showCard(card(state))
    const {says, ways} = states[state]
    if (says !== undefined) expect(screen.getByText(says)).toBeVisible()
    for (const way of ways) expect(screen.getByRole('button', {name: way})).toBeVisible()
    expect(screen.getByRole('button', {name: 'More'})).toBeVisible()
  })
})

test.each([
  ['sending', 'Sending'],
  ['unsure', /^The connection broke/],
  ['failed', "This one didn't work"],
] as const)('%s is told in one line while the rest of it cannot be loaded', async (state, line) => {
  wells.loaded = undefined
  const load = vi.spyOn(wells, 'load').mockRejectedValue(new TypeError('offline'))
  const {view} = showCard(card(state))
  await act(async () => undefined)
  expect(screen.getByText(line)).toBeVisible()
  expect(screen.queryByRole('button', {name: /again$/})).toBeNull()
  load.mockRestore()
  // the next card without a result asks for it again
  view.rerender(<TaskCard {...propsOf(card('rejected'))} />)
  expect(await screen.findByRole('button', {name: 'Try again'})).toBeVisible()
})

test('is an article named by its prompt, with its position in the feed', () => {
  const {article} = showCard(card('queued'))
  expect(article.getAttribute('aria-posinset')).toBe('1')
  expect(article.getAttribute('aria-setsize')).toBe('3')
  expect(screen.getByRole('article', {name: 'a paper boat'})).toBe(article)
  expect(screen.getByRole('heading', {level: 2, name: 'Today'})).toBeVisible()
})

test('time goes on while it waits, and only its line is drawn', () => {
  vi.useFakeTimers()
  let time = now
  const commands = {...createCommands(), now: () => time}
  renderView(
    <TaskCard
      card={card('queued', {at: now - 18})}
      layout="grid"
      isFavourite={false}
      heading={undefined}
      index={0}
      count={1}
      isCurrent
      shapeOf={(each) => contentShape(kling, each, 1)}
      commands={commands}
      onCurrent={vi.fn()}
    />,
  )
  expect(screen.getByText(/0:18/)).toBeVisible()
  const drawn = commands.meta.mock.calls.length
  time += 5
  act(() => void vi.advanceTimersByTime(1_000))
  expect(screen.getByText(/0:23/)).toBeVisible()
  expect(commands.meta.mock.calls).toHaveLength(drawn)
})

test('a percentage only where the server says one', () => {
  const {view} = showCard(card('running'))
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBeNull()
  view.unmount()
  showCard(card('running', {reading: {artifacts: [], progress: 41.6}}))
  expect(screen.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42')
})

test('after a quarter of an hour it says that it takes long, and can be asked for', () => {
  const shown = card('running', {at: now - 16 * 60})
  const {commands} = showCard(shown)
  expect(screen.getByText('Taking longer than usual.')).toBeVisible()
  fireEvent.click(screen.getByRole('button', {name: 'Check now'}))
  expect(commands.check).toHaveBeenCalledExactlyOnceWith(shown)
})

test('a failure gives the reason of the server and its code, and goes on from there', () => {
  const shown = card('failed', {failure: {code: 'forbidden', detail: 'content refused', traceId: 'trace-1'}})
  const {commands} = showCard(shown)
  expect(screen.getByText('content refused')).toBeVisible()
  expect(screen.getByText('forbidden')).not.toBeVisible()
  fireEvent.click(screen.getByText('Details'))
  expect(screen.getByText('forbidden')).toBeVisible()
  fireEvent.click(screen.getByRole('button', {name: 'Try again'}))
  fireEvent.click(screen.getByRole('button', {name: 'Edit'}))
  expect(commands.retry).toHaveBeenCalledExactlyOnceWith(shown)
  expect(commands.edit).toHaveBeenCalledExactlyOnceWith(shown)
})

test('a lost connection is told in a sentence of ours, not in the words of the browser', () => {
  showCard(card('rejected', {id: undefined, failure: {code: 'unknown', detail: 'Failed to fetch', lost: true}}))
  expect(screen.getByText('The server did not answer. Check your connection.')).toBeVisible()
  expect(screen.queryByText(/Failed to fetch/)).toBeNull()
})
test('a failure names its ids under its details, and copies error and ids at once', async () => {
  const written: string[] = []
  vi.stubGlobal('navigator', {
    ...navigator,
    clipboard: {writeText: (value: string) => Promise.resolve(written.push(value))},
  })
  showCard(card('failed', {failure: {code: 'forbidden', detail: 'content refused', traceId: 'trace-1'}}))
  const details = screen.getByText('Details').closest('details')
  expect(details?.open).toBe(false)
  expect([...(details?.querySelectorAll('dd') ?? [])].map(({textContent}) => textContent)).toEqual([
    'task-1',
    'trace-1',
  ])
  fireEvent.click(screen.getByRole('button', {name: 'Copy details'}))
  await waitFor(() => expect(written).toEqual(['forbidden: content refused\ntask task-1\ntrace trace-1']))
  vi.unstubAllGlobals()
})

test('a refused request is the same request when it is sent again', () => {
  const shown = card('rejected', {id: undefined, failure: {code: 'bad_request', detail: 'foo'}})
  const {commands} = showCard(shown)
  fireEvent.click(screen.getByRole('button', {name: 'Try again'}))
  expect(commands.sendAgain).toHaveBeenCalledExactlyOnceWith(shown)
  expect(commands.retry).not.toHaveBeenCalled()
})

test('a row in the list of songs without a time ends with its menu, and leaves no room for one', () => {
  const commands = {...createCommands(), play: vi.fn(), select: vi.fn(), watch: vi.fn(), songMenu: () => []}
  const {container} = renderView(
    <OtherOrWaitingRow id="foo" card={card('offline')} commands={{...commands, lead: () => undefined}} />,
  )
  const row = container.querySelector('[data-state="offline"]')
  expect(row?.lastElementChild?.contains(screen.getByRole('button', {name: 'Try again'}))).toBe(true)
})

const usedUp = (amounts: {needed?: string; available?: string} = {}) =>
  card('usedUp', {id: undefined, failure: {code: 'used_up', detail: 'foo', ...amounts}})

const short = /credits short/
test.each([
  ['how many credits are missing', {needed: '4.200000', available: '1.000120'}, '3.19988 credits short'],
  ['nothing where the server named no amounts', {}, undefined],
  ['nothing where the balance would do', {needed: '1.000000', available: '1.000000'}, undefined],
])('used up says %s, in the feed and in the list of songs', (_, amounts, said) => {
  const {view} = showCard(usedUp(amounts))
  expect(screen.queryByText(short)?.textContent).toBe(said)
  view.unmount()
  const commands = {...createCommands(), play: vi.fn(), select: vi.fn(), watch: vi.fn(), songMenu: () => []}
  renderView(<OtherOrWaitingRow id="foo" card={usedUp(amounts)} commands={{...commands, lead: () => undefined}} />)
  expect(screen.queryByText(short)?.textContent).toBe(said)
})

test('used up offers credits first', () => {
  const shown = usedUp()
  const {commands} = showCard(shown)
  const {onFollow} = commands.addCredits(shown)
  expect(commands.addCredits).toHaveBeenNthCalledWith(1, shown)
  const link = screen.getByRole('link', {name: 'Add credits'})
  expect(link.getAttribute('href')).toBe('/console/applications/foo/extra')
  // the page stays: the request that waits for credits is one of its actors
  expect(fireEvent.click(link)).toBe(false)
  expect(onFollow).toHaveBeenCalledTimes(1)
  expect(fireEvent.click(link, {ctrlKey: true})).toBe(true)
})

describe('keys of a focused card', () => {
  test('open, download, reuse, delete', () => {
    const shown = card('succeeded')
    const {commands, article} = showCard(shown)
    fireEvent.keyDown(article, {key: 'Enter'})
    fireEvent.keyDown(article, {key: ' '})
    fireEvent.keyDown(article, {key: 'd'})
    fireEvent.keyDown(article, {key: 'r'})
    fireEvent.keyDown(article, {key: 'Delete'})
    expect(commands.open.mock.calls).toEqual([
      [shown, 0],
      [shown, 0],
    ])
    expect(commands.download).toHaveBeenCalledExactlyOnceWith(shown, undefined)
    expect(commands.reuse).toHaveBeenCalledExactlyOnceWith(shown)
    expect(commands.remove).toHaveBeenCalledExactlyOnceWith(shown)
  })

  test('are not taken from buttons in it, from an input method, or with Ctrl', () => {
    const {commands, article} = showCard(card('succeeded'))
    fireEvent.keyDown(screen.getByRole('button', {name: 'More'}), {key: 'd'})
    fireEvent.keyDown(article, {key: 'd', ctrlKey: true})
    fireEvent.keyDown(article, {key: 'd', keyCode: 229})
    expect(commands.download).not.toHaveBeenCalled()
  })

  test('a request without a task is put aside', () => {
    const shown = card('rejected', {id: undefined})
    const {commands, article} = showCard(shown)
    fireEvent.keyDown(article, {key: 'Delete'})
    expect(commands.discard).toHaveBeenCalledExactlyOnceWith(shown)
    expect(commands.remove).not.toHaveBeenCalled()
  })
})

test('the menus are made when they are asked for', async () => {
  const shown = card('succeeded')
  const {commands} = showCard(shown)
  expect(commands.menu).not.toHaveBeenCalled()
  expect(commands.useIn).not.toHaveBeenCalled()
  fireEvent.click(screen.getByRole('button', {name: 'More'}))
  await waitFor(() => expect(commands.menu).toHaveBeenCalledWith(shown, undefined))
})

test('an image without a code is told in full, whatever the server says', () => {
  showCard(card('rejected', {id: undefined, failure: {code: 'no_code', detail: 'foo', status: 400}}))
  expect(screen.getByText(/^No QR code can be read in this image\. Choose/)).toBeVisible()
  expect(screen.queryByText(/foo/)).toBeNull()
})
