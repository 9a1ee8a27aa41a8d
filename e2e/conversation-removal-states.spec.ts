import type {Page, Route} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {composer, expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {
  graphOf,
  leavesOf,
  restingStates,
  sender,
  statesPassed,
  walkPage,
  where,
  type Chart,
  type LeafOf,
} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute, letOnce} from './support/held-route.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * A deleted conversation leaves the list, can be taken back, and comes back where the server keeps it, as the machine
 * of a deletion says, over every edge of the graph generated from it. What a page that was left did not hear of is in
 * `chat-list.spec.ts`.
 */

type Action =
  | 'delete the next'
  | 'press Undo'
  | 'let its time pass'
  | 'take it'
  | 'say it is gone'
  | 'refuse it'
  | 'wait in vain'
type Removal = SnapshotFrom<typeof removalMachine>
type Shown = LeafOf<typeof removalMachine>
/** `count`: conversations so far. */
type Snapshot = {removal: Removal; count: number}

const send = sender(removalMachine)
const begin = () => initialTransition(removalMachine, {parentRef: nobody, key: 'c', id: 'c'})[0]
const isOver = ({removal}: Snapshot) => removal.status === 'done'
const isSent = ({removal}: Snapshot) => removal.matches('removing')
const isUndoable = ({removal}: Snapshot) => removal.matches('undoable')
const then = (is: (snapshot: Snapshot) => boolean, event: Parameters<typeof send>[1]) =>
  where(is, (snapshot: Snapshot): Snapshot => ({...snapshot, removal: send(snapshot.removal, event)}))
const failed = (status: number) =>
  then(isSent, {type: 'xstate.error.actor.remove', error: {code: 'foo', detail: 'foo', status}})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({removal: begin(), count: 1}),
  effects: {
    'delete the next': where(isOver, ({count}) => ({removal: begin(), count: count + 1})),
    'press Undo': then(isUndoable, {type: 'removal.undo'}),
    'let its time pass': then(isUndoable, {type: 'removal.flush'}),
    'take it': then(isSent, {type: 'xstate.done.actor.remove'}),
    'say it is gone': failed(404),
    'refuse it': failed(400),
    'wait in vain': then(isSent, {type: 'xstate.after.callDeadline.removal.removing'}),
  },
  // as: `leavesOf` names the leaves of any machine
  shownBy: ({removal: {value}}) => leavesOf(value)[0] as Shown,
}

type Hands = {page: Page; calls: HeldRoute}
/** None is part of another. */
const nameOf = (count: number) => `Kites ${10 + count}`
const notices = (page: Page) => page.getByRole('region', {name: 'Notifications'})
const undo = (page: Page) => notices(page).getByRole('button', {name: 'Undo'})
const said = "Couldn't delete the conversation. It is back in the list."
const remove = async (page: Page, count: number) => {
  await row(page, nameOf(count)).getByRole('link').press('Delete')
  await conversations(page).getByRole('button', {name: 'Delete', exact: true}).click()
}
const refuse = (status: number) => (route: Route) =>
  route.fulfill({status, json: {error: {code: 'foo', message: 'foo'}}})
const settle =
  (how: (route: Route) => Promise<void>) =>
  ({calls}: Hands) =>
    letOnce(calls, how)

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'delete the next': ({page}, {count}) => remove(page, count + 1),
  'press Undo': ({page}) => undo(page).click(),
  'let its time pass': async ({page}) => expect(await endDelays(page, 8_000)).toBeGreaterThan(0),
  'take it': settle(goOn),
  'say it is gone': settle(refuse(404)),
  'refuse it': settle(refuse(400)),
  'wait in vain': async ({page, calls}) => {
    await calls.waitForOne()
    expect(await endDelays(page, 15_000)).toBeGreaterThan(0)
    calls.hold()
  },
}

async function expectShown({page, calls}: Hands, snapshot: Snapshot) {
  const {removal, count} = snapshot
  const isBack = removal.matches('undone') || removal.matches('failed')
  await expect(row(page, nameOf(count))).toHaveCount(isBack ? 1 : 0)
  await expect(row(page, nameOf(count + 1))).toHaveCount(1)
  await expect(undo(page)).toHaveCount(isUndoable(snapshot) ? 1 : 0)
  await expect(notices(page).getByText(said)).toHaveCount(removal.matches('failed') ? 1 : 0)
  await expect.poll(() => calls.held).toBe(isSent(snapshot) ? 1 : 0)
  if (!removal.matches('failed')) return
  await notices(page).getByRole('button', {name: 'Dismiss'}).click()
  await expect(notices(page).getByText(said)).toHaveCount(0)
}
const expected = Object.fromEntries(
  [...graphOf(chart).keys()].map((shown) => [shown, expectShown]),
  // as: what the walk does not pass is not looked for
) as {[Name in Shown]: typeof expectShown}

test('the walk passes the resting states of the machine and its ends', () => {
  // only the offer of a message is held, and no page was left before
  const others = ['undoable.held', 'unconfirmed']
  const ends = ['done', 'failed', 'undone']
  const passed = statesPassed(chart, ({removal: {value}}) => value)
  expect([...passed, ...others].sort()).toEqual([...restingStates(removalMachine), ...ends].sort())
})

test(
  'a deleted conversation is gone, taken back or kept as the machine says, over every edge',
  long,
  async ({context, installation, signedIn}) => {
    const seeded = Array.from({length: 12}, (_, index) => ({title: nameOf(index + 1), texts: ['foo', 'bar']}))
    await seedConversations(installation, signedIn, seeded)
    const page = await blankTab(context, installation.url, signedIn)
    await holdDelays(page)
    const calls = await HeldRoute.on(
      page,
      '**/aichat/conversations',
      (request) => request.postData()?.includes('"action":"delete') === true,
    )
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(page)).toBeEnabled()
    await remove(page, 1)
    await walkPage(chart, {page, calls}, {done, expected})
  },
)
