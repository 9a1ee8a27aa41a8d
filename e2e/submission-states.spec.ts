import type {BrowserContext, Page, Route} from '@playwright/test'
import {initialTransition} from 'xstate'
import {lostContact} from '#domain/failure.ts'
import type {StoredIntent} from '#domain/intent.ts'
import {submissionMachine, type SubmissionSnapshot} from '#machines/submission/submission.machine.ts'
import type {SubmissionInput} from '#machines/submission/submission.types.ts'
import {startEnvironment} from '../tests/machines/environment-fixture.ts'
import {intent, startList, type SetUp} from '../tests/machines/media-fixtures.ts'
import {nobody} from '../tests/machines/nobody.ts'
import {expect, test} from './fixtures.ts'
import {
  graphOf,
  leavesOf,
  restingStates,
  sender,
  takeWay,
  waysToAll,
  wholeWays,
  type Chart,
  type LeafOf,
} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, refuseWith} from './support/held-route.ts'
import {ageKeptRequests, forgetSetUp} from './support/kept-requests.ts'
import {cards, generateButton, openTool, promptField, settings} from './support/media-page.ts'

/*
 * The card of a request shows each resting state of its machine: one test for each way through them, generated from the
 * machine. How the form shows its request is in generation-states.spec.ts.
 */

type Action =
  | 'send'
  | 'send without a network'
  | 'the network is back'
  | 'the answer takes long'
  | 'lose the answer'
  | 'the retry goes out'
  | 'lose every answer'
  | 'lose the network'
  | 'it is not found'
  | 'refuse'
  | 'run out of credits'
  | 'come back before set-up'
  | 'set-up is there'
  | 'set-up takes too long'
  | 'come back long after'
  | 'the search ends'
  | 'send again'
  | 'accept'
/** Left by themselves once the browser has answered: as good as sent. */
const passing = ['preparing.reading', 'preparing.settingUp', 'recovering.reading', 'saving'] as const
type Leaf = Exclude<
  LeafOf<typeof submissionMachine>,
  (typeof passing)[number] | 'opening' | 'judging' | 'settled' | 'discarded'
>
type Shown = 'nothing' | Leaf
type Sent = {request?: SubmissionSnapshot}

const send = sender(submissionMachine)
const done = (id: string, output?: unknown) => ({type: `xstate.done.actor.${id}`, actorId: id, output}) as const
const fail = (error: object) => ({type: 'xstate.error.actor.postRequest', actorId: 'postRequest', error}) as const
const later = (delay: string, at: string) => ({type: `xstate.after.${delay}.submission.${at}`}) as const
const prepared = (isOld = false) => done('prepareRequest', {repeats: true, isHeld: false, isOld})
const lost = fail(lostContact('foo'))
const refused = (code: string) => fail({status: 403, code, detail: 'foo'})
const longAgo = 30 * 3_600

const begin = (own: Partial<SubmissionInput>, setUp: SetUp = 'ready') => {
  const input: SubmissionInput = {
    ...startList(setUp).input,
    parentRef: nobody,
    environment: startEnvironment(),
    intent: intent('k'),
    origin: 'new',
    ...own,
  }
  return initialTransition(submissionMachine, input)[0]
}
const sendNew = (isOnline: boolean) =>
  send(begin({environment: startEnvironment({isOnline})}), done('saveIntent'), prepared())
/** Returns the state in which a later page shows a request that this page left. */
const comeBack = (state: StoredIntent['state']) =>
  begin({intent: {...intent('k'), state}, origin: 'stored', now: intent('k').at + longAgo})
const withEnvironment = (snapshot: SubmissionSnapshot, isOnline: boolean): SubmissionSnapshot => ({
  ...snapshot,
  context: {...snapshot.context, environment: startEnvironment({isOnline})},
})
const loseAll = (snapshot: SubmissionSnapshot): SubmissionSnapshot => {
  const next = send(snapshot, lost)
  return next.matches('retrying') ? loseAll(send(next, later('retryDelay', 'retrying'))) : next
}
const lookInVain = (snapshot: SubmissionSnapshot): SubmissionSnapshot =>
  snapshot.matches('looking') ? lookInVain(send(snapshot, later('lookInterval', 'looking'))) : snapshot

// as: the states that a user cannot find a request in are left at once
const leafOf = ({value}: SubmissionSnapshot) => leavesOf(value)[0] as Leaf
const shownBy = ({request}: Sent): Shown => (request === undefined ? 'nothing' : leafOf(request))

const first = (then: () => SubmissionSnapshot) => (sent: Sent) =>
  sent.request === undefined ? {request: then()} : undefined
