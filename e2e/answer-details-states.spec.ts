import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {answerDetailsMachine, type AnswerDetailsSnapshot} from '#machines/answer-details/answer-details.machine.ts'
import {ask, expect, test} from './fixtures.ts'
import {chooseAction, ended, lastMessage, moreActions} from './support/chat-page.ts'
import {sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * The details of an answer, alone and beside what happened, show what their machine says, over every edge of the graph
 * generated from the machine.
 */

type Action = 'open the details' | 'open what happened' | 'read' | 'fail' | 'retry' | 'close'
type View = 'details' | 'what happened'
type Shown = 'closed' | `${View}: ${'loading' | 'failed' | 'shown'}`
/** The machine begins and ends with the view that shows it. */
type Snapshot = {view: View; machine: AnswerDetailsSnapshot} | {view: undefined}

const send = sender(answerDetailsMachine)
const is = (snapshot: Snapshot, state: 'loading' | 'failed') =>
  snapshot.view !== undefined && snapshot.machine.matches(state)
const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot =>
    snapshot.view === undefined ? snapshot : {...snapshot, machine: send(snapshot.machine, ...events)}
const opens = (view: View) =>
  where<Snapshot>(
    (snapshot) => snapshot.view === undefined,
    () => ({view, machine: initialTransition(answerDetailsMachine, {message: 'foo'})[0]}),
  )
const isLoading = (snapshot: Snapshot) => is(snapshot, 'loading')

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({view: undefined}),
  effects: {
    'open the details': opens('details'),
    'open what happened': opens('what happened'),
    read: where(isLoading, then({type: 'xstate.done.actor.readDetails', output: {attempts: []}})),
    fail: where(isLoading, then({type: 'xstate.error.actor.readDetails', error: new Error('foo')})),
    // beside what happened a failure is a fact like the others
    retry: where((snapshot) => snapshot.view === 'details' && is(snapshot, 'failed'), then({type: 'details.load'})),
    close: where<Snapshot>(
      ({view}) => view !== undefined,
      () => ({view: undefined}),
    ),
  },
  shownBy: (snapshot) => (snapshot.view === undefined ? 'closed' : `${snapshot.view}: ${snapshot.machine.value}`),
}

type Hands = {page: Page; calls: HeldRoute}
const details = ({page}: Hands) => page.getByRole('dialog', {name: 'Details', exact: true})
const flow = ({page}: Hands) => page.getByRole('dialog', {name: 'What happened', exact: true})

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'open the details': ({page}) => chooseAction(lastMessage(page), 'Details'),
  'open what happened': ({page}) => chooseAction(lastMessage(page), 'What happened'),
  read: ({calls}) => letOnce(calls, goOn),
  fail: ({calls}) => letOnce(calls, refuseWith(403, 'forbidden')),
  retry: (hands) => details(hands).getByRole('button', {name: 'Retry'}).click(),
  close: async (hands) => {
    await hands.page.keyboard.press('Escape')
    // a call that was left has no answer any more
    hands.calls.hold()
    await expect(moreActions(lastMessage(hands.page))).toBeFocused()
  },
}

const isAsked = ({calls}: Hands) => expect.poll(() => calls.held).toBe(1)
const detailTerms = ['Model', 'Asked', 'Took', 'Tokens, estimated', 'Credits', 'Trace ID']
/** The fields that the server keeps beside the message, under the names of the wire. */
const kept = ['trace_id', 'created_at', 'started_at', 'finished_at', 'prompt_tokens', 'completion_tokens', 'cost']
/** The facts of the message itself are there in each state. */
const flowHas = async (hands: Hands, names: string[]) => {
  await expect(flow(hands).getByText('finished', {exact: true}).first()).toBeVisible()
  const terms = flow(hands).getByRole('term')
  await expect(terms.filter({hasText: new RegExp(`^(${['details', ...kept].join('|')})$`)})).toHaveText(names)
}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  closed: async ({page}) => expect(page.getByRole('dialog')).toHaveCount(0),
  'details: loading': async (hands) => {
    await expect(details(hands).getByRole('status')).toHaveText('Loading')
    await expect(details(hands).getByRole('alert')).toHaveCount(0)
    await isAsked(hands)
  },
  'details: failed': async (hands) => {
    await expect(details(hands).getByRole('alert')).toContainText("Couldn't load the details.")
    await expect(details(hands).getByRole('button', {name: 'Retry'})).toBeVisible()
    await expect(details(hands).getByRole('term')).toHaveCount(0)
  },
  'details: shown': async (hands) => {
    await expect(details(hands).getByRole('term')).toHaveText(detailTerms)
    await expect(details(hands).getByRole('alert')).toHaveCount(0)
  },
  'what happened: loading': async (hands) => {
    await flowHas(hands, [])
    await isAsked(hands)
  },
  'what happened: failed': (hands) => flowHas(hands, ['details']),
  'what happened: shown': (hands) => flowHas(hands, kept),
}

test('the walk passes every state of the machine', () => {
  const values = (snapshot: Snapshot) => (snapshot.view === undefined ? 'closed' : snapshot.machine.value)
  expect(statesPassed(chart, values)).toEqual(['closed', ...Object.keys(answerDetailsMachine.states)].sort())
})

test('details show what the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  modelServer.answer('Some words')
  await ask(page, 'Words?')
  await ended(page)
  await walkPage(chart, {page, calls: await HeldRoute.on(page, '**/api/v1/answers/*')}, {done, expected})
})
