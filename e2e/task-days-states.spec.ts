import type {Page, Route} from '@playwright/test'
import {initialTransition} from 'xstate'
import type {TaskRecord} from '#domain/task-record.ts'
import {taskDaysMachine, type TaskDaysSnapshot} from '#machines/task-days/task-days.machine.ts'
import {startList, type SetUp} from '../tests/machines/media-fixtures.ts'
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
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {pixel} from './support/pixel.ts'
import {fluxTask, type WireTask} from './support/scripted-tasks.ts'

/*
 * A history shows each resting state of the days that it looks through: one test for each way through them, generated
 * from the machine.
 */

type Action =
  | 'ask for days'
  | 'ask for days before set-up'
  | 'set-up is there'
  | 'a page comes'
  | 'the last page comes'
  | 'the page fails'
  | 'ask for more'
  | 'retry'
type Shown = LeafOf<typeof taskDaysMachine>

const send = sender(taskDaysMachine)
const begin = (setUp: SetUp): TaskDaysSnapshot => initialTransition(taskDaysMachine, startList(setUp).input)[0]
// as: the machine has no regions, so it is in one leaf
const shownBy = ({value}: TaskDaysSnapshot) => leavesOf(value)[0] as Shown
const where = (shown: Shown, then: (snapshot: TaskDaysSnapshot) => TaskDaysSnapshot) => (snapshot: TaskDaysSnapshot) =>
  shownBy(snapshot) === shown ? then(snapshot) : undefined

const page1 = [fluxTask('a kite', '/made/a.png', 0)]
const page2 = [fluxTask('a boat', '/made/b.png', 10)]
const recordOf = (task: WireTask): TaskRecord => ({task, status: 'succeeded', reading: {artifacts: []}})
const comes = (tasks: readonly WireTask[], total: number) => (snapshot: TaskDaysSnapshot) =>
  send(snapshot, {
    type: 'xstate.done.actor.retrieveTasks',
    actorId: 'retrieveTasks',
    output: {records: tasks.map(recordOf), total},
  })

const chart: Chart<TaskDaysSnapshot, Action, Shown> = {
  start: () => begin('ready'),
  shownBy,
  effects: {
    'ask for days': where('none', (snapshot) => send(snapshot, {type: 'tasks.find', from: 1, to: undefined})),
    'ask for days before set-up': where('none', () =>
      send(begin('settling'), {type: 'tasks.find', from: 1, to: undefined}),
    ),
    'set-up is there': where('waiting', (snapshot) => send(snapshot, {type: 'provision.ready'})),
    'a page comes': where('loading', comes(page1, 2)),
    'the last page comes': where('loading', comes(page2, 1)),
    'the page fails': where('loading', (snapshot) =>
      send(snapshot, {type: 'xstate.error.actor.retrieveTasks', actorId: 'retrieveTasks', error: new Error('foo')}),
    ),
    'ask for more': where('found.part', (snapshot) => send(snapshot, {type: 'tasks.findMore'})),
    retry: where('failed', (snapshot) => send(snapshot, {type: 'tasks.findMore'})),
  },
}

type Hands = {page: Page; setUp: HeldRoute; days: HeldRoute}

const main = (page: Page) => page.getByRole('main')
const older = (page: Page) => main(page).getByRole('button', {name: 'Load older'})
const sendTasks = (items: readonly WireTask[], count: number) => (route: Route) => route.fulfill({json: {items, count}})
/** Words that no result has, so that nothing is asked for by scrolling. */
const askForDays = async (page: Page) => {
  await page.goto(new URL('/flux/history', page.url()).href)
  await main(page).getByRole('searchbox').fill('no such words')
  await main(page).getByLabel('From', {exact: true}).fill('2026-01-02')
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'ask for days': async ({page, setUp}) => {
    await setUp.let(goOn)
    await askForDays(page)
  },
  'ask for days before set-up': ({page}) => askForDays(page),
  'set-up is there': ({setUp}) => setUp.let(goOn),
  'a page comes': ({days}) => letOnce(days, sendTasks(page1, 2)),
  'the last page comes': ({days}) => letOnce(days, sendTasks(page2, 1)),
  // a reading is tried again by itself before it fails
  'the page fails': async ({page, days}) => {
    await days.let(refuseWith(400, 'bad_request'))
    await main(page).getByRole('alert').waitFor()
    days.hold()
  },
  'ask for more': ({page}) => older(page).click(),
  retry: ({page}) => main(page).getByRole('button', {name: 'Retry'}).click(),
}

const nothingShown = (page: Page) => expect(main(page).getByText('Nothing matches these filters.')).toBeVisible()
const isOnItsWay = async (page: Page) => {
  await nothingShown(page)
  await expect(main(page).getByRole('img', {name: 'Loading'})).toBeVisible()
  await expect(older(page)).toHaveCount(0)
}
const count = (page: Page, loaded: string) => expect(main(page).getByText(loaded))

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  none: ({days}) => expect.poll(() => days.asked).toBe(0),
  waiting: async ({page, days}) => {
    await isOnItsWay(page)
    expect(days.asked).toBe(0)
  },
  loading: async ({page, days}) => {
    await days.waitForOne()
    await isOnItsWay(page)
    await expect(main(page).getByRole('alert')).toHaveCount(0)
  },
  'found.part': async ({page}) => {
    await nothingShown(page)
    await expect(older(page)).toBeVisible()
    await count(page, 'Searched in 1 loaded result.').toBeVisible()
  },
  'found.all': async ({page}) => {
    await nothingShown(page)
    await expect(main(page).getByRole('img', {name: 'Loading'})).toHaveCount(0)
    await expect(older(page)).toHaveCount(0)
    await count(page, 'Searched in').toHaveCount(0)
  },
  failed: async ({page}) => {
    await expect(main(page).getByRole('alert')).toHaveText("Couldn't load older results.")
    await expect(main(page).getByRole('button', {name: 'Retry'})).toBeVisible()
  },
}

const graph = graphOf(chart)

test('every resting state of the days of a history is reached', () => {
  expect([...graph.keys()].sort()).toEqual(restingStates(taskDaysMachine))
})

/** The way back to a reading, where there is one. */
const wayBack = (shown: Shown): Action[] =>
  [...(graph.get(shown) ?? [])].flatMap(([action, next]) => (next === 'loading' ? [action] : []))

for (const [shown, way] of wholeWays(waysToAll(graph, 'none'))) {
  test(`the page shows each state of the days of a history on their way to ${shown}`, long, async ({chat: page}) => {
    await page.route('**/made/*.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
    const hands: Hands = {
      page,
      setUp: await HeldRoute.on(page, /\/api\/v1\/(services|applications)\//),
      // as: the API tests check what the app sends here
      days: await HeldRoute.on(
        page,
        '**/services/api/flux/tasks',
        (request) => (request.postDataJSON() as {created_at_min?: number}).created_at_min !== undefined,
      ),
    }
    await takeWay(chart, [...way, ...wayBack(shown)], hands, {done, expected})
  })
}
