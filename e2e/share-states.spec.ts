import type {Page, Request, Route} from '@playwright/test'
import {shareLinksMachine} from '#machines/share-links/share-links.machine.ts'
import {answers, ask, expect, test} from './fixtures.ts'
import {chooseAction, ended} from './support/chat-page.ts'
import {leavesOf, restingStates, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {copiedAs} from './support/clipboard.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {askAndRead} from './support/message-versions.ts'
import {chart, has, link, nothingDeleted, open, read, refused, sent, then} from './support/share-chart.ts'
import type {Action, Shown, Snapshot} from './support/share-chart.ts'

/*
 * The dialog that shares a conversation shows what its machine says, over every edge of the graph generated from the
 * machine, with no link and with one; and what it shows while a new snapshot waits for what was deleted in the
 * conversation.
 */

type Hands = {page: Page; list: HeldRoute; change: HeldRoute}
const dialog = ({page}: Hands) => page.getByRole('dialog', {name: 'Share conversation'})
const button = (hands: Hands, name: string) => dialog(hands).getByRole('button', {name, exact: true})
const openDialog = (page: Page) => page.getByRole('banner').getByRole('button', {name: 'Share…'}).click()
const finish = ({change}: Hands) => letOnce(change, goOn)
const refuse = ({change}: Hands) => letOnce(change, refuseWith(409, 'conflict'))

/** The server does it, and the page does not hear of it. */
const lose = async (route: Route) => {
  await route.fetch()
  await route.abort()
}
/** The link ends before the call comes. */
const revokeFirst = async (route: Route) => {
  await route.fetch({method: 'DELETE'})
  await refuseWith(404, 'not_found')(route)
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  read: ({list}) => letOnce(list, goOn),
  'fail to read': ({list}) => letOnce(list, refuseWith(400, 'bad_request')),
  retry: (hands) => button(hands, 'Retry').click(),
  make: (hands) => button(hands, 'Make link').click(),
  'make: done': finish,
  'make: refused': refuse,
  'make: lost': ({change}) => letOnce(change, lose),
  renew: (hands) => button(hands, 'Update').click(),
  'renew: done': finish,
  'renew: refused': refuse,
  'renew: gone': ({change}) => letOnce(change, revokeFirst),
  revoke: async (hands) => {
    await button(hands, 'Revoke').click()
    await expect(dialog(hands).getByRole('alert').last()).toHaveText('Revoke this link? It opens for nobody then.')
    await button(hands, 'Revoke').click()
  },
  'revoke: done': finish,
  'revoke: gone': ({change}) => letOnce(change, revokeFirst),
  'revoke: refused': async (hands) => {
    await refuse(hands)
    await button(hands, 'Cancel').click()
  },
  copy: async (hands) => {
    const text = await copiedAs(button(hands, 'Copy link'), button(hands, 'Copied'))
    expect(text).toBe(await dialog(hands).getByRole('link', {name: 'Open'}).getAttribute('href'))
  },
  reopen: async (hands) => {
    await hands.page.keyboard.press('Escape')
    await expect(dialog(hands)).toHaveCount(0)
    await openDialog(hands.page)
  },
}

/** Expects the words of the dialog, its links, and whether another one can be made. */
const shows =
  (links: number, {said = [], alerts = []}: {said?: string[]; alerts?: string[]} = {}) =>
  async (hands: Hands) => {
    await expect(dialog(hands).getByRole('link', {name: 'Open'})).toHaveCount(links)
    await expect(dialog(hands).getByRole('status').filter({hasText: 'The link'})).toHaveText(said)
    await expect(dialog(hands).getByRole('alert')).toHaveText(alerts)
    await expect(button(hands, 'Make link')).toBeEnabled()
  }
/** The line has the focus that the buttons of the link had. */
const showsFocused = (said: string) => async (hands: Hands) => {
  await shows(0, {said: [said]})(hands)
  await expect(dialog(hands).getByText(said)).toBeFocused()
}
const loading = async (hands: Hands) => {
  await expect.poll(() => hands.list.held).toBe(1)
  await expect(button(hands, 'Make link')).toBeDisabled()
  await expect(dialog(hands).getByRole('alert')).toHaveCount(0)
}
const failed = async (hands: Hands) => {
  await expect(dialog(hands).getByRole('alert')).toContainText('The links couldn’t be loaded.')
  await expect(button(hands, 'Make link')).toBeDisabled()
}
const calls = (name: string) => async (hands: Hands) => {
  await expect(button(hands, name)).toHaveAttribute('aria-disabled', 'true')
  await expect.poll(() => hands.change.held).toBe(1)
}
const conflict = {alerts: ['foo']}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  'loading none': loading,
  'loading a link': loading,
  'failed none': failed,
  'failed a link': failed,
  making: calls('Make link'),
  'checking a link': async (hands) => {
    await expect(button(hands, 'Make link')).toHaveAttribute('aria-disabled', 'true')
    await expect.poll(() => hands.list.held).toBe(1)
  },
  'renewing a link': calls('Update'),
  'revoking a link': calls('Revoke'),
  none: shows(0),
  'none: revoked': showsFocused('The link is revoked.'),
  'none: gone': showsFocused('The link is no longer there.'),
  'none: refused': shows(0, conflict),
  'a link': shows(1),
  'a link: made': shows(1, {said: ['The link is there.']}),
  'a link: renewed': shows(1, {said: ['The link shows the conversation as it is now.']}),
  'a link: refused': shows(1, conflict),
}