const where =
  (shown: readonly Leaf[], then: (snapshot: SubmissionSnapshot) => SubmissionSnapshot) =>
  ({request}: Sent): Sent | undefined =>
    request !== undefined && shown.includes(leafOf(request)) ? {request: then(request)} : undefined

const chart: Chart<Sent, Action, Shown> = {
  start: () => ({}),
  shownBy,
  effects: {
    send: first(() => sendNew(true)),
    'send without a network': first(() => sendNew(false)),
    'the network is back': where(['preparing.offline', 'recovering.offline'], (snapshot) =>
      send(withEnvironment(snapshot, true), {type: 'connection.restored'}, prepared()),
    ),
    'the answer takes long': where(['posting.fresh'], (snapshot) => send(snapshot, later('heldLook', 'posting.fresh'))),
    'lose the answer': where(['posting.fresh'], (snapshot) => send(snapshot, lost)),
    'the retry goes out': where(['retrying'], (snapshot) => send(snapshot, later('retryDelay', 'retrying'))),
    'lose every answer': where(['posting.fresh'], loseAll),
    'lose the network': where(['posting.fresh'], (snapshot) => send(withEnvironment(snapshot, false), lost)),
    'it is not found': where(['looking'], lookInVain),
    refuse: where(['posting.fresh'], (snapshot) => send(snapshot, refused('bad_request'))),
    'run out of credits': where(['posting.fresh'], (snapshot) => send(snapshot, refused('used_up'))),
    'come back before set-up': where(['posting.fresh'], () => begin({origin: 'stored'}, 'settling')),
    'set-up is there': where(['recovering.settingUp'], (snapshot) =>
      send(snapshot, {type: 'provision.ready'}, prepared()),
    ),
    'set-up takes too long': where(['recovering.settingUp'], (snapshot) =>
      send(snapshot, later('prepareDeadline', 'recovering.settingUp')),
    ),
    'come back long after': where(['posting.fresh', 'usedUp.buying'], ({context: {failure}}) =>
      failure === undefined ? send(comeBack(undefined), prepared(true)) : comeBack('usedUp'),
    ),
    'the search ends': where(['searching'], (snapshot) => send(snapshot, done('findTasks', []))),
    'send again': where(['unsure', 'rejected', 'usedUp.buying', 'usedUp.resting'], (snapshot) =>
      send(snapshot, {type: 'submission.retry'}, prepared()),
    ),
    accept: where(['posting.fresh'], (snapshot) => send(snapshot, done('postRequest', {task: 't'}))),
  },
}

type Hands = {page: Page; context: BrowserContext; setUp: HeldRoute; submission: HeldRoute; lists: HeldRoute}

const card = (page: Page) => cards(page).filter({hasText: 'a kite'})
const press = (page: Page) => promptField(page).press('Control+Enter')
const breakOff = (route: Route) => route.abort('connectionreset')
const doubts = (page: Page) => card(page).getByText("We don't know if this was sent")
/** Time passes on the page until this is in sight. */
const passUntil = (page: Page, words: string) =>
  expect
    .poll(async () => {
      await page.clock.runFor(2_000)
      return card(page).getByText(words).count()
    })
    .toBe(1)
/** The page is left, and later another one is opened. */
async function openLater({page, submission}: Hands, meanwhile: () => Promise<unknown>): Promise<void> {
  await page.goto(new URL('/robots.txt', page.url()).href)
  await meanwhile()
  submission.hold()
  submission.asked = 0
  await openTool(page, '/flux')
}

const hands: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  send: ({page}) => press(page),
  'send without a network': async ({page, context}) => {
    await context.setOffline(true)
    await press(page)
  },
  'the network is back': ({context}) => context.setOffline(false),
  'the answer takes long': ({page}) => page.clock.runFor(6_000),
  'lose the answer': ({submission}) => submission.letFirst(breakOff),
  'the retry goes out': ({submission}) => submission.waitForOne(),
  'lose every answer': async ({page, submission}) => {
    await submission.let(breakOff)
    await passUntil(page, 'Looking for your request')
    submission.hold()
  },
  'lose the network': async ({context, submission}) => {
    await context.setOffline(true)
    await submission.letFirst(breakOff)
  },
  'it is not found': ({page}) => passUntil(page, "We don't know if this was sent"),
  refuse: ({submission}) => submission.letFirst(refuseWith(400, 'bad_request')),
  'run out of credits': ({submission}) => submission.letFirst(refuseWith(403, 'used_up')),
  'come back before set-up': (held) =>
    openLater(held, async () => {
      await forgetSetUp(held.page, 'flux')
      held.setUp.hold()
    }),
  'set-up is there': ({setUp}) => setUp.let(goOn),
  'set-up takes too long': ({page}) => passUntil(page, "We don't know if this was sent"),
  'come back long after': (held) =>
    openLater(held, async () => {
      expect(await ageKeptRequests(held.page, longAgo / 3_600)).toBe(1)
      held.lists.hold()
    }),
  'the search ends': ({lists}) => lists.let(goOn),
  'send again': ({page}) =>
    card(page)
      .getByRole('button', {name: /^(Send|Try) again$/})
      .click(),
  accept: ({submission}) => submission.let(goOn),
}

