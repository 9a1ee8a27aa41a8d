import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {removedQuestionsMachine} from '#machines/removed-questions/removed-questions.machine.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import type {ModelServer} from './support/model-server.ts'

/*
 * The list of waiting questions offers to take removed ones back as the machine of the offer says, over every edge of
 * the graph generated from it. The clock of the page stands still, so that the offer leaves when the walk says so; at
 * most two are removed, and the first row stays.
 */

type Action =
  | 'remove'
  | 'point at it'
  | 'point elsewhere'
  | 'go to it with the keys'
  | 'leave it with the keys'
  | 'press the key of undo'
  | 'press Undo'
  | 'press Dismiss'
  | 'leave the conversation and come back'
  | 'let its time pass'
type Shown = 'none' | `${'one' | 'two'} ${'leaving' | 'under the pointer'}` | `one ${'with the focus' | 'held by both'}`
type Offer = SnapshotFrom<typeof removedQuestionsMachine>
/** `rows`: questions that wait, in order; `count`: questions so far. */
type Snapshot = {offer: Offer; rows: readonly string[]; count: number}

const rowCount = 3
/** The position of the removed row: one row stands before it, and another may stand behind it. */
const at = 1
const undoWindow = 8_000
const send = sender(removedQuestionsMachine)
const isOffered = ({offer}: Snapshot) => offer.matches('offered')
const isLeaving = ({offer}: Snapshot) => offer.matches({offered: 'leaving'})
const hasPointer = ({offer}: Snapshot) =>
  offer.matches({offered: {held: 'byPointer'}}) || offer.matches({offered: {held: 'byBoth'}})
const hasFocus = ({offer}: Snapshot) =>
  offer.matches({offered: {held: 'byFocus'}}) || offer.matches({offered: {held: 'byBoth'}})
const removed = ({offer}: Snapshot) => offer.context.removed
const name = (number: number) => `Question ${number}`
/** Names the questions that are asked while no undo is offered, so that there are rows to remove. */
const newRows = ({offer, rows, count}: Snapshot) =>
  isOffered({offer, rows, count})
    ? []
    : Array.from({length: rowCount - rows.length}, (_, index) => name(count + index + 1))

/** An offer that is over is followed by a new one. */
const start = (): Snapshot => ({offer: initialTransition(removedQuestionsMachine)[0], rows: [], count: 1})

const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, offer: send(snapshot.offer, ...events)})

