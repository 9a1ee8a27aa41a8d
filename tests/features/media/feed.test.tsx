import {act, fireEvent, screen, within} from '@testing-library/react'
import {useRef} from 'react'
import {describe, expect, test, vi} from 'vitest'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {filterCards} from '#features/media/feed/filter-cards.ts'
import {FeedFilters} from '#features/media/feed/feed-head.tsx'
import {Feed, type FeedProps} from '#features/media/feed/feed.tsx'
import {feedRows} from '#features/media/feed/feed-rows.ts'
import {TaskCard} from '#features/media/feed/task-card.tsx'
import {EmptyFeed} from '#features/media/feed/empty-feed.tsx'
import {matching} from '#features/media/history/use-history-range.ts'
import {renderView} from '#tests/ui/render.tsx'
import {card, createCommands, now} from './cards.ts'

const day = 86_400
const wide = () => ({ratio: 16 / 9, count: 1})
const four = [
  card('running', {key: 'a', prompt: 'foo', at: now - 60}),
  card('failed', {key: 'b', prompt: 'bar', at: now - 120}),
  card('succeeded', {key: 'c', prompt: 'baz', at: now - day}),
  card('succeeded', {key: 'd', prompt: 'qux', at: now - 10 * day}),
]

function FeedUnderTest(given: Partial<FeedProps> & {cards: readonly Card[]}) {
  const scroller = useRef<HTMLDivElement>(null)
  const commands = useRef(createCommands())
  return (
    <div ref={scroller}>
      <Feed
        label="Results"
        columns={1}
        scroller={scroller}
        older="none"
        onOlder={() => undefined}
        now={() => now}
        item={(position) => (
          <TaskCard isFavourite={false} {...position} layout="grid" shapeOf={wide} commands={commands.current} />
        )}
        {...given}
      />
    </div>
  )
}

test('cards stand newest first under the days they were asked for', () => {
  renderView(<FeedUnderTest cards={four} />)
  const feed = screen.getByRole('feed', {name: 'Results'})
  expect(
    within(feed)
      .getAllByRole('article')
      .map((article) => article.getAttribute('data-card')),
  ).toEqual(['a', 'b', 'c', 'd'])
  expect(
    within(feed)
      .getAllByRole('heading', {level: 2})
      .map(({textContent}) => textContent),
  ).toEqual(['Today', 'Yesterday', 'Sunday, March 1'])
  expect(
    within(feed)
      .getAllByRole('article')
      .map((article) => article.getAttribute('aria-setsize')),
  ).toEqual(['4', '4', '4', '4'])
})

test('days of another language and year', () => {
  renderView(<FeedUnderTest cards={[card('succeeded', {at: now - 400 * day})]} />, {locale: 'de'})
  expect(screen.getByRole('heading', {level: 2}).textContent).toBe('Dienstag, 4. Februar 2025')
})

test('each day begins a row', () => {
  expect(feedRows(four, 3).map(({cards, from}) => [cards.map(({key}) => key), from])).toEqual([
    [['a', 'b'], 0],
    [['c'], 2],
    [['d'], 3],
  ])
  expect(feedRows(four, 1)).toHaveLength(4)
})

