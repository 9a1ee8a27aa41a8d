import type {Page} from '@playwright/test'
import {followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import {conversationId, ended, lastMessage} from './support/chat-page.ts'
import {restingStates, statesPassed, takeWay, walkPage} from './support/chart-walk.ts'
import {isCommand} from './support/export-dialog.ts'
import {
  itemsIn,
  nextQuestions,
  twoTabsChart,
  type Action,
  type Shown,
  type Snapshot,
} from './support/follow-ups-of-two-tabs-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import type {ModelServer} from './support/model-server.ts'
import {secondTab} from './support/signed-in.ts'

/*
 * A question that waits in two tabs is shown by each, and goes out once, as the machine says, over every edge of the
 * graph generated from it. The other tab hears of the question at once; the test decides when it reads of the answer.
 */

type Tab = 'here' | 'there'
type Hands = Record<Tab, Page> & {modelServer: ModelServer; reads: HeldRoute; address: string}
const tabs = ['here', 'there'] as const
/** How long a tab waits for one that may come back (`returnDelay`), in milliseconds. */
const returnDelay = 3_000
const endReturnDelay = (page: Page) => endDelays(page, returnDelay)
const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
const goOnIn = (tab: Tab) => async (hands: Hands) => {
  await list(hands[tab]).getByRole('button', {name: 'Go on', exact: true}).click()
  await hands.reads.let(goOn)
}
const turnLocks = (page: Page) =>
  page.evaluate(async () => {
    const {held = [], pending = []} = await navigator.locks.query()
    return [held, pending].map((locks) => locks.filter(({name}) => name?.startsWith('atrium.turn.')).length)
  })

/** A lock of its own says which ones are of this tab. */
const hasTurn = (page: Page) =>
  page.evaluate(() =>
    navigator.locks.request('walk', async () => {
      const {held = []} = await navigator.locks.query()
      const own = held.find(({name}) => name === 'walk')?.clientId
      return held.some(({name, clientId}) => clientId === own && name?.startsWith('atrium.turn.'))
    }),
  )

const actions: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'ask twice': async ({here, there, modelServer, reads}, snapshot) => {
    const [first, second] = nextQuestions(snapshot)
    reads.hold()
    await ask(here, first)
    await expect.poll(() => modelServer.heldAnswers).toBe(1)
    await ask(here, second)
    await expect.poll(() => hasTurn(here)).toBe(true)
    // the other tab may have looked before this one showed that it has the turn: it looks again
    await expect
      .poll(async () => {
        await endReturnDelay(there)
        return turnLocks(there)
      })
      .toEqual(views.told.turn)
  },
  hear: ({reads}) => reads.let(goOn),
  end: async ({modelServer, reads, here}, snapshot) => {
    const [next] = itemsIn(snapshot, 'here')
    modelServer.proceed()
    if (snapshot.here === undefined) return
    if (next !== undefined) await expect.poll(() => modelServer.prompts.at(-1)).toBe(next.question)
    else await ended(here)
    await reads.let(goOn)
  },
  fail: async ({modelServer}) => modelServer.refuseHeld({message: 'No.'}),
  stop: ({here}) => here.getByRole('button', {name: 'Stop', exact: true}).click(),
  'go on here': goOnIn('here'),
  'go on there': goOnIn('there'),
  leave: ({here, address}) => here.goto(new URL('/robots.txt', address).href),
  'come back': async ({here, modelServer, address, reads}, snapshot) => {
    await here.goto(address)
    await composer(here).waitFor()
    const [next] = itemsIn(snapshot, 'there')
    if (snapshot.isRunning || next === undefined) return
    await expect.poll(() => modelServer.prompts.at(-1)).toBe(next.question)
    await reads.let(goOn)
  },
  'three seconds pass': async ({there, modelServer, reads}, snapshot) => {
    const isAlone = snapshot.here === undefined
    // the server refuses it while the answer before it runs
    const refusal =
      isAlone && snapshot.isRunning ? there.waitForResponse((response) => response.status() === 409) : undefined
    expect(await endReturnDelay(there)).toBeGreaterThan(0)
    await refusal
    if (!isAlone) return
    const [next] = itemsIn(snapshot, 'there')
    if (!snapshot.isRunning) await expect.poll(() => modelServer.prompts.at(-1)).toBe(next?.question)
    await reads.let(goOn)
  },
}

