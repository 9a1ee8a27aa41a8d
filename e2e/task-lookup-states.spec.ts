import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {taskLookupMachine} from '#machines/task-lookup/task-lookup.machine.ts'
import {record, startList} from '../tests/machines/media-fixtures.ts'
import {nobody} from '../tests/machines/nobody.ts'
import {expect, test} from './fixtures.ts'
import {graphOf, restingStates, sender, takeWay, waysToAll, wholeWays, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {cards, openTool} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {fluxTask} from './support/scripted-tasks.ts'

/*
 * A tool's screen shows each resting state of the look-up of a task that is opened by its address, and what came of it.
 */

type Action = 'open its address' | 'it comes' | 'the server does not know it' | 'it cannot be read'
type Outcome = 'found' | 'unknown' | 'unread'
type Shown = 'none' | 'asking' | `none, ${Outcome}`
type Looked = {lookup: SnapshotFrom<typeof taskLookupMachine>; outcome?: Outcome}

const send = sender(taskLookupMachine)
const ended = (outcome: Outcome, lookup: Looked['lookup']): Looked => ({lookup, outcome})
const whileAsking = (then: (lookup: Looked['lookup']) => Looked) => (looked: Looked) =>
  looked.lookup.matches('asking') ? then(looked.lookup) : undefined
const fails = (status: number) =>
  ({type: 'xstate.error.actor.retrieveTask', actorId: 'retrieveTask', error: {status, code: '', detail: ''}}) as const

const chart: Chart<Looked, Action, Shown> = {
  start: () => ({lookup: initialTransition(taskLookupMachine, {...startList().input, session: nobody})[0]}),
  shownBy: ({lookup: {value}, outcome}) => (value === 'none' && outcome !== undefined ? `none, ${outcome}` : value),
  effects: {
    'open its address': ({lookup, outcome}) =>
      outcome === undefined && lookup.matches('none')
        ? {lookup: send(lookup, {type: 'task.find', id: 'the kite'})}
        : undefined,
    'it comes': whileAsking((lookup) =>
      ended(
        'found',
        send(lookup, {
          type: 'xstate.done.actor.retrieveTask',
          actorId: 'retrieveTask',
          output: record('the kite', 'succeeded'),
        }),
      ),
    ),
    'the server does not know it': whileAsking((lookup) => ended('unknown', send(lookup, fails(404)))),
    'it cannot be read': whileAsking((lookup) => ended('unread', send(lookup, fails(400)))),
  },
}

type Hands = {page: Page; asked: HeldRoute}

const kite = fluxTask('the-kite', '/made/kite.png', 100)
const card = (page: Page) => cards(page).filter({hasText: kite.id})

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'open its address': ({page}) => openTool(page, `/flux#${kite.id}`),
  'it comes': ({asked}) => letOnce(asked, (route) => route.fulfill({json: kite})),
  'the server does not know it': ({asked}) => letOnce(asked, refuseWith(404, 'not_found')),
  'it cannot be read': ({asked}) => letOnce(asked, refuseWith(400, 'bad_request')),
}

const isMissing =
  (words: string) =>
  async ({page, asked}: Hands) => {
    await expect(page.getByText(words).first()).toBeVisible()
    await expect(card(page)).toHaveCount(0)
    await expect(cards(page)).toHaveCount(1)
    expect(asked.held).toBe(0)
  }

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  none: ({asked}) => expect.poll(() => asked.asked).toBe(0),
  asking: async ({page, asked}) => {
    await asked.waitForOne()
    // what is listed is in sight meanwhile
    await expect(cards(page)).toHaveCount(1)
    await expect(card(page)).toHaveCount(0)
  },
  'none, found': async ({page, asked}) => {
    await expect(card(page).getByRole('img', {name: `Result of: ${kite.id}`})).toBeVisible()
    await expect(cards(page)).toHaveCount(2)
    expect(asked.asked).toBe(1)
  },
  'none, unknown': isMissing('Flux does not know this task any more'),
  'none, unread': isMissing("Couldn't load your results."),
}

const graph = graphOf(chart)

test('every resting state of the look-up of a task is reached', () => {
  const reached = [...graph.keys()].map((shown) => shown.split(',')[0])
  expect([...new Set(reached)].sort()).toEqual(restingStates(taskLookupMachine))
})

for (const [shown, way] of wholeWays(waysToAll(graph, 'none'))) {
  test(`the page shows each state of the look-up of a task on its way to ${shown}`, long, async ({chat: page}) => {
    await page.route('**/made/*.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
    const tasks = '**/services/api/flux/tasks'
    const listed = [fluxTask('a boat', '/made/boat.png')]
    await page.route(tasks, (route) => route.fulfill({json: {items: listed, count: 2}}))
    // as: the API tests check what the app sends here
    const isOfOne = (action: unknown) => (action as {action?: string}).action === 'retrieve'
    const asked = await HeldRoute.on(page, tasks, (request) => isOfOne(request.postDataJSON()))
    await takeWay(chart, way, {page, asked}, {done, expected})
  })
}
