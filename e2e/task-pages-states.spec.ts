import type {Page, Route} from '@playwright/test'
import {initialTransition} from 'xstate'
import {taskPagesMachine, type TaskPagesSnapshot} from '#machines/task-pages/task-pages.machine.ts'
import type {TaskPagesInput} from '#machines/task-pages/task-pages.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {expect, test} from './fixtures.ts'
import {graphOf, restingStates, sender, takeWay, waysToAll, wholeWays, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, refuseWith} from './support/held-route.ts'
import {cards, openTool} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {fluxTask, type WireTask} from './support/scripted-tasks.ts'

/*
 * A tool's screen shows each resting state of the pages of its tasks: one test for each way through them, generated
 * from the machine.
 */

type Action =
  | 'open'
  | 'open before set-up'
  | 'set-up is there'
  | 'page comes'
  | 'page fails'
  | 'retry'
  | 'scroll to the end'
  | 'older page comes'
  | 'older page fails'
  | 'retry older'
type Shown =
  | 'newest.none'
  | 'newest.waiting'
  | 'newest.request'
  | 'newest.success'
  | 'newest.error'
  | 'older.loading'
  | 'older.failed'
  | 'all'

const newest = Array.from({length: 30}, (_, position) =>
  fluxTask(`kite ${position + 1}`, `/made/${position}.png`, position),
)
const older = [fluxTask('the oldest kite', '/made/old.png', 100)]
const total = newest.length + older.length

const recordOf = (task: WireTask): TaskRecord => ({task, status: 'succeeded', reading: {artifacts: []}})
const send = sender(taskPagesMachine)
/** The list that owns the pages, as far as they read it. */
const listWith = (tag: 'ready' | 'settling') =>
  // as: of its snapshot the pages read this much
  ({
    getSnapshot: () => ({hasTag: (name: string) => name === tag, context: {items: [], removing: [], removed: []}}),
    send: () => undefined,
  }) as unknown as TaskPagesInput['list']
const settledList = listWith('ready')
const refusal = {actorId: '', error: {status: 500, code: 'api_error', detail: 'foo'}}

const begin = (list: TaskPagesInput['list']): TaskPagesSnapshot => {
  const ref = {tool: 'flux', service: 'flux', serviceId: 'foo'}
  // as: nothing here reads the environment
  const environment = undefined as unknown as TaskPagesInput['environment']
  return initialTransition(taskPagesMachine, {list, ref, userId: 'u-1', environment})[0]
}

function shownBy({value, context}: TaskPagesSnapshot): Shown {
  if (value.older !== 'idle') return `older.${value.older}`
  // as: `opening` is left at once
  const shown = `newest.${value.newest}` as Shown
  return shown === 'newest.success' && !context.hasOlder ? 'all' : shown
}

const where =
  (shown: readonly Shown[], then: (snapshot: TaskPagesSnapshot) => TaskPagesSnapshot) =>
  (snapshot: TaskPagesSnapshot) =>
    shown.includes(shownBy(snapshot)) ? then(snapshot) : undefined

const chart: Chart<TaskPagesSnapshot, Action, Shown> = {
  start: () => begin(settledList),
  shownBy,
  effects: {
    open: where(['newest.none'], (snapshot) => send(snapshot, {type: 'tasks.open'})),
    'open before set-up': where(['newest.none'], () => send(begin(listWith('settling')), {type: 'tasks.open'})),
    'set-up is there': where(['newest.waiting'], (snapshot) =>
      send({...snapshot, context: {...snapshot.context, list: settledList}}, {type: 'provision.ready'}),
    ),
    'page comes': where(['newest.request'], (snapshot) =>
      send(snapshot, {
        type: 'xstate.done.actor.retrieveNewest',
        actorId: '',
        output: {records: newest.map(recordOf), total},
      }),
    ),
    'page fails': where(['newest.request'], (snapshot) =>
      send(snapshot, {type: 'xstate.error.actor.retrieveNewest', ...refusal}),
    ),
    retry: where(['newest.error'], (snapshot) => send(snapshot, {type: 'tasks.refresh'})),
    'scroll to the end': where(['newest.success'], (snapshot) => send(snapshot, {type: 'tasks.older'})),
    'older page comes': where(['older.loading'], (snapshot) =>
      send(snapshot, {
        type: 'xstate.done.actor.retrieveOlder',
        actorId: '',
        output: {records: older.map(recordOf), total: 1},
      }),
    ),
    'older page fails': where(['older.loading'], (snapshot) =>
      send(snapshot, {type: 'xstate.error.actor.retrieveOlder', ...refusal}),
    ),
    'retry older': where(['older.failed'], (snapshot) => send(snapshot, {type: 'tasks.older'})),
  },
}

