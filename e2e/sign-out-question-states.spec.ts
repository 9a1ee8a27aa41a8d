import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {signOutQuestionMachine} from '#machines/sign-out-question/sign-out-question.machine.ts'
import {composer, enter, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import type {User} from './support/users.ts'

/*
 * Signing out asks before it drops a draft, as the machine of that question says, over every edge of the graph generated
 * from it. The test holds the browser's database, so that the drafts are counted for as long as it wants.
 */

type Action =
  | 'type'
  | 'sign out'
  | 'sign out while the database waits'
  | 'the database answers'
  | 'the count is overdue'
  | 'press Stay'
  | 'press Escape'
  | 'press Log out'
  | 'sign in'
type Stage = 'empty' | 'typed' | 'signed out'
type Shown = Stage | `${'empty' | 'typed'}: counting` | 'asked'
type Snapshot = {question: SnapshotFrom<typeof signOutQuestionMachine> | undefined; stage: Stage}

const send = sender(signOutQuestionMachine)
const counting = (snapshot: Snapshot): Snapshot => ({
  ...snapshot,
  question: initialTransition(signOutQuestionMachine)[0],
})
/** An end of the question is told by the page, which is left or stays. */
const settle = ({question, stage}: Snapshot): Snapshot =>
  question?.status === 'done'
    ? {question: undefined, stage: question.matches('leaving') ? 'signed out' : stage}
    : {question, stage}
const then =
  (event: Parameters<typeof send>[1]) =>
  ({question, stage}: Snapshot): Snapshot =>
    settle({stage, question: question && send(question, event)})
const count = (snapshot: Snapshot): Snapshot =>
  then({
    type: 'xstate.done.actor.countUnsent',
    output: {drafts: snapshot.stage === 'typed' ? 1 : 0, questions: 0, tasks: 0},
  })(snapshot)

const isOpen = ({question, stage}: Snapshot) => question === undefined && stage !== 'signed out'
const isCounting = ({question}: Snapshot) => question?.matches('counting') === true
const isAsked = ({question}: Snapshot) => question?.matches('asked') === true

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({question: undefined, stage: 'empty'}),
  effects: {
    type: where(
      (snapshot) => isOpen(snapshot) && snapshot.stage === 'empty',
      (snapshot) => ({...snapshot, stage: 'typed'}),
    ),
    'sign out': where(isOpen, (snapshot) => count(counting(snapshot))),
    'sign out while the database waits': where(isOpen, counting),
    'the database answers': where(isCounting, count),
    'the count is overdue': where(isCounting, then({type: 'xstate.after.countDeadline.signOutQuestion.counting'})),
    'press Stay': where(isAsked, then({type: 'signOut.stay'})),
    'press Escape': where(isAsked, then({type: 'signOut.stay'})),
    'press Log out': where(isAsked, then({type: 'signOut.go'})),
    'sign in': where(
      ({stage}) => stage === 'signed out',
      (): Snapshot => ({question: undefined, stage: 'empty'}),
    ),
  },
  shownBy: (snapshot) => {
    if (isAsked(snapshot)) return 'asked'
    const {stage} = snapshot
    return isCounting(snapshot) && stage !== 'signed out' ? `${stage}: counting` : stage
  },
}

type Hands = {page: Page; user: User}
/** Milliseconds for which drafts are counted. */
const deadline = 3_000
const typed = 'Half a thought'
const dialog = (page: Page) => page.getByRole('dialog', {name: 'Log out?'})
const press =
  (name: string) =>
  ({page}: Hands) =>
    dialog(page).getByRole('button', {name, exact: true}).click()
async function signOut({page}: Hands) {
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name: 'Log out'}).click()
}

/** A transaction that writes keeps the readers of the database waiting for as long as it has requests. */
const holdDatabase = ({page}: Hands) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('atrium')
        opening.onerror = () => reject(opening.error ?? new Error('no database'))
        opening.onsuccess = () => {
          const database = opening.result
          const store = database.transaction('bulk', 'readwrite').objectStore('bulk')
          const goOn = () => {
            if (document.documentElement.dataset['held'] === undefined) return database.close()
            store.count('foo').onsuccess = goOn
          }
          document.documentElement.dataset['held'] = 'true'
          store.count('foo').onsuccess = () => {
            resolve()
            goOn()
          }
        }
      }),
  )
const letDatabase = ({page}: Hands) => page.evaluate(() => delete document.documentElement.dataset['held'])

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  type: ({page}) => composer(page).fill(typed),
  'sign out': signOut,
  'sign out while the database waits': async (hands) => {
    await holdDatabase(hands)
    await signOut(hands)
  },
  'the database answers': letDatabase,
  'the count is overdue': async (hands) => {
    await endDelays(hands.page, deadline)
    await letDatabase(hands)
  },
  'press Stay': press('Stay'),
  'press Escape': ({page}) => page.keyboard.press('Escape'),
  'press Log out': press('Log out'),
  'sign in': async ({page, user}) => {
    await enter(page, user)
    await composer(page).waitFor()
  },
}

const shows =
  (text: string) =>
  async ({page}: Hands) => {
    await expect(dialog(page)).toHaveCount(0)
    await expect(composer(page)).toHaveValue(text)
  }
const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  empty: shows(''),
  typed: shows(typed),
  'empty: counting': shows(''),
  'typed: counting': shows(typed),
  asked: async ({page}) => {
    await expect(dialog(page).getByRole('listitem')).toHaveText(['1 draft'])
    await expect(dialog(page).getByRole('button', {name: 'Stay'})).toBeFocused()
  },
  'signed out': ({page}) => expect(page.getByRole('heading', {name: 'Sign in to Atrium'})).toBeVisible(),
}

test('the walk passes every resting state of the machine', () => {
  expect([...new Set(statesPassed(chart, ({question}) => question?.value ?? 'counting'))].sort()).toEqual(
    restingStates(signOutQuestionMachine),
  )
})

test('signing out asks what the machine says, over every edge', long, async ({chat: page, signedIn}) => {
  await holdDelays(page, [deadline])
  await page.reload()
  await composer(page).waitFor()
  await walkPage(chart, {page, user: signedIn.user}, {done, expected})
})
