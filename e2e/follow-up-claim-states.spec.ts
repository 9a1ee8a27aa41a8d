import type {Page} from '@playwright/test'
import {initialTransition, transition, type ExecutableActionsFrom} from 'xstate'
import {followUpClaimMachine} from '#machines/follow-up-claim/follow-up-claim.machine.ts'
import type {ClaimDecided, FollowUpClaimEvent} from '#machines/follow-up-claim/follow-up-claim.types.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import {conversationId, ended, lastMessage} from './support/chat-page.ts'
import {graphOf, restingStates, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import type {ModelServer} from './support/model-server.ts'

/*
 * A question that waits in two tabs is sent by one of them as the machine of their claims says, over every edge of the
 * graph generated from it. The browser says which tabs stand in the queue for the question, and in which order.
 */

type Tab = 'here' | 'there'
type Turn = 'busy' | 'free' | 'sent'
type Action =
  | 'edit here'
  | 'edit there'
  | 'cancel here'
  | 'cancel there'
  | 'the answer ends'
  | 'a minute passes'
  | 'the next question'
type Shown = `${Turn}: ${string}`
type Claim = ReturnType<typeof initialTransition<typeof followUpClaimMachine>>[0]
/**
 * `queue`: tabs that stand for the question, in order; `editors`: tabs with an editor of its text; `isEither`: both
 * could claim it at the same moment; `asked`: what went out, each once.
 */
type Snapshot = {
  claims: Partial<Record<Tab, Claim>>
  queue: readonly Tab[]
  editors: readonly Tab[]
  turn: Turn
  isEither: boolean
  count: number
  asked: readonly string[]
}
type Given = FollowUpClaimEvent | {type: `xstate.after.${string}`}

const tabs = ['here', 'there'] as const
const at = (state: string) => `xstate.after.${state}` as const
const rested = {type: at('editRest.followUpClaim.working.use.free')} as const
const firstQuestion = (count: number) => `Question ${count}`
const waitingQuestion = (count: number) => `Waiting ${count}`
const withoutTab = (list: readonly Tab[], tab: Tab) => list.filter((each) => each !== tab)

const isClaimed = ({type, params}: ExecutableActionsFrom<typeof followUpClaimMachine>) => {
  // as: the type of the actions lacks what a machine emits
  const {event} = ((type as string) === 'xstate.emit' ? params : {}) as {event?: ClaimDecided}
  return event?.isOurs === true
}

/** The claim of one tab hears it, and leaves the queue once it is over. */
function given(snapshot: Snapshot, tab: Tab, ...events: Given[]): Snapshot {
  const [event, ...rest] = events
  const claim = snapshot.claims[tab]
  if (event === undefined || claim === undefined) return snapshot
  // as: the machine's own type leaves out the events of the interpreter
  const [next, actions] = transition(followUpClaimMachine, claim, event as FollowUpClaimEvent)
  const heard = {...snapshot, claims: {...snapshot.claims, [tab]: next}}
  const after = actions.some(isClaimed) ? sentBy(heard, tab) : heard
  return given(next.status === 'done' ? left(after, tab) : after, tab, ...rest)
}
function left(snapshot: Snapshot, tab: Tab): Snapshot {
  const {[tab]: _, ...claims} = snapshot.claims
  const queue = withoutTab(snapshot.queue, tab)
  const [first] = queue
  const after = {...snapshot, claims, queue}
  return first === undefined || first === snapshot.queue[0] ? after : given(after, first, {type: 'leader.won'})
}
/** The question leaves the list of both tabs, and an editor of its text closes. */
function sentBy(snapshot: Snapshot, tab: Tab): Snapshot {
  const asked = [...snapshot.asked, waitingQuestion(snapshot.count)]
  const others = withoutTab(snapshot.editors, tab)
  return others.reduce<Snapshot>((after, other) => given(after, other, {type: 'edit.end'}, rested), {
    ...snapshot,
    ...{turn: 'sent', asked, editors: []},
  })
}
function standing(snapshot: Snapshot, tab: Tab): Snapshot {
  if (snapshot.claims[tab] !== undefined) return snapshot
  const [claim] = initialTransition(followUpClaimMachine, {key: 'k'})
  const queue = [...snapshot.queue, tab]
  const after = {...snapshot, queue, claims: {...snapshot.claims, [tab]: claim}}
  return given(after, tab, {type: queue[0] === tab ? 'leader.won' : 'leader.lost'})
}
const claimed = (snapshot: Snapshot, tab: Tab) =>
  snapshot.turn === 'free' ? given(standing(snapshot, tab), tab, {type: 'claim.request'}) : snapshot

const begin = (count: number, asked: readonly string[]): Snapshot => ({
  ...{claims: {}, queue: [], editors: [], turn: 'busy', isEither: false, count},
  asked: [...asked, firstQuestion(count)],
})
const edit = (tab: Tab) =>
  where<Snapshot>(
    ({turn, editors}) => turn !== 'sent' && !editors.includes(tab),
    (snapshot) => ({
      ...given(standing(snapshot, tab), tab, {type: 'edit.begin'}),
      editors: [...snapshot.editors, tab],
    }),
  )
const cancel = (tab: Tab) =>
  where<Snapshot>(
    ({editors}) => editors.includes(tab),
    (snapshot) => {
      const closed = given({...snapshot, editors: withoutTab(snapshot.editors, tab)}, tab, {type: 'edit.end'})
      return closed.turn === 'free' ? claimed(closed, tab) : given(closed, tab, rested)
    },
  )

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => begin(1, []),
  effects: {
    'edit here': edit('here'),
    'edit there': edit('there'),
    'cancel here': cancel('here'),
    'cancel there': cancel('there'),
    'the answer ends': where(
      ({turn}) => turn === 'busy',
      (snapshot) => {
        const {editors} = snapshot
        const free: Snapshot = {...snapshot, turn: 'free', isEither: editors.length === 0}
        return tabs.filter((tab) => !editors.includes(tab)).reduce<Snapshot>(claimed, free)
      },
    ),
    'a minute passes': where(
      ({turn, queue}) => turn === 'sent' && queue.length > 0,
      (snapshot) =>
        snapshot.queue.reduce<Snapshot>(
          (after, tab) => given(after, tab, {type: at('claimLife.followUpClaim.working.use.claimed')}),
          snapshot,
        ),
    ),
    'the next question': where(
      ({turn, queue}) => turn === 'sent' && queue.length === 0,
      ({count, asked}) => begin(count + 1, asked),
    ),
  },
  shownBy: ({turn, queue, isEither}) =>
    `${turn}: ${turn === 'sent' && isEither && queue.length > 0 ? 'either' : queue.join(' before ')}`,
}

