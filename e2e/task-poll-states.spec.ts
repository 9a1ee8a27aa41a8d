import type {BrowserContext, Page, Route} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import {startEnvironment} from '../tests/machines/environment-fixture.ts'
import {record, ref} from '../tests/machines/media-fixtures.ts'
import {nobody} from '../tests/machines/nobody.ts'
import {expect, test} from './fixtures.ts'
import {
  act,
  graphOf,
  leavesOf,
  restingStates,
  sender,
  statesPassed,
  takeWay,
  waysToAll,
  wholeWays,
  type Chart,
} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {cards, openTool} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {fluxTask, type WireTask} from './support/scripted-tasks.ts'

/*
 * The card of a running task shows each resting state of the tab that polls: one test for each way through them,
 * generated from the machine. What the other tabs show they are told by that one (media-elsewhere.spec.ts).
 */

type Action =
  | 'a task runs'
  | 'it still runs'
  | 'it is done'
  | 'the pause passes'
  | 'a question fails'
  | 'every question fails'
  | 'the network goes'
  | 'the network is back'
  | 'check now'
type TaskPollSnapshot = SnapshotFrom<typeof taskPollMachine>
/** Contact, and what the tab does about its question. */
type Shown = 'idle' | `kept: ${'polling' | 'waiting' | 'backingOff'}` | `lost: ${'polling' | 'backingOff' | 'offline'}`

const send = sender(taskPollMachine)
const [online, offline] = [startEnvironment(), startEnvironment({isOnline: false})]
const questionPath = 'active.work.leading.question.'
const shownBy = (snapshot: TaskPollSnapshot): Shown => {
  const question = leavesOf(snapshot.value).find((leaf) => leaf.startsWith(questionPath))
  if (question === undefined) return 'idle'
  // as: the states that a user cannot find the poller in are left at once
  return `${snapshot.hasTag('lost') ? 'lost' : 'kept'}: ${question.slice(questionPath.length)}` as Shown
}
const where =
  (shown: readonly Shown[], then: (snapshot: TaskPollSnapshot) => TaskPollSnapshot) => (snapshot: TaskPollSnapshot) =>
    shown.includes(shownBy(snapshot)) ? then(snapshot) : undefined
const asking = ['kept: polling', 'lost: polling'] as const
const answer = {
  type: 'xstate.done.actor.pollTasks',
  actorId: 'pollTasks',
  output: {records: [record('a kite')], missing: [], age: 1},
} as const
const failure = {
  type: 'xstate.error.actor.pollTasks',
  actorId: 'pollTasks',
  error: {status: 500, code: 'api_error', detail: 'foo'},
} as const
const inNetwork = (snapshot: TaskPollSnapshot, environment: typeof online): TaskPollSnapshot => ({
  ...snapshot,
  context: {...snapshot.context, environment},
})
const failAll = (snapshot: TaskPollSnapshot): TaskPollSnapshot => {
  const next = send(snapshot, failure)
  return next.hasTag('lost') ? next : failAll(send(next, {type: 'tasks.check'}))
}

const chart: Chart<TaskPollSnapshot, Action, Shown> = {
  start: () => initialTransition(taskPollMachine, {userId: 'u-1', ref, environment: online, parentRef: nobody})[0],
  shownBy,
  effects: {
    'a task runs': where(['idle'], (snapshot) =>
      send(snapshot, {type: 'tasks.watch', ids: ['a kite']}, {type: 'leader.won'}),
    ),
    'it still runs': where(asking, (snapshot) => send(snapshot, answer)),
    'it is done': where(asking, (snapshot) => send(snapshot, answer, {type: 'tasks.watch', ids: []})),
    'the pause passes': where(['kept: waiting'], (snapshot) =>
      send(snapshot, {type: 'xstate.after.pollInterval.taskPoll.active.work.leading.question.waiting'}),
    ),
    'a question fails': where(asking, (snapshot) => send(snapshot, failure)),
    'every question fails': where(['kept: polling'], failAll),
    'the network goes': where(['kept: waiting', 'kept: backingOff', 'lost: backingOff'], (snapshot) =>
      send(inNetwork(snapshot, offline), {type: 'connection.lost'}),
    ),
    'the network is back': where(['lost: offline'], (snapshot) =>
      send(inNetwork(snapshot, online), {type: 'connection.restored'}),
    ),
    'check now': where(['lost: backingOff'], (snapshot) => send(snapshot, {type: 'tasks.check'})),
  },
}

