import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {noticesMachine, type NoticesSnapshot} from '#machines/notices/notices.machine.ts'
import {selectNotices} from '#machines/notices/notices.selectors.ts'
import {composer, expect, test} from './fixtures.ts'
import {row} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * Notices come, are held and leave as their machine says, over every edge of the graph generated from it. Each tells of
 * an archived conversation, which can be taken back as long as its notice is there. Deadlines end when the walk says so.
 */

type Action =
  | 'archive'
  | 'point at the last'
  | 'point elsewhere'
  | 'go there with the keys'
  | 'leave with the keys'
  | 'press the key of undo'
  | 'press Undo'
  | 'press Dismiss'
  | 'let the time pass'
type Holder = 'leaving' | 'under the pointer' | 'with the focus' | 'held by both'
type Shown = 'none' | `one ${Holder}` | 'two leaving' | 'two under the pointer' | 'three leaving'
/** `listed`: conversations, the newest first; a notice has the title of its own as id. */
type Snapshot = {notices: NoticesSnapshot; listed: readonly string[]}

const undoWindow = 8_000
/** None is part of another. */
const titles = Array.from({length: 60}, (_, index) => `Kites ${10 + index}`)
const send = sender(noticesMachine)
const shownIds = ({notices}: Snapshot) => selectNotices(notices).map(({id}) => id)
const lastId = (snapshot: Snapshot) => shownIds(snapshot).at(-1) ?? ''
const count = (snapshot: Snapshot) => shownIds(snapshot).length
const isHeld = ({notices}: Snapshot) => notices.matches({shown: 'held'})
const hasPointer = ({notices}: Snapshot) =>
  notices.matches({shown: {held: 'byPointer'}}) || notices.matches({shown: {held: 'byBoth'}})
const hasFocus = ({notices}: Snapshot) =>
  notices.matches({shown: {held: 'byFocus'}}) || notices.matches({shown: {held: 'byBoth'}})

const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, notices: send(snapshot.notices, ...events)})
const listedAgain = (snapshot: Snapshot, title: string): Snapshot => ({
  ...snapshot,
  listed: titles.filter((each) => each === title || snapshot.listed.includes(each)),
})
/** A press by the pointer, which leaves afterwards. */
const pressed = (type: 'notice.act' | 'notice.dismiss') => (snapshot: Snapshot) =>
  then({type: 'pointer.entered'}, {type, id: lastId(snapshot)}, {type: 'focus.left'}, {type: 'pointer.left'})(snapshot)

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({notices: initialTransition(noticesMachine)[0], listed: titles}),
  effects: {
    // the keys that archive are pressed in the list
    archive: where(
      (snapshot) => !hasFocus(snapshot) && !(hasPointer(snapshot) && count(snapshot) === 2),
      (snapshot) => {
        const [title = '', ...listed] = snapshot.listed
        const undo = {
          to: 'conversationChanges',
          event: {type: 'conversations.mark', changes: [{key: title, archived: false}]},
        }
        const notice = {id: title, kind: 'info', textId: 'foo', undo} as const
        return {...then({type: 'notice.show', notice}, {type: 'view.shown'})(snapshot), listed}
      },
    ),
    'point at the last': where(
      (snapshot) => [1, 2].includes(count(snapshot)) && !hasPointer(snapshot),
      then({type: 'pointer.entered'}),
    ),
    'point elsewhere': where(hasPointer, then({type: 'pointer.left'})),
    // with one: what holds them does not depend on how many there are
    'go there with the keys': where(
      (snapshot) => count(snapshot) === 1 && !hasFocus(snapshot),
      then({type: 'focus.entered'}),
    ),
    'leave with the keys': where(hasFocus, then({type: 'focus.left'})),
    // what is left of two may not reach to the pointer
    'press the key of undo': where(
      (snapshot) => count(snapshot) === 1 || (count(snapshot) > 1 && !isHeld(snapshot)),
      (snapshot) =>
        listedAgain(then({type: 'notice.act', id: lastId(snapshot)}, {type: 'focus.left'})(snapshot), lastId(snapshot)),
    ),
    'press Undo': where(
      (snapshot) => count(snapshot) > 0,
      (snapshot) => listedAgain(pressed('notice.act')(snapshot), lastId(snapshot)),
    ),
    'press Dismiss': where((snapshot) => count(snapshot) > 0, pressed('notice.dismiss')),
    'let the time pass': where(
      (snapshot) => count(snapshot) > 0 && !isHeld(snapshot),
      (snapshot) => then(...shownIds(snapshot).map((id) => ({type: 'notice.expired' as const, id})))(snapshot),
    ),
  },
  shownBy: (snapshot) => {
    const holder: Holder = hasPointer(snapshot)
      ? hasFocus(snapshot)
        ? 'held by both'
        : 'under the pointer'
      : hasFocus(snapshot)
        ? 'with the focus'
        : 'leaving'
    const number = ['none', 'one', 'two', 'three'][count(snapshot)]
    // as: with more than one they are leaving, or two are under the pointer
    return (number === 'none' ? number : `${number} ${holder}`) as Shown
  },
}

