import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {
  conversationSelectionMachine,
  selectChosenKeys,
  selectIsAsking,
  selectIsKept,
} from '#machines/conversation-selection/conversation-selection.machine.ts'
import {expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {graphOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * Several conversations of the list are chosen as their machine says, over every edge of the graph generated from it.
 */

type Action =
  | 'choose the first'
  | 'extend to the third'
  | 'take out the third'
  | 'ask to delete'
  | 'answer no'
  | 'answer yes and take it back'
  | 'end'
  | 'press Escape'
type State = 'offering' | 'asking' | 'kept'
type Shown = 'idle' | `${State}, ${1 | 2 | 3} chosen`
type Snapshot = SnapshotFrom<typeof conversationSelectionMachine>

const titles = ['Kites', 'Boats', 'Trains', 'Planes']
const [first, third] = ['Kites', 'Trains']
const send = sender(conversationSelectionMachine)
const chosen = (snapshot: Snapshot) => selectChosenKeys(snapshot) ?? []
const isChoosing = (snapshot: Snapshot) => snapshot.matches('choosing')
const mayEnd = (snapshot: Snapshot) => isChoosing(snapshot) && !selectIsAsking(snapshot)
const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot) =>
    send(snapshot, ...events)

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => initialTransition(conversationSelectionMachine)[0],
  effects: {
    'choose the first': where((snapshot) => snapshot.matches('idle'), then({type: 'row.toggle', key: first})),
    'extend to the third': where(
      (snapshot) => chosen(snapshot).length === 1,
      then({type: 'row.extend', key: third, order: titles}),
    ),
    'take out the third': where((snapshot) => chosen(snapshot).length === 3, then({type: 'row.toggle', key: third})),
    'ask to delete': where(mayEnd, then({type: 'delete.ask'})),
    'answer no': where(selectIsAsking, then({type: 'delete.cancel'})),
    'answer yes and take it back': where(selectIsAsking, then({type: 'selection.end'})),
    end: where(isChoosing, then({type: 'selection.end'})),
    'press Escape': where(mayEnd, then({type: 'selection.end'})),
  },
  shownBy: (snapshot) => {
    if (!isChoosing(snapshot)) return 'idle'
    const state: State = selectIsAsking(snapshot) ? 'asking' : selectIsKept(snapshot) ? 'kept' : 'offering'
    // as: the walk chooses one, three, or two of these
    return `${state}, ${chosen(snapshot).length} chosen` as Shown
  },
}

const bar = (page: Page) => page.getByRole('toolbar', {name: 'Selected conversations'})
const box = (page: Page, title: string) => page.getByRole('checkbox', {name: `Select ${title}`})
const deleteButton = (page: Page) => bar(page).getByRole('button', {name: 'Delete', exact: true})

const done: {[Name in Action]: (page: Page) => Promise<unknown>} = {
  'choose the first': (page) => row(page, first).getByRole('link').press(' '),
  'extend to the third': (page) => box(page, third).click({modifiers: ['Shift']}),
  'take out the third': (page) => box(page, third).click(),
  'ask to delete': (page) => deleteButton(page).click(),
  'answer no': (page) => bar(page).getByRole('button', {name: 'Cancel'}).click(),
  'answer yes and take it back': async (page) => {
    await deleteButton(page).click()
    await expect(bar(page)).toHaveCount(0)
    await page.getByRole('region', {name: 'Notifications'}).getByRole('button', {name: 'Undo'}).click()
  },
  end: (page) => bar(page).getByRole('button', {name: 'End selection'}).click(),
  'press Escape': (page) => page.keyboard.press('Escape'),
}

async function expectShown(page: Page, snapshot: Snapshot) {
  const [keys, isAsking] = [chosen(snapshot), selectIsAsking(snapshot)]
  await expect(bar(page)).toHaveCount(isChoosing(snapshot) ? 1 : 0)
  const links = conversations(page).getByRole('listitem').getByRole('link')
  await expect(links).toHaveCount(isChoosing(snapshot) ? 0 : titles.length)
  await expect(page.getByRole('checkbox', {name: /^Select /})).toHaveCount(isChoosing(snapshot) ? titles.length : 0)
  if (!isChoosing(snapshot)) return
  for (const title of titles) await expect(box(page, title)).toBeChecked({checked: keys.includes(title)})
  await expect(bar(page).getByText(`${keys.length} selected`)).toBeVisible()
  const question = `Delete ${keys.length} conversation${keys.length === 1 ? '' : 's'}?`
  await expect(bar(page).getByRole('alert').filter({hasText: question})).toHaveCount(isAsking ? 1 : 0)
  await expect(bar(page).getByRole('button', {name: 'Labels…'})).toHaveCount(isAsking ? 0 : 1)
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(restingStates(conversationSelectionMachine))
})

test('several are chosen as the machine says, over every edge', long, async ({context, installation, signedIn}) => {
  await seedConversations(
    installation,
    signedIn,
    titles.map((title, index) => ({title, texts: ['foo', 'bar'], minutesAgo: index + 1})),
  )
  const page = await blankTab(context, installation.url, signedIn)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(row(page, first)).toBeVisible()
  const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown]))
  // as: every name has it
  await walkPage(chart, page, {done, expected: expected as {[Name in Shown]: typeof expectShown}})
})
