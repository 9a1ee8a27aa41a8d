import type {Route} from '@playwright/test'
import {initialTransition, transition, type SnapshotFrom} from 'xstate'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationListEvent} from '#machines/conversation-list/conversation-list.types.ts'
import {selectIsCutOff, selectIsStale} from '#machines/conversation-list/list-rows.selectors.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {expect, test} from './fixtures.ts'
import {conversations} from './support/chat-page.ts'
import {
  graphOf,
  leavesOf,
  restingStates,
  statesPassed,
  walkPage,
  where,
  type Chart,
  type LeafOf,
} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays} from './support/held-delays.ts'
import {goOn} from './support/held-route.ts'
import {openNewDevice, type NewDevice} from './support/new-device.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/*
 * The list of conversations is set up, read and read again as its machine says, over every edge of the graph generated
 * from it. A device that keeps no copy and one that does show other things, and so do a refusal, a fault and no answer.
 */

type Ending = 'answer' | 'refuse' | 'fail' | 'wait in vain'
type Action = Ending | 'set up' | 'retry' | 'come back' | 'lose the network a moment' | 'reload' | 'take another device'
type Note = 'well' | 'stale' | 'cut off'
type Shown = `${LeafOf<typeof conversationListMachine>}, ${'rows' | 'none'}, ${Note}`
type Snapshot = SnapshotFrom<typeof conversationListMachine>

const titles = ['Kites', 'Boats']
const records = titles.map((title) => ({key: title, id: title, model: 'foo', title, messages: [], updatedAt: 0}))
const begin = (restored: typeof records): Snapshot =>
  initialTransition(conversationListMachine, {
    ...{userId: 'foo', environment: startEnvironment(), parentRef: nobody, restored},
  })[0]
type PagesDone = {type: 'xstate.done.actor.pages'; output: object; actorId: 'pages'}
const send = (snapshot: Snapshot, event: ConversationListEvent | PagesDone) =>
  // as: the machine's own type leaves out the events of the interpreter
  transition(conversationListMachine, snapshot, event as ConversationListEvent)[0]

const hasRows = (snapshot: Snapshot) => selectItems(snapshot).length > 0
const isReading = (snapshot: Snapshot) => snapshot.matches('request')
const noteOf = (snapshot: Snapshot): Note =>
  selectIsCutOff(snapshot) ? 'cut off' : selectIsStale(snapshot) ? 'stale' : 'well'
const ended = (output: object) =>
  where(isReading, (snapshot) =>
    send(snapshot, {
      type: 'xstate.done.actor.pages',
      actorId: 'pages',
      output: {kept: snapshot.context.items, ...output},
    }),
  )
const failed = (more: object) => ended({records: [], failure: {code: 'foo', detail: 'foo', ...more}})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => begin([]),
  effects: {
    'set up': where(
      (snapshot) => snapshot.matches('none'),
      (snapshot) => send(snapshot, {type: 'credential.ready'}),
    ),
    answer: ended({records}),
    refuse: failed({status: 400}),
    fail: failed({status: 503}),
    'wait in vain': failed({lost: true}),
    retry: where(
      (snapshot) => (hasRows(snapshot) ? noteOf(snapshot) !== 'well' : snapshot.matches('error')),
      (snapshot) => send(snapshot, {type: 'conversations.refresh'}),
    ),
    'come back': where(
      (snapshot) => snapshot.matches('success'),
      (snapshot) => send(snapshot, {type: 'conversations.refresh'}),
    ),
    'lose the network a moment': where(
      (snapshot) => snapshot.matches('error') && selectIsCutOff(snapshot),
      (snapshot) => send(snapshot, {type: 'connection.restored'}),
    ),
    reload: where(
      (snapshot) => snapshot.matches('success'),
      () => send(begin(records), {type: 'credential.ready'}),
    ),
    'take another device': where(
      (snapshot) => snapshot.matches('error') && !hasRows(snapshot) && selectIsStale(snapshot),
      () => begin([]),
    ),
  },
  shownBy: (snapshot) =>
    // as: `leavesOf` names the leaves of any machine
    `${leavesOf(snapshot.value)[0] as LeafOf<typeof conversationListMachine>}, ${hasRows(snapshot) ? 'rows' : 'none'}, ${noteOf(snapshot)}`,
}

/** On the device of now. */
type Hands = NewDevice & Parameters<typeof openNewDevice>[0]
const list = ({page}: Hands) => conversations(page)

/** A wait that the page does not take on itself. */
const refuse = (status: number) => (route: Route) =>
  route.fulfill({status, headers: {'retry-after': '60'}, json: {error: {code: 'foo', message: 'foo'}}})
const settle =
  (how: (route: Route) => Promise<void>) =>
  async ({reads}: Hands) => {
    await reads.waitForOne()
    await reads.let(how)
  }

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'set up': async ({setUp}) => {
    await setUp.waitForOne()
    await setUp.let(goOn)
  },
  answer: settle(goOn),
  refuse: settle(refuse(400)),
  fail: settle(refuse(503)),
  'wait in vain': async ({page, reads}) => {
    await reads.waitForOne()
    expect(await endDelays(page, 20_000)).toBeGreaterThan(0)
  },
  retry: async (hands) => {
    hands.reads.hold()
    await list(hands).getByRole('button', {name: 'Retry'}).click()
  },
  // as the browser does when Back leads to the page that it has kept; the rows may be there before their reading ends
  'come back': async ({page, reads}) => {
    const {asked} = reads
    const comeBack = async () => {
      await page.evaluate(() => window.dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true})))
      return reads.asked
    }
    await expect.poll(comeBack).toBeGreaterThan(asked)
  },
  'lose the network a moment': async ({page}) => {
    await page.context().setOffline(true)
    await page.context().setOffline(false)
  },
  reload: ({page}) => page.reload(),
  'take another device': async (hands) => {
    await hands.page.context().close()
    Object.assign(hands, await openNewDevice(hands))
  },
}

async function expectShown(hands: Hands, snapshot: Snapshot) {
  const {reads} = hands
  const [rows, note, isFailed] = [hasRows(snapshot), noteOf(snapshot), snapshot.matches('error')]
  const isLoading = !rows && !isFailed
  await expect(list(hands).getByRole('listitem').getByRole('link')).toHaveCount(rows ? titles.length : 0)
  await expect(list(hands).getByRole('img', {name: 'Loading'})).toHaveCount(isLoading ? 1 : 0)
  const seen = async (text: string, is: boolean) => expect(list(hands).getByText(text)).toHaveCount(is ? 1 : 0)
  await seen("Couldn't load your conversations.", isFailed && !rows)
  await seen("The server can't be reached. These conversations are kept on this device.", rows && note === 'cut off')
  await seen("Couldn't refresh. This list may be out of date.", rows && note === 'stale')
  if (isReading(snapshot)) await reads.waitForOne()
  else reads.hold()
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(restingStates(conversationListMachine))
})

test('the list shows what the machine says, over every edge', long, async ({browser, installation, signedIn}) => {
  await seedConversations(
    installation,
    signedIn,
    titles.map((title) => ({title, texts: ['foo', 'bar']})),
  )
  const device = {browser, url: installation.url, signedIn}
  const hands = {...device, ...(await openNewDevice(device))}
  const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown]))
  // as: every name has it
  await walkPage(chart, hands, {done, expected: expected as {[Name in Shown]: typeof expectShown}})
  await hands.page.context().close()
})
