import type {Page, Route} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {namingMachine} from '#machines/conversation-list/naming.machine.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import {conversations, ended, lastMessage, newChat, row, storedConversations} from './support/chat-page.ts'
import {graphOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute, letOnce} from './support/held-route.ts'
import type {ModelServer} from './support/model-server.ts'

/*
 * The page asks for the name of a conversation as the machine of that says, over every edge of the graph generated from
 * it: after a copy without a name, a fault or no answer it asks again, five times in all, and a name of the user stays.
 */

type Action = 'name it' | 'give it no name' | 'fail' | 'wait in vain' | 'rename it' | 'ask the next question'
type Shown = `${'asked' | 'over'}: ${string}`
/** `count`: conversations so far, each with one question. */
type Snapshot = {naming: SnapshotFrom<typeof namingMachine>; isRenamed: boolean; count: number}

const send = sender(namingMachine)
const waited = {type: 'xstate.after.namingDelay.naming.waiting'} as const
const copy = (title?: string) =>
  ({type: 'xstate.done.actor.findConversation', output: {title}, actorId: 'findConversation'}) as const
const nameOf = ({count}: Pick<Snapshot, 'count'>) => `Name ${count}`
const questionOf = ({count}: Pick<Snapshot, 'count'>) => `Question ${count}`
const ownOf = ({count}: Pick<Snapshot, 'count'>) => `Mine ${count}`
const isAsked = ({naming}: Snapshot) => naming.matches('asking')
const attemptsOf = ({naming}: Snapshot) => naming.context.attempts

const begin = (count: number): Snapshot => {
  const [naming] = initialTransition(namingMachine, {key: 'c', parentRef: nobody})
  return {naming: send(naming, waited), isRenamed: false, count}
}
/** The time until the next attempt passes by itself, if there is one. */
const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot => {
    const naming = send(snapshot.naming, ...events)
    return {...snapshot, naming: naming.matches('waiting') ? send(naming, waited) : naming}
  }
const isOwnless = (snapshot: Snapshot) => isAsked(snapshot) && !snapshot.isRenamed
/** Faults and names of the user are walked at the first attempt alone: they have the same result at each. */
const isFirst = (snapshot: Snapshot) => isOwnless(snapshot) && attemptsOf(snapshot) === 1

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => begin(1),
  effects: {
    'name it': where(isAsked, (snapshot) => then(copy(nameOf(snapshot)))(snapshot)),
    'give it no name': where(isOwnless, then(copy())),
    fail: where(isFirst, then({type: 'xstate.error.actor.findConversation', error: new Error('foo')})),
    'wait in vain': where(isFirst, then({type: 'xstate.after.callDeadline.naming.asking'})),
    'rename it': where(isFirst, (snapshot) => ({...snapshot, isRenamed: true})),
    'ask the next question': where(
      ({naming}) => naming.matches('settled'),
      ({count}) => begin(count + 1),
    ),
  },
  shownBy: (snapshot) => {
    if (isAsked(snapshot)) return `asked: ${attemptsOf(snapshot)}${snapshot.isRenamed ? ', renamed' : ''}`
    return `over: ${snapshot.isRenamed ? 'renamed' : snapshot.naming.context.title === undefined ? 'unnamed' : 'named'}`
  },
}

type Hands = {page: Page; copies: HeldRoute; modelServer: ModelServer}
async function askNext({page, modelServer}: Omit<Hands, 'copies'>, count: number) {
  modelServer.nameBy(nameOf({count}))
  await ask(page, questionOf({count}))
  await expect(lastMessage(page)).toContainText(`You said: ${questionOf({count})}`)
  await ended(page)
  const titles = async () => (await storedConversations(page)).map(({title}) => title)
  await expect.poll(titles).toContain(nameOf({count}))
}
/** Answers with the server's copy of the conversation, without the name that it found. */
const withoutName = async (route: Route) => {
  const response = await route.fetch()
  // as: the contract tests check this answer
  const {title: _, ...json} = (await response.json()) as {title?: string}
  await route.fulfill({response, json})
}
/** A wait that the page does not take on itself. */
const refuse = (route: Route) =>
  route.fulfill({status: 503, headers: {'retry-after': '60'}, json: {error: {code: 'foo', message: 'foo'}}})
/** Waits of eight seconds and more last until they are ended. */
const endWait = async (page: Page, snapshot: Snapshot) => {
  const delay = 1_000 * 2 ** attemptsOf(snapshot)
  const isHeld = delay >= 8_000 && attemptsOf(snapshot) < 5
  if (isHeld) await expect.poll(() => endDelays(page, delay)).toBeGreaterThan(0)
}

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'name it': ({copies}) => letOnce(copies, goOn),
  'give it no name': async ({page, copies}, snapshot) => {
    await letOnce(copies, withoutName)
    await endWait(page, snapshot)
  },
  fail: ({copies}) => letOnce(copies, refuse),
  'wait in vain': async ({page, copies}) => {
    await copies.waitForOne()
    expect(await endDelays(page, 15_000)).toBeGreaterThan(0)
    copies.hold()
  },
  'rename it': async ({page}, snapshot) => {
    await row(page, questionOf(snapshot)).getByRole('link').press('F2')
    const field = page.getByRole('textbox', {name: 'Title of the conversation'})
    await field.fill(ownOf(snapshot))
    await field.press('Enter')
  },
  'ask the next question': async (hands, {count}) => {
    await newChat(hands.page)
    await askNext(hands, count + 1)
  },
}

async function expectShown({page, copies}: Hands, snapshot: Snapshot) {
  const isNamed = snapshot.naming.context.title !== undefined
  const title = snapshot.isRenamed ? ownOf(snapshot) : isNamed ? nameOf(snapshot) : questionOf(snapshot)
  const ofThis = new RegExp(`^(${[nameOf, questionOf, ownOf].map((name) => name(snapshot)).join('|')})$`)
  await expect(conversations(page).getByRole('link', {name: ofThis})).toHaveText([title])
  await expect.poll(() => copies.held).toBe(isAsked(snapshot) ? 1 : 0)
}

test('the walk passes every state of the machine that is not left by itself', () => {
  // a second at least passes until the first attempt
  const passed = statesPassed(chart, ({naming: {value}}) => value)
  expect([...passed, 'waiting'].sort()).toEqual([...restingStates(namingMachine), 'settled'].sort())
})

test('a conversation gets its name as the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  await holdDelays(page)
  await page.reload()
  await expect(composer(page)).toBeEnabled()
  const copies = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve'))
  await askNext({page, modelServer}, 1)
  const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown]))
  await walkPage(chart, {page, copies, modelServer}, {done, expected})
})