describe('filters', () => {
  test('keep what runs or what failed, with their numbers', () => {
    expect(filterCards(four, 'busy', new Set()).map(({key}) => key)).toEqual(['a'])
    expect(filterCards(four, 'failed', new Set()).map(({key}) => key)).toEqual(['b'])
    expect(filterCards(four, 'all', new Set())).toBe(four)
    const onFilter = vi.fn()
    renderView(<FeedFilters filter="all" counts={{all: 48, busy: 2, failed: 1, favourites: 0}} onFilter={onFilter} />)
    const buttons = screen.getAllByRole('button')
    expect(buttons.map(({textContent}) => textContent)).toEqual(['All48', 'In progress2', 'Failed1'])
    fireEvent.click(screen.getByRole('button', {name: /^Failed/}))
    expect(onFilter).toHaveBeenCalledExactlyOnceWith('failed')
  })

  test('one without a card goes away, unless it is on', () => {
    const {rerender} = renderView(
      <FeedFilters filter="all" counts={{all: 3, busy: 0, failed: 0, favourites: 0}} onFilter={vi.fn()} />,
    )
    expect(screen.getAllByRole('button')).toHaveLength(1)
    rerender(<FeedFilters filter="busy" counts={{all: 3, busy: 0, failed: 0, favourites: 0}} onFilter={vi.fn()} />)
    expect(screen.getByRole('button', {name: /^In progress/, pressed: true})).toBeVisible()
  })

  test('of a history: days and words of the prompt', () => {
    const keys = (range: {from: string; to: string; words: string}) => matching(four, range).map(({key}) => key)
    expect(keys({from: '2026-03-11', to: '', words: ''})).toEqual(['a', 'b'])
    expect(keys({from: '', to: '2026-03-10', words: ''})).toEqual(['c', 'd'])
    expect(keys({from: '', to: '', words: ' BA'})).toEqual(['b', 'c'])
    expect(matching(four, {from: '', to: '', words: ' '})).toBe(four)
  })

  test('a day of a history ends with the day, also when the clock changes', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    const at = (time: string) => card('succeeded', {key: time, at: Date.parse(time) / 1_000})
    const keys = (day: string, cards: Card[]) => matching(cards, {from: day, to: day, words: ''}).map(({key}) => key)
    // a day of 23 hours: its midnights are 23:00 and 22:00 in UTC
    const short = [at('2026-03-28T23:00:00Z'), at('2026-03-29T21:59:59Z'), at('2026-03-29T22:00:00Z')]
    expect(keys('2026-03-29', short)).toEqual(['2026-03-28T23:00:00Z', '2026-03-29T21:59:59Z'])
    // one of 25
    const long = [at('2026-10-24T22:00:00Z'), at('2026-10-25T22:59:59Z'), at('2026-10-25T23:00:00Z')]
    expect(keys('2026-10-25', long)).toEqual(['2026-10-24T22:00:00Z', '2026-10-25T22:59:59Z'])
    vi.unstubAllEnvs()
  })
})

describe('by keyboard', () => {
  const current = () => document.activeElement?.getAttribute('data-card')
  const focusFirst = () => act(() => screen.getAllByRole('article')[0]?.focus())
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, {key})

  test('one card is in the tab order; J, K, arrows, Home and End move', () => {
    renderView(<FeedUnderTest cards={four} />)
    expect(screen.getAllByRole('article').map(({tabIndex}) => tabIndex)).toEqual([0, -1, -1, -1])
    focusFirst()
    press('j')
    expect(current()).toBe('b')
    press('ArrowDown')
    expect(current()).toBe('c')
    press('k')
    expect(current()).toBe('b')
    press('End')
    expect(current()).toBe('d')
    press('j')
    expect(current()).toBe('d')
    press('Home')
    expect(current()).toBe('a')
    expect(screen.getAllByRole('article').map(({tabIndex}) => tabIndex)).toEqual([0, -1, -1, -1])
  })

  test('keys pressed in a card are not the feed’s', () => {
    renderView(<FeedUnderTest cards={four} />)
    focusFirst()
    fireEvent.keyDown(within(screen.getAllByRole('article')[0] ?? document.body).getByRole('button', {name: 'More'}), {
      key: 'j',
    })
    expect(current()).toBe('a')
  })

  test('the focus stays on its card when a new one comes before it', () => {
    const {rerender} = renderView(<FeedUnderTest cards={four} />)
    focusFirst()
    press('j')
    rerender(<FeedUnderTest cards={[card('sending', {key: 'new', at: now}), ...four]} />)
    expect(current()).toBe('b')
  })
})

describe('older tasks', () => {
  test('are asked for by a real button', () => {
    const onOlder = vi.fn()
    renderView(<FeedUnderTest cards={four} older="some" onOlder={onOlder} />)
    expect(screen.getAllByRole('article')[0]?.getAttribute('aria-setsize')).toBe('-1')
    fireEvent.click(screen.getByRole('button', {name: 'Load older'}))
    expect(onOlder).toHaveBeenCalledTimes(1)
  })

  test('that could not be had are asked for again; those on their way are waited for', () => {
    const onOlder = vi.fn()
    const {rerender} = renderView(<FeedUnderTest cards={four} older="failed" onOlder={onOlder} />)
    expect(screen.getByRole('alert').textContent).toBe("Couldn't load older results.")
    fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
    expect(onOlder).toHaveBeenCalledTimes(1)
    rerender(<FeedUnderTest cards={four} older="loading" onOlder={onOlder} />)
    expect(screen.getByRole('feed').getAttribute('aria-busy')).toBe('true')
    expect(screen.queryByRole('button', {name: 'Load older'})).toBeNull()
  })
})

test('an empty feed offers prompts that fill the form', () => {
  const onExample = vi.fn()
  renderView(<EmptyFeed group="video" examples={['foo', 'bar', 'baz']} onExample={onExample} />)
  expect(screen.getByText(/Your videos will appear here/)).toBeVisible()
  fireEvent.click(screen.getByRole('button', {name: 'bar'}))
  expect(onExample).toHaveBeenCalledExactlyOnceWith(1)
})