function remove(snapshot: Snapshot): Snapshot {
  const added = newRows(snapshot)
  const rows = [...snapshot.rows, ...added]
  const [question = ''] = rows.splice(at, 1)
  const asked = {question, references: [], key: question}
  return {
    // the focus goes to the button that removes
    ...then({type: 'focus.left'}, {type: 'question.remove', ask: asked, at})(isOffered(snapshot) ? snapshot : start()),
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
  start,
  effects: {
    remove: where((snapshot) => removed(snapshot).length < 2, remove),
    'point at it': where((snapshot) => isOffered(snapshot) && !hasPointer(snapshot), then({type: 'pointer.entered'})),
    'point elsewhere': where(hasPointer, then({type: 'pointer.left'})),
    // with one: what holds it does not depend on how many there are
    'go to it with the keys': where(
      (snapshot) => removed(snapshot).length === 1 && !hasFocus(snapshot),
      then({type: 'focus.entered'}),
    ),
    'leave it with the keys': where(hasFocus, then({type: 'focus.left'})),
    'press the key of undo': where(isOffered, (snapshot) => restore(snapshot)),
    'press Undo': where(isOffered, (snapshot) => restore(snapshot, {type: 'pointer.entered'})),
    'press Dismiss': where(isOffered, then({type: 'pointer.entered'}, {type: 'offer.dismiss'})),
    'leave the conversation and come back': where(isOffered, then({type: 'list.left'})),
    'let its time pass': where(isOffered, then({type: 'xstate.after.undoWindow.removedQuestions.offered.leaving'})),
  },
  shownBy: (snapshot) => {
    if (!isOffered(snapshot)) return 'none'
    if (hasFocus(snapshot)) return `one ${hasPointer(snapshot) ? 'held by both' : 'with the focus'}`
    return `${removed(snapshot).length === 1 ? 'one' : 'two'} ${isLeaving(snapshot) ? 'leaving' : 'under the pointer'}`
  },
}

type Hands = {page: Page; modelServer: ModelServer}
const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
const offer = (page: Page) => list(page).getByRole('status').filter({hasText: 'Question removed.'})
/** The answer that holds the queue goes on by a word: one that is silent for so long counts as lost. */
async function pass({page, modelServer}: Hands, milliseconds: number) {
  await page.clock.fastForward(milliseconds)
  modelServer.proceed()
}

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  remove: async (hands, snapshot) => {
    const {page} = hands
    for (const question of newRows(snapshot)) {
      await ask(page, question)
      // what is typed before the field is empty again would go with it
      await expect(list(page).getByRole('group', {name: question, exact: true})).toBeVisible()
      await expect(composer(page)).toHaveValue('')
    }
    // not all of its time: another removal gives the offer all of it again
    if (isLeaving(snapshot)) await pass(hands, undoWindow - 1)
    const button = list(page).getByRole('button', {name: 'Remove'}).nth(at)
    // the pointer stays where it is, which may be on the offer
    await button.focus()
    await button.press('Enter')
    if (isLeaving(snapshot)) await pass(hands, undoWindow - 1)
  },
  'point at it': ({page}) => offer(page).hover(),
  'point elsewhere': ({page}) => page.mouse.move(0, 0),
  'go to it with the keys': async ({page}) => {
    const dismiss = offer(page).getByRole('button', {name: 'Dismiss'})
    await dismiss.focus()
    await dismiss.press('Shift+Tab')
    await expect(offer(page).getByRole('button', {name: 'Undo'})).toBeFocused()
  },
  'leave it with the keys': ({page}) => list(page).getByRole('button', {name: 'Remove'}).first().focus(),
  'press the key of undo': ({page}) => page.keyboard.press('Control+z'),
  'press Undo': ({page}) => offer(page).getByRole('button', {name: 'Undo'}).click(),
  'press Dismiss': ({page}) => offer(page).getByRole('button', {name: 'Dismiss'}).click(),
  'leave the conversation and come back': async ({page}) => {
    await page.getByRole('link', {name: 'New chat'}).first().click()
    await expect(list(page)).toHaveCount(0)
    await page.goBack()
  },
  'let its time pass': (hands) => pass(hands, undoWindow),
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
  await pass(hands, 2 * undoWindow)
  await shows(1)(hands, snapshot)
}
const expected: {[Name in Shown]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  none: shows(0),
  'one leaving': shows(1),
  'one under the pointer': stays,
  'one with the focus': stays,
  'one held by both': stays,
  'two leaving': shows(1),
  'two under the pointer': stays,
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({offer: {value}}) => value)).toEqual([...restingStates(removedQuestionsMachine), 'over'])
})

test('the list offers what the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  const words = Array.from({length: 500}, (_, index) => `word-${index}`)
  modelServer.answer(words.join(' '))
  modelServer.hold(...words.keys())
  await ask(page, name(1))
  await expect.poll(() => modelServer.heldAnswers).toBe(1)
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  await walkPage(chart, {page, modelServer}, {done, expected})
})

test('a question is taken back once, to its position, after its conversation was left', async ({
  chat: page,
  modelServer,
}) => {
  modelServer.answer('one two three')
  modelServer.hold(1)
  await ask(page, name(1))
  await expect.poll(() => modelServer.heldAnswers).toBe(1)
  for (const question of [name(2), name(3)]) {
    await ask(page, question)
    await expect(list(page).getByRole('group', {name: question, exact: true})).toBeVisible()
    await expect(composer(page)).toHaveValue('')
  }
  const groups = list(page).getByRole('listitem').getByRole('group')
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 1_000)
  await list(page).getByRole('button', {name: 'Remove'}).first().click()
  await expect(groups).toHaveCount(1)
  await page.getByRole('link', {name: 'New chat'}).first().click()
  await expect(list(page)).toHaveCount(0)
  await page.goBack()
  await expect(groups).toHaveCount(1)
  await offer(page).getByRole('button', {name: 'Undo'}).click()
  await expect(groups).toHaveCount(2)
  await expect(groups.first()).toHaveAccessibleName(name(2))
  await expect(offer(page)).toHaveCount(0)
})