type Hands = {page: Page; context: BrowserContext; lists: HeldRoute; polls: HeldRoute}

const card = (page: Page) => cards(page).filter({has: page.getByText('a kite', {exact: true})})
const running = fluxTask('a kite')
const ended = fluxTask('a kite', '/made/kite.png')
const sendTasks = (items: readonly WireTask[]) => (route: Route) => route.fulfill({json: {items, count: items.length}})
/** Time passes on the page until it is so. */
const passUntil = (page: Page, isSo: () => Promise<boolean>) =>
  expect
    .poll(async () => {
      await page.clock.runFor(1_000)
      return isSo()
    })
    .toBe(true)

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'a task runs': async ({page, lists}) => {
    await lists.let(sendTasks([running]))
    await openTool(page, '/flux')
  },
  'it still runs': ({polls}) => letOnce(polls, sendTasks([running])),
  'it is done': ({polls}) => letOnce(polls, sendTasks([ended])),
  'the pause passes': ({page, polls}) => passUntil(page, async () => polls.held > 0),
  'a question fails': ({polls}) => letOnce(polls, refuseWith(500, 'api_error')),
  'every question fails': async ({page, polls}) => {
    await polls.let(refuseWith(500, 'api_error'))
    await passUntil(page, async () => (await card(page).getByText('Lost contact').count()) > 0)
    polls.hold()
  },
  'the network goes': ({context}) => context.setOffline(true),
  'the network is back': ({context}) => context.setOffline(false),
  'check now': ({page}) => card(page).getByRole('button', {name: 'Check now'}).click(),
}

const isRunning = async ({page}: Hands) => {
  // it comes with the code that shows a lost task too, also without a network
  await expect(card(page).getByRole('progressbar', {name: 'Rendering'})).toBeVisible()
  await expect(card(page)).not.toContainText('Lost contact')
}
const isLost = async ({page}: Hands) => {
  await expect(card(page)).toContainText('Lost contact')
  await expect(card(page)).toContainText("We can't reach the server to ask about this task. It may still be running.")
  await expect(card(page).getByRole('button', {name: 'Check now'})).toBeVisible()
}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  idle: async ({page, polls}) => {
    await expect(page.getByText('Rendering')).toHaveCount(0)
    expect(polls.held).toBe(0)
  },
  'kept: polling': async (held) => {
    await held.polls.waitForOne()
    await isRunning(held)
  },
  'kept: waiting': isRunning,
  // one failure is nothing that a user has to know
  'kept: backingOff': isRunning,
  'lost: backingOff': isLost,
  'lost: offline': isLost,
  'lost: polling': async (held) => {
    await held.polls.waitForOne()
    await isLost(held)
  },
}

const graph = graphOf(chart)

test('every resting state of the tab that polls is reached', () => {
  // a tab that stands by is told what to show; one that claimed the lead shows the same
  const standingBy = ['following', 'behindHidden', 'leftOut'].map((name) => `active.work.${name}`)
  const elsewhere = [...standingBy, 'active.turn.outOfTurn']
  const passed = statesPassed(chart, ({value}) => value)
  expect([...passed, ...elsewhere].sort()).toEqual(restingStates(taskPollMachine))
})

for (const [shown, way] of wholeWays(waysToAll(graph, 'idle'))) {
  test(
    `the page shows each state of the tab that polls on its way to ${shown}`,
    long,
    async ({chat: page, context}) => {
      await page.route('**/made/*.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
      const tasks = '**/services/api/flux/tasks'
      const lists = await HeldRoute.on(page, tasks)
      const polls = await HeldRoute.on(
        page,
        tasks,
        // as: the API tests check what the app sends here
        (request) => (request.postDataJSON() as {ids?: string[]}).ids !== undefined,
      )
      await page.clock.install()
      // where nothing is asked, the network comes back first; then an answer ends it
      const ending: Action[] = graph.get(shown)?.has('the network is back') === true ? ['the network is back'] : []
      const end = [...way, ...ending].reduce((snapshot, action) => act(chart, snapshot, action), chart.start())
      if (chart.effects['it is done'](end) !== undefined) ending.push('it is done')
      await takeWay(chart, [...way, ...ending], {page, context, lists, polls}, {done, expected})
    },
  )
}