const region = (page: Page) => page.getByRole('region', {name: 'Notifications'})
const pressLast = async (page: Page, name: string) => {
  await region(page).getByRole('button', {name}).last().click()
  await page.mouse.move(0, 0)
}

const done: {[Name in Action]: (page: Page, snapshot: Snapshot) => Promise<unknown>} = {
  archive: async (page, {listed: [title = '']}) => {
    // the pointer stays where it is, which may be on a notice
    await row(page, title)
      .getByRole('button', {name: `Actions for ${title}`})
      .press('Enter')
    await page.getByRole('menuitem', {name: 'Archive'}).press('Enter')
  },
  'point at the last': (page) => region(page).getByRole('status').last().hover(),
  'point elsewhere': (page) => page.mouse.move(0, 0),
  'go there with the keys': async (page) => {
    await page.keyboard.press('F6')
    await expect(region(page)).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(region(page).getByRole('button', {name: 'Undo'})).toBeFocused()
  },
  'leave with the keys': (page) => composer(page).focus(),
  'press the key of undo': (page) => page.keyboard.press('Control+z'),
  'press Undo': (page) => pressLast(page, 'Undo'),
  'press Dismiss': (page) => pressLast(page, 'Dismiss'),
  'let the time pass': async (page) => expect(await endDelays(page, undoWindow)).toBeGreaterThan(0),
}

const notices = (number: number) => async (page: Page, snapshot: Snapshot) => {
  await expect(region(page).getByRole('status')).toHaveCount(number)
  await expect(region(page).getByRole('button', {name: 'Undo'})).toHaveCount(number)
  for (const title of shownIds(snapshot)) await expect(row(page, title)).toHaveCount(0)
  const [newest = ''] = snapshot.listed
  await expect(row(page, newest)).toHaveCount(1)
  await expect(region(page).getByRole('alert')).toHaveCount(0)
}
/** However they came to be held: they stay, and what they tell of can be taken back. */
const stay = (number: number) => async (page: Page, snapshot: Snapshot) => {
  await notices(number)(page, snapshot)
  await endDelays(page, undoWindow)
  await notices(number)(page, snapshot)
}
const expected: {[Name in Shown]: (page: Page, snapshot: Snapshot) => Promise<unknown>} = {
  none: notices(0),
  'one leaving': notices(1),
  'one under the pointer': stay(1),
  'one with the focus': stay(1),
  'one held by both': stay(1),
  'two leaving': notices(2),
  'two under the pointer': stay(2),
  'three leaving': notices(3),
}

/**
 * The view is loaded once in the life of a page: e2e/first-notice.spec.ts waits for it, and e2e/lost-notices.spec.ts
 * sends away the card that stands for it.
 */
const withoutView = ['waiting', 'away']

test('the walk passes every resting state of the machine with a view', () => {
  expect([...statesPassed(chart, ({notices: {value}}) => value), ...withoutView].sort()).toEqual(
    restingStates(noticesMachine),
  )
})

test('notices are shown as the machine says, over every edge', long, async ({context, installation, signedIn}) => {
  const seeded = titles.map((title, index) => ({title, texts: ['foo', 'bar'], minutesAgo: index + 1}))
  await seedConversations(installation, signedIn, seeded)
  const page = await blankTab(context, installation.url, signedIn)
  await holdDelays(page)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
  await page.mouse.move(0, 0)
  await walkPage(chart, page, {done, expected})
})
