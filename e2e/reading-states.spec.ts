import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {firstMatchFrom, totalMatches, type RowMatches} from '#domain/find-text.ts'
import {readingMachine} from '#machines/reading/reading.machine.ts'
import {expect, test} from './fixtures.ts'
import {answers, composer, lastMessage} from './support/chat-page.ts'
import {bothOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {seedConversation} from './support/seeded-conversation.ts'

/*
 * A thread shows what the machine of its panels says, over every edge of the graph generated from the machine: the
 * field with four queries, the list of questions, and the position of the view, where the field begins and which the
 * list follows.
 */

type Query = '' | 'kite' | 'owl' | 'pelican'
type Action =
  | 'find'
  | 'find by key'
  | 'follow a hit'
  | 'list questions'
  | 'close'
  | 'Escape'
  | 'clear'
  | 'kite'
  | 'owl'
  | 'pelican'
  | 'next'
  | 'previous'
  | 'first question'
  | 'last question'
type Position = 'start' | 'end'
type Found = `kite: ${1 | 2} of 2` | `owl: ${1 | 2 | 3} of 3`
type Panel = 'closed' | 'no query' | 'no match' | Found | `questions from the ${Position}`
type Shown = `${Panel}, ${Position}`

const filler = Array.from({length: 40}, (_, line) => `Line ${line}`).join('\n\n')
const questions = ['Kites, owls or an owl?', 'What else?', 'Which now?']
const texts = questions.flatMap((question, turn) => [question, turn === 2 ? 'A kite and an owl' : filler])
/** The rows of the conversation that have each query, and the first one in view. */
const rows: Record<Query, readonly RowMatches[]> = {
  '': [],
  kite: [
    {row: 0, count: 1},
    {row: 5, count: 1},
  ],
  owl: [
    {row: 0, count: 2},
    {row: 5, count: 1},
  ],
  pelican: [],
}
const firstRow: Record<Position, number> = {start: 0, end: 3}

const send = sender(readingMachine)
type Reading = ReturnType<typeof send>
type Snapshot = {reading: Reading; position: Position}

// as: nothing else is typed here
const queryOf = ({reading}: Snapshot) => reading.context.query as Query
const rowsOf = (snapshot: Snapshot) => rows[queryOf(snapshot)]
/** The match on screen, from 0. */
const matchOf = (snapshot: Snapshot) => {
  const {match, from} = snapshot.reading.context
  return match ?? firstMatchFrom(rowsOf(snapshot), from)
}
/** A match that is shown is brought into view: the last one is at the end. */
function followed(snapshot: Snapshot): Snapshot {
  const count = totalMatches(rowsOf(snapshot))
  return count === 0 ? snapshot : {...snapshot, position: matchOf(snapshot) === count - 1 ? 'end' : 'start'}
}

const is =
  (...states: ('closed' | 'finding' | 'outlining')[]) =>
  ({reading}: Snapshot) =>
    states.some((state) => reading.matches(state))
const sent =
  (event: Parameters<typeof send>[1]) =>
  ({reading, position}: Snapshot): Snapshot => ({reading: send(reading, event), position})
const type = (query: Query) =>
  where<Snapshot>(
    (snapshot) => is('finding')(snapshot) && queryOf(snapshot) !== query,
    (snapshot) => followed(sent({type: 'query.change', query, from: firstRow[snapshot.position]})(snapshot)),
  )
const step = (by: 1 | -1) =>
  where<Snapshot>(
    (snapshot) => rowsOf(snapshot).length > 0,
    (snapshot) => {
      const count = totalMatches(rowsOf(snapshot))
      return followed(sent({type: 'match.choose', match: (matchOf(snapshot) + by + count) % count})(snapshot))
    },
  )
const go = (position: Position) => where<Snapshot>(is('outlining'), (snapshot) => ({...snapshot, position}))
const close = where<Snapshot>(is('finding', 'outlining'), sent({type: 'panel.close'}))

function panelOf(snapshot: Snapshot): Panel {
  if (is('closed')(snapshot)) return 'closed'
  if (is('outlining')(snapshot)) return `questions from the ${snapshot.position}`
  const count = totalMatches(rowsOf(snapshot))
  if (count === 0) return queryOf(snapshot) === '' ? 'no query' : 'no match'
  // as: the rows above say how often each is there
  return `${queryOf(snapshot)}: ${matchOf(snapshot) + 1} of ${count}` as Found
}

const chart: Chart<Snapshot, Action, Shown> = {
  // a conversation opens at its end
  start: () => ({reading: initialTransition(readingMachine)[0], position: 'end'}),
  shownBy: (snapshot) => `${panelOf(snapshot)}, ${snapshot.position}`,
  effects: {
    find: sent({type: 'find.open'}),
    'find by key': sent({type: 'find.open'}),
    // of the list's search: the first message that has the word
    'follow a hit': where<Snapshot>(is('closed'), (snapshot) =>
      followed(sent({type: 'hit.follow', query: 'owl', from: 0})(snapshot)),
    ),
    'list questions': sent({type: 'outline.open'}),
    close,
    Escape: close,
    clear: type(''),
    kite: type('kite'),
    owl: type('owl'),
    pelican: type('pelican'),
    next: step(1),
    previous: step(-1),
    'first question': go('start'),
    'last question': go('end'),
  },
}

const bar = (page: Page) => page.getByRole('search', {name: 'Find in conversation'})
const field = (page: Page) => bar(page).getByRole('textbox')
const list = (page: Page) => page.getByRole('navigation', {name: 'Questions'})
const question = (page: Page, text?: string) => list(page).getByRole('listitem').getByRole('button', {name: text})
const choose = async (page: Page, item: string) => {
  await page.getByRole('button', {name: 'Actions for this conversation'}).click()
  await page.getByRole('menuitem', {name: item}).click()
}
const selected = (page: Page) =>
  // as: it is the field
  field(page).evaluate((element) => {
    const {value, selectionStart, selectionEnd} = element as HTMLInputElement
    return selectionStart === 0 && selectionEnd === value.length
  })
/** Expects that the field has the focus and its text is selected: typed words replace it. */
const awaitsWords = async (page: Page) => {
  await expect(field(page)).toBeFocused()
  await expect.poll(() => selected(page)).toBe(true)
}

const done: {[Name in Action]: (page: Page, snapshot: Snapshot) => Promise<unknown>} = {
  find: async (page) => {
    await choose(page, 'Find in conversation')
    await awaitsWords(page)
  },
  'find by key': async (page) => {
    await composer(page).click()
    await page.keyboard.press('ControlOrMeta+Shift+F')
    await awaitsWords(page)
  },
  'follow a hit': async (page) => {
    await page.getByRole('searchbox', {name: 'Search conversations'}).fill('owl')
    await page.getByRole('list', {name: 'Search results'}).getByRole('link').click()
    await expect(field(page)).toBeFocused()
  },
  'list questions': async (page) => {
    await choose(page, 'Questions')
    await expect(list(page).locator('[aria-current]')).toBeFocused()
  },
  close: (page, snapshot) =>
    (is('finding')(snapshot) ? bar(page) : list(page)).getByRole('button', {name: 'Close'}).click(),
  Escape: (page, snapshot) => (is('finding')(snapshot) ? field(page) : question(page).first()).press('Escape'),
  clear: (page) => field(page).fill(''),
  kite: (page) => field(page).fill('kite'),
  owl: (page) => field(page).fill('owl'),
  pelican: (page) => field(page).fill('pelican'),
  next: (page) => bar(page).getByRole('button', {name: 'Next match'}).click(),
  previous: (page) => field(page).press('Shift+Enter'),
  'first question': (page) => question(page, questions[0]).click(),
  'last question': (page) => question(page, questions[2]).click(),
}

/** How many matches are marked, and which of them is the one that is shown. */
const marks = (page: Page) =>
  page.evaluate(() => {
    const [found = [], now = []] = ['found', 'found-now'].map((name) =>
      [...(CSS.highlights.get(name) ?? [])].flatMap((range) => (range instanceof Range ? [range] : [])),
    )
    const isSame = (one: Range) => (other: Range) => one.compareBoundaryPoints(Range.START_TO_START, other) === 0
    return {count: found.length, shown: now.map((range) => found.findIndex(isSame(range)) + 1)}
  })
const finds =
  (query: string, said: string, count = 0, shown?: number) =>
  async (page: Page): Promise<void> => {
    await expect(list(page)).toHaveCount(0)
    await expect(field(page)).toHaveValue(query)
    await expect(bar(page).getByRole('status')).toHaveText(said)
    await expect.poll(() => marks(page)).toEqual({count, shown: shown === undefined ? [] : [shown]})
    for (const name of ['Previous match', 'Next match'])
      await expect(bar(page).getByRole('button', {name})).toHaveAttribute('aria-disabled', String(count === 0))
  }
const shows = (query: string, shown: number, count: number) => finds(query, `${shown} of ${count}`, count, shown)
/** The list, and the question that the view is at. */
const lists = (here: string | undefined) => async (page: Page) => {
  await expect(bar(page)).toHaveCount(0)
  await expect(question(page)).toHaveText(questions)
  await expect(list(page).locator('[aria-current]')).toHaveText([here ?? ''])
  expect(await marks(page)).toEqual({count: 0, shown: []})
}
const panels: {[Name in Panel]: (page: Page) => Promise<unknown>} = {
  closed: async (page) => {
    await expect(bar(page)).toHaveCount(0)
    await expect(list(page)).toHaveCount(0)
    expect(await marks(page)).toEqual({count: 0, shown: []})
    // the keys of the reader have a position to go on from
    await expect(page.locator('body')).not.toBeFocused()
  },
  'no query': finds('', ''),
  'no match': finds('pelican', 'No matches'),
  'kite: 1 of 2': shows('kite', 1, 2),
  'kite: 2 of 2': shows('kite', 2, 2),
  'owl: 1 of 3': shows('owl', 1, 3),
  'owl: 2 of 3': shows('owl', 2, 3),
  'owl: 3 of 3': shows('owl', 3, 3),
  'questions from the start': lists(questions[0]),
  'questions from the end': lists(questions[2]),
}
const positions: {[Name in Position]: (page: Page) => Promise<unknown>} = {
  start: async (page) => {
    await expect(answers(page).first()).toBeInViewport()
    await expect(lastMessage(page)).not.toBeInViewport()
  },
  end: async (page) => {
    await expect(lastMessage(page)).toBeInViewport()
    await expect(answers(page).first()).not.toBeInViewport()
  },
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({reading}) => reading.value)).toEqual(restingStates(readingMachine))
})

test('the thread shows what the machine says, over every edge', long, async ({chat: page, installation, signedIn}) => {
  const {id} = await seedConversation(installation, signedIn, texts)
  await page.goto(`${installation.url}/chatgpt/conversations/${id}`)
  await expect(composer(page)).toBeFocused()
  await walkPage(chart, page, {done, expected: bothOf(panels, positions)})
})