const isSent = async ({page, submission}: Hands) => {
  await submission.waitForOne()
  await expect(card(page)).toContainText('Sending')
}
const looks = ({page}: Hands) => expect(card(page)).toContainText('Looking for your request')
const waitsForNetwork = async ({page}: Hands) => {
  await expect(card(page)).toContainText('Waiting for the network')
  await expect(card(page).getByRole('button', {name: 'Try again'})).toBeVisible()
  await expect(card(page)).not.toContainText('Sending')
}
const isInDoubt = async ({page, submission}: Hands) => {
  await expect(doubts(page)).toBeVisible()
  await expect(card(page).getByRole('button', {name: 'Send again'})).toBeVisible()
  await expect(card(page).getByRole('button', {name: 'Remove'})).toBeVisible()
  // nothing is sent again without the user
  expect(submission.held).toBe(0)
}
const isWithoutCredits = async ({page, submission}: Hands) => {
  await expect(card(page)).toContainText("You're out of credits for this tool.")
  await expect(card(page).getByRole('link', {name: 'Add credits'})).toBeVisible()
  expect(submission.held).toBe(0)
}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  nothing: ({page}) => expect(card(page)).toHaveCount(0),
  'preparing.offline': async (held) => {
    await waitsForNetwork(held)
    expect(held.submission.asked).toBe(0)
  },
  'posting.fresh': isSent,
  'posting.held': looks,
  retrying: ({page}) => expect(card(page)).toContainText('Sending'),
  'recovering.offline': waitsForNetwork,
  'recovering.settingUp': async ({page, submission}) => {
    await expect(card(page)).toContainText('Sending')
    expect(submission.asked).toBe(0)
  },
  unprepared: isInDoubt,
  looking: looks,
  searching: async (held) => {
    await looks(held)
    expect(held.submission.asked).toBe(0)
  },
  unsure: isInDoubt,
  'usedUp.buying': async (held) => {
    await isWithoutCredits(held)
    await expect(generateButton(held.page)).toHaveCount(0)
  },
  'usedUp.resting': async (held) => {
    await isWithoutCredits(held)
    // the form of this page made no request
    await expect(generateButton(held.page)).toBeVisible()
    await expect(settings(held.page).getByRole('alert')).toHaveCount(0)
  },
  rejected: async ({page}) => {
    await expect(card(page)).toContainText("This wasn't accepted")
    await expect(card(page).getByRole('button', {name: 'Try again'})).toBeVisible()
  },
  joined: async ({page}) => {
    await expect(card(page)).toHaveCount(1)
    await expect(card(page)).not.toContainText('Sending')
  },
}

const graph = graphOf(chart)

test('every resting state of a request is reached', () => {
  const reached = [...graph.keys()].filter((shown) => shown !== 'nothing')
  expect([...reached, ...passing].sort()).toEqual(restingStates(submissionMachine))
})

/** Returns the action that sends the request again, if one does. */
const wayOut = (shown: Shown): Action[] =>
  [...(graph.get(shown) ?? [])].flatMap(([action, next]) => (next === 'posting.fresh' ? [action] : [])).slice(0, 1)

for (const [shown, way] of wholeWays(waysToAll(graph, 'nothing'))) {
  test(`the page shows each state of a request on its way to ${shown}`, long, async ({chat: page, context}) => {
    const held: Hands = {
      page,
      context,
      setUp: await HeldRoute.on(page, /\/api\/v1\/(services|applications)\//),
      submission: await HeldRoute.on(page, '**/services/api/flux/images'),
      lists: await HeldRoute.on(page, '**/services/api/flux/tasks'),
    }
    await held.setUp.let(goOn)
    await held.lists.let(goOn)
    await page.clock.install()
    await openTool(page, '/flux')
    await promptField(page).fill('a kite')
    await takeWay(chart, [...way, ...wayOut(shown)], held, {done: hands, expected})
  })
}
