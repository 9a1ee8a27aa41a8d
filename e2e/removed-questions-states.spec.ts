import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {removedQuestionsMachine} from '#machines/removed-questions/removed-questions.machine.ts'
import {ask, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'

/*
 * The list of waiting questions offers to take removed ones back as the machine of the offer says, over every edge of the
 * graph generated from it. The clock of the page stands still, so that the offer leaves when the walk says so; at most two are
 * removed, and the first row stays.
 */

type Action =
  | 'remove'
  | 'point at it'
  | 'point elsewhere'
  | 'press the key of undo'
  | 'press Undo'
  | 'press Dismiss'
  | 'let its time pass'
type Shown = 'none' | `${'one' | 'two'} ${'leaving' | 'held'}`
type Offer = SnapshotFrom<typeof removedQuestionsMachine>
/** `rows`: questions that wait, in order; `count`: questions so far. */
type Snapshot = {offer: Offer; rows: readonly string[]; count: number}

const rowCount = 3
/** Where a row is removed: one stands before it, and another may stand behind it. */
const at = 1
const undoWindow = 8_000
const send = sender(removedQuestionsMachine)
const isOffered = ({offer}: Snapshot) => offer.matches('offered')
const isLeaving = ({offer}: Snapshot) => offer.matches({offered: 'leaving'})
const isHeld = ({offer}: Snapshot) => offer.matches({offered: 'held'})
const removed = ({offer}: Snapshot) => offer.context.removed
const name = (number: number) => `Question ${number}`
/** What is asked while nothing is offered, so that there is something to remove. */
const newRows = ({offer, rows, count}: Snapshot) =>
  offer.matches('none') ? Array.from({length: rowCount - rows.length}, (_, index) => name(count + index + 1)) : []

const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, offer: send(snapshot.offer, ...events)})

function remove(snapshot: Snapshot): Snapshot {
  const added = newRows(snapshot)
  const rows = [...snapshot.rows, ...added]
  const [question = ''] = rows.splice(at, 1)
  const asked = {question, references: [], key: question}
  return {
    ...then({type: 'question.remove', ask: asked, at})(snapshot),
    rows,
    count: snapshot.count + added.length,
  }
}

function restore(snapshot: Snapshot, ...events: Parameters<typeof send>[1][]): Snapshot {
  const [last] = removed(snapshot)
  if (last === undefined) throw new Error('Nothing is removed')
  const rows = snapshot.rows.toSpliced(last.at, 0, last.ask.question)
  return {...then(...events, {type: 'question.restore'})(snapshot), rows}
}

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({offer: initialTransition(removedQuestionsMachine)[0], rows: [], count: 1}),
  effects: {
    remove: where((snapshot) => removed(snapshot).length < 2, remove),
    'point at it': where(isLeaving, then({type: 'offer.hold'})),
    'point elsewhere': where(isHeld, then({type: 'offer.release'})),
    'press the key of undo': where(isOffered, (snapshot) => restore(snapshot)),
    'press Undo': where(isOffered, (snapshot) => restore(snapshot, {type: 'offer.hold'})),
    'press Dismiss': where(isOffered, then({type: 'offer.hold'}, {type: 'offer.dismiss'})),
    'let its time pass': where(isOffered, then({type: 'xstate.after.undoWindow.removedQuestions.offered.leaving'})),
  },
  shownBy: (snapshot) => {
    if (!isOffered(snapshot)) return 'none'
    return `${removed(snapshot).length === 1 ? 'one' : 'two'} ${isHeld(snapshot) ? 'held' : 'leaving'}`
  },
}

type Hands = {page: Page}
const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
const offer = (page: Page) => list(page).getByRole('status').filter({hasText: 'Question removed.'})
const pass = (page: Page, milliseconds: number) => page.clock.fastForward(milliseconds)

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  remove: async ({page}, snapshot) => {
    for (const question of newRows(snapshot)) await ask(page, question)
    // not all of its time: another removal gives the offer all of it again
    if (isLeaving(snapshot)) await pass(page, undoWindow - 1)
    const button = list(page).getByRole('button', {name: 'Remove'}).nth(at)
    // the pointer stays where it is, which may be on the offer
    await button.focus()
    await button.press('Enter')
    if (isLeaving(snapshot)) await pass(page, undoWindow - 1)
  },
  'point at it': ({page}) => offer(page).hover(),
  'point elsewhere': ({page}) => page.mouse.move(0, 0),
  'press the key of undo': ({page}) => page.keyboard.press('Control+z'),
  'press Undo': ({page}) => offer(page).getByRole('button', {name: 'Undo'}).click(),
  'press Dismiss': ({page}) => offer(page).getByRole('button', {name: 'Dismiss'}).click(),
  'let its time pass': ({page}) => pass(page, undoWindow),
}

const shows =
  (offers: 0 | 1) =>
  async ({page}: Hands, {rows}: Snapshot) => {
    await expect(offer(page)).toHaveCount(offers)
    const groups = list(page).getByRole('listitem').getByRole('group')
    await expect(groups).toHaveCount(rows.length)
    for (const [index, question] of rows.entries()) await expect(groups.nth(index)).toHaveAccessibleName(question)
  }
/** However it came to be held: it stays. */
const stays = async (hands: Hands, snapshot: Snapshot) => {
  await pass(hands.page, 2 * undoWindow)
  await shows(1)(hands, snapshot)
}
const expected: {[Name in Shown]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  none: shows(0),
  'one leaving': shows(1),
  'one held': stays,
  'two leaving': shows(1),
  'two held': stays,
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({offer: {value}}) => value)).toEqual(restingStates(removedQuestionsMachine))
})

test('the list offers what the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  modelServer.hold(1)
  await ask(page, name(1))
  await expect.poll(() => modelServer.heldAnswers).toBe(1)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  await walkPage(chart, {page}, {done, expected})
})