/*
 * Deletions of messages end before a link is made or renewed; a refused one can be sent again.
 */
type Ending = 'deletions: done' | 'deletions: refused'
type WaitingAction = 'make' | 'renew' | 'delete another' | Ending
type WaitingShown =
  | 'making.deleting'
  | 'renewing.deleting'
  | `none${'' | ': refused'}`
  | `a link${'' | ': made' | ': renewed' | ': refused'}`

const deletes = (change: 'making' | 'renewing') => (snapshot: Snapshot) =>
  snapshot.dialog.matches({[change]: 'deleting'})
const isDeleting = (snapshot: Snapshot) => deletes('making')(snapshot) || deletes('renewing')(snapshot)
/** After a change nothing is deleted any more. */
const hasDeleted = (count: number) => (snapshot: Snapshot) =>
  has(count)(snapshot) && snapshot.dialog.matches({resting: 'unchanged'})

const waitingChart: Chart<Snapshot, WaitingAction, WaitingShown> = {
  start: () => read(open([])),
  effects: {
    make: where(hasDeleted(0), then({type: 'link.make', attachments: false})),
    renew: where(hasDeleted(1), then({type: 'link.renew', id: link.id, attachments: false})),
    'deletions: refused': where(
      isDeleting,
      then({type: 'xstate.done.actor.pendingDeletions', output: {failure: refused}}),
    ),
    'deletions: done': where(isDeleting, (snapshot) => ({
      stored: [link],
      dialog: sent(snapshot, nothingDeleted, {
        type: deletes('making')(snapshot) ? 'xstate.done.actor.makeLink' : 'xstate.done.actor.renewLink',
        output: link,
      }),
    })),
    'delete another': where(
      ({dialog}) => dialog.matches({resting: 'made'}),
      ({stored}) => read(open(stored)),
    ),
  },
  shownBy: (snapshot) =>
    // as: the call of the server's copy is not held, and the links are read at once
    (isDeleting(snapshot) ? leavesOf(snapshot.dialog.value)[0] : chart.shownBy(snapshot)) as WaitingShown,
}

type WaitingHands = Hands & {deletions: HeldRoute}

const doneWaiting: {[Name in WaitingAction]: (hands: WaitingHands) => Promise<unknown>} = {
  make: done.make,
  renew: done.renew,
  'deletions: done': ({deletions}) => deletions.let(goOn),
  'deletions: refused': ({deletions}) => letOnce(deletions, refuseWith(409, 'conflict')),
  'delete another': async (hands) => {
    hands.deletions.hold()
    await hands.page.keyboard.press('Escape')
    await expect(dialog(hands)).toHaveCount(0)
    await chooseAction(answers(hands.page).first(), 'Delete')
    await openDialog(hands.page)
  },
}

/** The server is asked for the deletion, and for no copy before. */
const waits = (name: string) => async (hands: WaitingHands, snapshot: Snapshot) => {
  await expect(button(hands, name)).toHaveAttribute('aria-disabled', 'true')
  await hands.deletions.waitForOne()
  expect(hands.change.asked).toBe(snapshot.stored.length)
}
const expectedWaiting: {[Name in WaitingShown]: (hands: WaitingHands, snapshot: Snapshot) => Promise<unknown>} = {
  ...expected,
  'making.deleting': waits('Make link'),
  'renewing.deleting': waits('Update'),
}

test('the walks pass every resting state of the machine', () => {
  const valueOf = ({dialog: {value}}: Snapshot) => value
  const passed = new Set([...statesPassed(chart, valueOf), ...statesPassed(waitingChart, valueOf)])
  expect([...passed].sort()).toEqual(restingStates(shareLinksMachine))
})

const shares = /\/api\/v1\/shares\//
const holdChange = (page: Page) => HeldRoute.on(page, shares, (request: Request) => request.method() !== 'GET')

test('the dialog shows what the machine says, over every edge', long, async ({chat: page, context, modelServer}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  modelServer.answer('An owl.')
  await ask(page, 'What is it?')
  await ended(page)
  const hands = {page, list: await HeldRoute.on(page, shares, 'GET'), change: await holdChange(page)}
  await openDialog(page)
  await walkPage(chart, hands, {done, expected})
})

test('a link waits for what was deleted, over every edge', long, async ({chat: page}) => {
  // one message is deleted before each change
  await askAndRead(page, 'one')
  await askAndRead(page, 'two')
  const [list, change] = [await HeldRoute.on(page, shares, 'GET'), await holdChange(page)]
  await Promise.all([list.let(goOn), change.let(goOn)])
  const deletions = await HeldRoute.on(
    page,
    '**/aichat/conversations',
    (request) => request.postData()?.includes('"action":"remove"') === true,
  )
  await chooseAction(answers(page).first(), 'Delete')
  await openDialog(page)
  await walkPage(waitingChart, {page, list, change, deletions}, {done: doneWaiting, expected: expectedWaiting})
})