type Hands = {page: Page; setUp: HeldRoute; pages: HeldRoute}

const sendTasks = (items: readonly WireTask[], count: number) => (route: Route) => route.fulfill({json: {items, count}})
const openFlux = (page: Page) => openTool(page, '/flux')
const main = (page: Page) => page.getByRole('main')

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  open: async ({page, setUp}) => {
    await setUp.let(goOn)
    await openFlux(page)
  },
  'open before set-up': ({page}) => openFlux(page),
  'set-up is there': ({setUp}) => setUp.let(goOn),
  'page comes': async ({pages}) => {
    await pages.let(sendTasks(newest, total))
    pages.hold()
  },
  'page fails': ({pages}) => pages.let(refuseWith(500, 'api_error')),
  retry: ({page, pages}) => {
    pages.hold()
    return main(page).getByRole('button', {name: 'Retry'}).click()
  },
  'scroll to the end': ({page}) => cards(page).first().press('Control+End'),
  'older page comes': ({pages}) => pages.let(sendTasks(older, 1)),
  'older page fails': ({pages}) => pages.let(refuseWith(500, 'api_error')),
  'retry older': ({page, pages}) => {
    pages.hold()
    return main(page).getByRole('button', {name: 'Retry'}).click()
  },
}

const skeleton = (page: Page) => main(page).getByRole('status', {name: 'Loading'})
const seesTasks = ({page}: Hands) => expect(cards(page).filter({hasText: 'kite 1'}).first()).toBeVisible()

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  'newest.none': ({pages}) => expect.poll(() => pages.asked).toBe(0),
  'newest.waiting': async ({page, pages}) => {
    await expect(skeleton(page)).toBeVisible()
    expect(pages.asked).toBe(0)
  },
  'newest.request': async ({page, pages}) => {
    await expect.poll(() => pages.asked).toBeGreaterThan(0)
    await expect(skeleton(page)).toBeVisible()
    await expect(main(page).getByRole('alert')).toHaveCount(0)
  },
  'newest.success': seesTasks,
  'newest.error': ({page}) => expect(main(page).getByText("Couldn't load your results.")).toBeVisible(),
  'older.loading': ({page}) => expect(main(page).getByRole('img', {name: 'Loading'})).toBeVisible(),
  'older.failed': ({page}) => expect(main(page).getByRole('alert')).toHaveText("Couldn't load older results."),
  all: async ({page}) => {
    await expect(cards(page).filter({hasText: 'the oldest kite'})).toBeVisible()
    await expect(main(page).getByRole('button', {name: 'Load older'})).toHaveCount(0)
  },
}

const graph = graphOf(chart)

test('every resting state of the pages of tasks is reached', () => {
  const reached = [...graph.keys()].map((shown) => (shown === 'all' ? 'older.idle' : shown))
  expect([...new Set(reached)].sort()).toEqual(restingStates(taskPagesMachine))
})

for (const [shown, way] of wholeWays(waysToAll(graph, 'newest.none'))) {
  test(`the page shows each state of pages of tasks on their way to ${shown}`, long, async ({chat: page}) => {
    await page.route('**/made/*.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
    const hands: Hands = {
      page,
      setUp: await HeldRoute.on(page, /\/api\/v1\/(services|applications)\//),
      pages: await HeldRoute.on(page, '**/services/api/flux/tasks'),
    }
    await takeWay(chart, way, hands, {done, expected})
  })
}