type View = {
  /** Which tabs answer; undefined for one that is away. */
  answers: Record<Tab, boolean | undefined>
  waits: 'none' | 'waits' | 'held'
  /** Tabs that have the turn before the question, and those that stand for it behind them. */
  turn: [held: number, pending: number]
}
const both = (isAnswering: boolean) => ({here: isAnswering, there: isAnswering})
const views: {[Name in Shown]: View} = {
  'both rest': {answers: both(false), waits: 'none', turn: [0, 0]},
  told: {answers: {here: true, there: false}, waits: 'waits', turn: [1, 1]},
  left: {answers: {here: undefined, there: false}, waits: 'waits', turn: [0, 0]},
  'left, ended': {answers: {here: undefined, there: false}, waits: 'waits', turn: [0, 0]},
  'left, back': {answers: {here: true, there: false}, waits: 'waits', turn: [1, 0]},
  'told to hold': {answers: both(false), waits: 'held', turn: [1, 1]},
  'both hold': {answers: both(false), waits: 'held', turn: [1, 1]},
  'both answer, one waits': {answers: both(true), waits: 'waits', turn: [1, 1]},
  'both answer': {answers: both(true), waits: 'none', turn: [0, 0]},
  'alone answers, one waits': {answers: {here: undefined, there: true}, waits: 'waits', turn: [1, 0]},
  'alone answers': {answers: {here: undefined, there: true}, waits: 'none', turn: [0, 0]},
  'alone rests': {answers: {here: undefined, there: false}, waits: 'none', turn: [0, 0]},
}
const notes = {
  waits: 'Sent in this order, each after the answer before it.',
  held: 'On hold: the last answer failed or was stopped.',
}

async function expectView(hands: Hands, snapshot: Snapshot, {answers, waits, turn}: View) {
  const {modelServer, there} = hands
  await expect.poll(() => modelServer.prompts).toEqual(snapshot.asked)
  await expect.poll(() => modelServer.heldAnswers).toBe(snapshot.isRunning ? 1 : 0)
  for (const tab of tabs) {
    const isAnswering = answers[tab]
    if (isAnswering === undefined) continue
    const page = hands[tab]
    await expect(page.getByRole('button', {name: 'Stop', exact: true})).toHaveCount(isAnswering ? 1 : 0)
    const items = itemsIn(snapshot, tab)
    await expect(list(page).getByRole('listitem')).toHaveCount(items.length)
    for (const {question} of items)
      await expect(list(page).getByRole('group', {name: question, exact: true})).toBeVisible()
    if (waits === 'none') continue
    await expect(list(page).getByRole('status').first()).toHaveText(notes[waits])
    await expect(list(page).getByRole('button', {name: 'Go on'})).toHaveCount(waits === 'held' ? 1 : 0)
  }
  await expect.poll(() => turnLocks(there)).toEqual(turn)
}
// as: the keys of an object are typed as any text
const expected = Object.fromEntries(
  Object.entries(views).map(([name, view]) => [
    name,
    (hands: Hands, snapshot: Snapshot) => expectView(hands, snapshot, view),
  ]),
) as {[Name in Shown]: (hands: Hands, snapshot: Snapshot) => Promise<void>}

test('the walk passes every resting state in which the other tab has the turn', () => {
  const states = statesPassed(twoTabsChart, ({there: {value}}) => value)
  // the browser answers at once: a tab that looks again is gone from there when its user looks
  const all = [...states, 'turn.free.told.confirming']
  const elsewhere = restingStates(followUpsMachine).filter((state) => /told|held\.elsewhere/.test(state))
  expect(elsewhere).toHaveLength(4)
  expect(all).toEqual(expect.arrayContaining(elsewhere))
})

/** An answer has ended, and both tabs show it. */
async function openTabs(here: Page, modelServer: ModelServer): Promise<Hands> {
  await ask(here, 'Question 0')
  await ended(here)
  await conversationId(here)
  const address = here.url()
  const there = await secondTab(here, '/robots.txt')
  await holdDelays(there, [returnDelay])
  const reads = await HeldRoute.on(there, '**/aichat/conversations', isCommand('retrieve'))
  await reads.let(goOn)
  await there.goto(address)
  await expect(lastMessage(there)).toContainText('You said: Question 0')
  modelServer.hold(1)
  return {here, there, modelServer, reads, address}
}

test('Go on sends what the other tab claimed before the server refused it there', async ({chat, modelServer}) => {
  const way = ['ask twice', 'leave', 'three seconds pass', 'come back', 'fail', 'go on here'] as const
  await takeWay(twoTabsChart, way, await openTabs(chat, modelServer), {done: actions, expected})
})

test('each of two tabs shows what waits as the machine says, over every edge', long, async ({chat, modelServer}) => {
  await walkPage(twoTabsChart, await openTabs(chat, modelServer), {done: actions, expected})
})