type Hands = Record<Tab, Page> & {modelServer: ModelServer}
const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
const press = (tab: Tab, name: string) => (hands: Hands) =>
  list(hands[tab]).getByRole('button', {name, exact: true}).click()

/** One question runs, and one waits in both tabs. */
async function askBoth({here, there, modelServer}: Hands, count: number) {
  await ask(here, firstQuestion(count))
  for (const tab of [here, there]) await expect(lastMessage(tab)).toContainText('You')
  await expect.poll(() => modelServer.heldAnswers).toBe(1)
  await ask(here, waitingQuestion(count))
}

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'edit here': press('here', 'Edit'),
  'edit there': press('there', 'Edit'),
  'cancel here': press('here', 'Cancel'),
  'cancel there': press('there', 'Cancel'),
  'the answer ends': async ({modelServer}) => modelServer.proceed(),
  'a minute passes': async ({here, there}) =>
    expect((await endDelays(here, 60_000)) + (await endDelays(there, 60_000))).toBeGreaterThan(0),
  'the next question': async (hands, {count}) => {
    await expect.poll(() => hands.modelServer.heldAnswers).toBe(1)
    hands.modelServer.proceed()
    for (const tab of tabs) await ended(hands[tab])
    await askBoth(hands, count + 1)
  },
}

/** A lock of its own names the tab in what the browser says about locks. */
const nameTab = (page: Page, name: Tab) =>
  page.evaluate((tab) => void navigator.locks.request(`walk.${tab}`, () => new Promise(() => undefined)), name)
const queueOf = (page: Page) =>
  page.evaluate(async () => {
    const {held = [], pending = []} = await navigator.locks.query()
    const tabOf = (client: string | undefined) =>
      held.find(({name, clientId}) => clientId === client && name?.startsWith('walk.'))?.name?.slice('walk.'.length)
    return [...held, ...pending]
      .filter(({name}) => name?.startsWith('atrium.follow-up.'))
      .map(({clientId}) => tabOf(clientId))
  })

async function expectShown(hands: Hands, {queue, editors, turn, isEither, asked}: Snapshot) {
  const {here, modelServer} = hands
  for (const tab of tabs) {
    await expect(list(hands[tab])).toHaveCount(turn === 'sent' ? 0 : 1)
    await expect(list(hands[tab]).getByRole('textbox')).toHaveCount(editors.includes(tab) ? 1 : 0)
  }
  await expect.poll(() => modelServer.prompts).toEqual(asked)
  if (isEither) await expect.poll(async () => (await queueOf(here)).length).toBe(queue.length)
  else await expect.poll(() => queueOf(here)).toEqual(queue)
}

test('the walk passes every resting state of the machine', () => {
  // the browser answers at once, and nobody stays in the queue without a use for a second
  const passing = ['working.position.asking', 'working.use.claiming', 'working.use.free']
  const passed = statesPassed(chart, ({claims}) =>
    Object.fromEntries(Object.entries(claims).map(([tab, {value}]) => [tab, value])),
  )
  const states = new Set(passed.map((state) => state.replace(/^(here|there)\./, '')))
  expect([...states, ...passing].sort()).toEqual(restingStates(followUpClaimMachine))
})

test(
  'one of two tabs sends what waits, as the machine says, over every edge',
  long,
  async ({chat: here, context, modelServer}) => {
    await holdDelays(here)
    await here.reload()
    await expect(composer(here)).toBeEnabled()
    modelServer.hold(1)
    await ask(here, firstQuestion(1))
    await conversationId(here)
    const there = await context.newPage()
    await holdDelays(there)
    await there.goto(here.url())
    for (const tab of [here, there]) await expect(lastMessage(tab)).toContainText('You')
    await expect.poll(() => modelServer.heldAnswers).toBe(1)
    await ask(here, waitingQuestion(1))
    await nameTab(here, 'here')
    await nameTab(there, 'there')
    const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown]))
    await walkPage(chart, {here, there, modelServer}, {done, expected})
  },
)
