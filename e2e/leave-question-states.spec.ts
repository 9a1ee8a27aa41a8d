import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {leaveQuestionMachine} from '#machines/leave-question/leave-question.machine.ts'
import {enter, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {HeldRoute} from './support/held-route.ts'
import type {User} from './support/users.ts'

/*
 * A page with a changed form asks before it is left, as the machine of that question says, over every edge of the graph
 * generated from it. The code of one page never comes: a page that is left for it is hidden, and asks nothing any more.
 */

const ways = ['link', 'slow link', 'back', 'sign out'] as const
type Way = (typeof ways)[number]
type Action = Way | 'press Stay' | 'press Escape' | 'press Leave' | 'come again' | 'sign in'
type Stage = 'form' | 'next page' | 'loading page' | 'signed out'
type Shown = Stage | `asked: ${Way}`
/** `way`: where the user wants to go. */
type Snapshot = {question: SnapshotFrom<typeof leaveQuestionMachine>; stage: Stage; way?: Way}

const send = sender(leaveQuestionMachine)
const open = (): Snapshot => ({question: initialTransition(leaveQuestionMachine)[0], stage: 'form'})
const isAsked = ({question}: Snapshot) => question.matches('asked')
const isForm = (snapshot: Snapshot) => snapshot.stage === 'form' && !isAsked(snapshot)
const behind: {[Name in Way]: Stage} = {
  link: 'next page',
  'slow link': 'loading page',
  back: 'next page',
  'sign out': 'signed out',
}

const asksOf = (way: Way) => where(isForm, (snapshot) => ({...then('leave.ask')(snapshot), way}))
const then =
  (type: Parameters<typeof send>[1]['type'] & `leave.${string}`) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, question: send(snapshot.question, {type})})
/** The page may be hidden already when it goes. */
const goes = (way: Way) => (snapshot: Snapshot) =>
  snapshot.stage === 'loading page' ? {...snapshot, stage: behind[way]} : asksOf(way)(snapshot)

const chart: Chart<Snapshot, Action, Shown> = {
  start: open,
  effects: {
    link: goes('link'),
    'slow link': asksOf('slow link'),
    back: asksOf('back'),
    'sign out': goes('sign out'),
    'press Stay': where(isAsked, then('leave.stay')),
    'press Escape': where(isAsked, then('leave.stay')),
    'press Leave': where(isAsked, (snapshot) => ({
      ...then('leave.go')(snapshot),
      stage: snapshot.way === undefined ? snapshot.stage : behind[snapshot.way],
    })),
    'come again': where(({stage}) => stage === 'next page' || stage === 'loading page', open),
    'sign in': where(({stage}) => stage === 'signed out', open),
  },
  shownBy: (snapshot) => {
    const {stage, way} = snapshot
    return isAsked(snapshot) && way !== undefined ? `asked: ${way}` : stage
  },
}

type Hands = {page: Page; user: User}
const typed = 'Ada'
const nameField = (page: Page) => page.getByRole('form', {name: 'Your profile'}).getByLabel('Name')
const dialog = (page: Page) => page.getByRole('dialog', {name: 'Leave without saving?'})
const press =
  (name: string) =>
  ({page}: Hands) =>
    dialog(page).getByRole('button', {name}).click()
const follow =
  (name: string) =>
  ({page}: Hands) =>
    page.getByRole('navigation', {name: 'Main'}).getByRole('link', {name}).click()
const choose = async (page: Page, name: string) => {
  await page.getByRole('button', {name: 'Account', exact: true}).click()
  await page.getByRole('menuitem', {name}).click()
}

/** Opens the form by the menu, so that Back leads to a page of the app. */
async function openForm({page}: Hands) {
  await choose(page, 'Profile')
  await nameField(page).fill(typed)
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  link: follow('Chat'),
  'slow link': follow('Music'),
  back: ({page}) => page.evaluate(() => history.back()),
  'sign out': ({page}) => choose(page, 'Log out'),
  'press Stay': press('Stay'),
  'press Escape': ({page}) => page.keyboard.press('Escape'),
  'press Leave': press('Leave'),
  'come again': openForm,
  'sign in': async (hands) => {
    await enter(hands.page, hands.user)
    await hands.page.getByRole('button', {name: 'Account', exact: true}).waitFor()
    await openForm(hands)
  },
}

const asks = async ({page}: Hands) => {
  await expect(dialog(page)).toBeVisible()
  await expect(page.getByLabel('Name')).toHaveValue(typed)
}
const isGone = async ({page}: Hands) => {
  await expect(dialog(page)).toHaveCount(0)
  await expect(nameField(page)).toHaveCount(0)
}
const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  form: async ({page}) => {
    await expect(dialog(page)).toHaveCount(0)
    await expect(nameField(page)).toHaveValue(typed)
    await expect(page).toHaveURL(/\/profile$/)
  },
  'asked: link': asks,
  'asked: slow link': asks,
  'asked: back': asks,
  'asked: sign out': asks,
  'next page': async (hands) => {
    await expect(hands.page).toHaveURL(/\/chatgpt\/conversations$/)
    await isGone(hands)
  },
  'loading page': async (hands) => {
    await expect(hands.page).toHaveURL(/\/suno$/)
    await isGone(hands)
  },
  'signed out': async (hands) => {
    await expect(hands.page.getByRole('heading', {name: 'Sign in to Atrium'})).toBeVisible()
    await isGone(hands)
  },
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({question: {value}}) => value)).toEqual(restingStates(leaveQuestionMachine))
})

test('the page asks what the machine says, over every edge', long, async ({chat: page, signedIn}) => {
  await HeldRoute.on(page, /\/assets\/suno-/)
  const hands = {page, user: signedIn.user}
  await openForm(hands)
  await walkPage(chart, hands, {done, expected})
})

test('Back to the form, while the page it was left for loads, asks nothing and shows the form', async ({
  chat: page,
  signedIn,
}) => {
  await HeldRoute.on(page, /\/assets\/suno-/)
  const hands = {page, user: signedIn.user}
  await openForm(hands)
  await done['slow link'](hands)
  // Back comes with the new address, before the form is hidden
  await page.evaluate(() => {
    const push = history.pushState.bind(history)
    history.pushState = (...entry) => {
      push(...entry)
      history.back()
    }
  })
  await done['press Leave'](hands)
  await expect(page).toHaveURL(/\/profile$/)
  await expect(dialog(page)).toHaveCount(0)
  await expect(nameField(page)).toBeVisible()
})

test('an address that ends in a slash asks as the other one', async ({chat: page, signedIn}) => {
  await page.goto(new URL('/profile/', page.url()).href)
  const hands = {page, user: signedIn.user}
  await nameField(page).fill(typed)
  await done.link(hands)
  await asks(hands)
})
