import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {selectMarks, taskFavouritesMachine} from '#machines/task-favourites/task-favourites.machine.ts'
import {record, startList} from '../tests/machines/media-fixtures.ts'
import {expect, test} from './fixtures.ts'
import {graphOf, restingStates, sender, takeWay, waysToAll, wholeWays, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {cards, openTool} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {fluxTask} from './support/scripted-tasks.ts'

/*
 * A tool's screen shows each resting state of the favourites that lie before its listed results, and what came of the
 * look for them.
 */

type Action =
  | 'show favourites'
  | 'they come'
  | 'the server does not know them'
  | 'they cannot be read'
  | 'show them again'
type Outcome = 'found' | 'unknown' | 'unread'
type Shown = 'none' | 'asking' | `none, ${Outcome}`
type Favourites = SnapshotFrom<typeof taskFavouritesMachine>
type Looked = {favourites: Favourites; outcome?: Outcome}

const star = fluxTask('the-star', '/made/star.png', 100)
const boat = fluxTask('a-boat', '/made/boat.png')

const send = sender(taskFavouritesMachine)
const find = ({favourites}: Looked): Looked => ({favourites: send(favourites, {type: 'favourites.find'})})
const answered = (favourites: Favourites, missing: string[]) =>
  send(favourites, {
    type: 'xstate.done.actor.retrieveNamed',
    actorId: 'retrieveNamed',
    output: {records: missing.length > 0 ? [] : [record(star.id, 'succeeded')], missing},
  })
const where =
  (shown: Shown, then: (looked: Looked) => Looked) =>
  (looked: Looked): Looked | undefined =>
    shownBy(looked) === shown ? then(looked) : undefined

function shownBy({favourites: {value}, outcome}: Looked): Shown {
  return value === 'none' && outcome !== undefined ? `none, ${outcome}` : value
}

const chart: Chart<Looked, Action, Shown> = {
  start: () => {
    const {input} = startList('ready', {items: [record(boat.id, 'succeeded')]})
    const opened = initialTransition(taskFavouritesMachine, input)[0]
    return {favourites: send(opened, {type: 'favourites.merged', marks: {[star.id]: 1}})}
  },
  shownBy,
  effects: {
    'show favourites': where('none', find),
    'they come': where('asking', ({favourites}) => ({favourites: answered(favourites, []), outcome: 'found'})),
    'the server does not know them': where('asking', ({favourites}) => ({
      favourites: answered(favourites, [star.id]),
      outcome: 'unknown',
    })),
    'they cannot be read': where('asking', ({favourites}) => ({
      favourites: send(favourites, {
        type: 'xstate.error.actor.retrieveNamed',
        actorId: 'retrieveNamed',
        error: {status: 400, code: 'bad_request', detail: 'foo'},
      }),
      outcome: 'unread',
    })),
    'show them again': where('none, unread', find),
  },
}

type Hands = {page: Page; asked: HeldRoute}
const filter = (page: Page) => page.getByRole('button', {name: /^Favourites/})
const card = (page: Page) => cards(page).filter({hasText: star.id})

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'show favourites': ({page}) => filter(page).click(),
  'they come': ({asked}) => letOnce(asked, (route) => route.fulfill({json: {items: [star], count: 1}})),
  'the server does not know them': ({asked}) => letOnce(asked, (route) => route.fulfill({json: {items: [], count: 0}})),
  'they cannot be read': ({asked}) => letOnce(asked, refuseWith(400, 'bad_request')),
  'show them again': async ({page}) => {
    await page.getByRole('button', {name: /^All/}).click()
    await filter(page).click()
  },
}

const expectMarks = async ({page, asked}: Hands, {favourites}: Looked, held: number) => {
  const marked = Object.values(selectMarks(favourites)).filter((at) => at > 0).length
  // without a mark it stays as long as it is chosen
  await expect(page.getByRole('button', {name: 'Favourites 1', exact: true})).toHaveCount(marked)
  await expect.poll(() => asked.held).toBe(held)
}

const expected: {[Name in Shown]: (hands: Hands, looked: Looked) => Promise<unknown>} = {
  none: async (hands, looked) => {
    await expect(cards(hands.page)).toHaveCount(1)
    await expectMarks(hands, looked, 0)
    expect(hands.asked.asked).toBe(0)
  },
  asking: async (hands, looked) => {
    await expectMarks(hands, looked, 1)
    await expect(card(hands.page)).toHaveCount(0)
  },
  'none, found': async (hands, looked) => {
    await expect(card(hands.page).getByRole('img', {name: `Result of: ${star.id}`})).toBeVisible()
    await expect(cards(hands.page)).toHaveCount(1)
    await expectMarks(hands, looked, 0)
  },
  // a mark on nothing is taken off
  'none, unknown': async (hands, looked) => {
    await expectMarks(hands, looked, 0)
    await expect(card(hands.page)).toHaveCount(0)
  },
  'none, unread': async (hands, looked) => {
    await expectMarks(hands, looked, 0)
    await expect(card(hands.page)).toHaveCount(0)
  },
}

const graph = graphOf(chart)

test('every resting state of the favourites is reached', () => {
  const reached = [...graph.keys()].map((shown) => shown.split(',')[0])
  expect([...new Set(reached)].sort()).toEqual(restingStates(taskFavouritesMachine))
  expect(graph.get('none, unread')?.get('show them again')).toBe('asking')
})

const ways = wholeWays(waysToAll(graph, 'none')).map(([shown, way]): [Shown, Action[]] =>
  shown === 'none, unread' ? ['none, found', [...way, 'show them again', 'they come']] : [shown, way],
)

for (const [shown, way] of ways) {
  test(
    `the page shows each state of the favourites on their way to ${shown} by ${way.length} steps`,
    long,
    async ({chat: page}) => {
      await page.route('**/made/*.png*', (route) => route.fulfill({contentType: 'image/png', body: pixel}))
      await page.addInitScript((id) => {
        const state = JSON.parse(localStorage.getItem('vuex') ?? '{}')
        localStorage.setItem('vuex', JSON.stringify({...state, flux: {...state.flux, favourites: {[id]: 1}}}))
      }, star.id)
      const tasks = '**/services/api/flux/tasks'
      await page.route(tasks, (route) =>
        // as: the API tests check what the app sends here
        (route.request().postDataJSON() as {action?: string}).action === 'retrieve'
          ? refuseWith(404, 'not_found')(route)
          : route.fulfill({json: {items: [boat], count: 2}}),
      )
      // as: see above
      const isNamed = (question: unknown) => (question as {ids?: string[]}).ids !== undefined
      const asked = await HeldRoute.on(page, tasks, (request) => isNamed(request.postDataJSON()))
      await openTool(page, '/flux')
      await takeWay(chart, way, {page, asked}, {done, expected})
    },
  )
}
