import type {Route} from '@playwright/test'
import {initialTransition, transition, type SnapshotFrom} from 'xstate'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationListEvent} from '#machines/conversation-list/conversation-list.types.ts'
import {selectIsCutOff} from '#machines/conversation-list/list-rows.selectors.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {expect, test} from './fixtures.ts'
import {conversations} from './support/chat-page.ts'
import {graphOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays} from './support/held-delays.ts'
import {goOn, letOnce} from './support/held-route.ts'
import {openNewDevice, type NewDevice} from './support/new-device.ts'
import {seedConversations} from './support/seeded-conversations.ts'

/*
 * A device without copies reads the conversations page by page as the machine of the pages says, over every edge of the
 * graph generated from it: a server sends more, the last ones or the same once more, refuses to page, fails or says
 * nothing. The list shows what came of it.
 */

type Ending = 'send the last ones' | 'send the same again' | 'refuse' | 'fail' | 'say nothing'
type Action = Ending | 'send more' | 'retry' | 'take another device'
type Reading = `page ${1 | 2 | 3}`
type Shown = Reading | `${number} rows${'' | ', cut off' | ', failed'}`
type Pages = SnapshotFrom<typeof conversationPagesMachine>
type List = SnapshotFrom<typeof conversationListMachine>
/** `page`: the one that is being read. */
type Snapshot = {pages: Pages; list: List; page: 1 | 2 | 3}

const pageSize = 2
const titles = Array.from({length: 3 * pageSize}, (_, index) => `Kites ${10 + index}`)
const records = titles.map((title) => ({key: title, id: title, model: 'foo', title, messages: [], updatedAt: 0}))
const send = sender(conversationPagesMachine)
const sendList = (list: List, event: ConversationListEvent | {type: `xstate.done.actor.pages`; output: unknown}) =>
  // as: the machine's own type leaves out the events of the interpreter
  transition(conversationListMachine, list, event as ConversationListEvent)[0]
const beginPages = () => initialTransition(conversationPagesMachine, {userId: 'foo', kept: []})[0]
const begin = (): Snapshot => {
  const input = {userId: 'foo', environment: startEnvironment(), parentRef: nobody, restored: []}
  const [list] = initialTransition(conversationListMachine, input)
  return {list: sendList(list, {type: 'credential.ready'}), pages: beginPages(), page: 1}
}
const isReading = ({pages}: Snapshot) => pages.matches('reading')
const hasRows = ({list}: Snapshot) => selectItems(list).length > 0

/** The list has the conversations once the last page is read. */
function then(snapshot: Snapshot, event: Parameters<typeof send>[1]): Snapshot {
  const pages = send(snapshot.pages, event)
  if (pages.status !== 'done') return {...snapshot, pages, page: snapshot.page === 1 ? 2 : 3}
  return {...snapshot, pages, list: sendList(snapshot.list, {type: 'xstate.done.actor.pages', output: pages.output})}
}
const answered = (snapshot: Snapshot, output: ConversationPage) =>
  then(snapshot, {type: 'xstate.done.actor.getConversations', output})
const failed = (snapshot: Snapshot, failure: object) =>
  then(snapshot, {type: 'xstate.error.actor.getConversations', error: {code: 'foo', detail: 'foo', ...failure}})
const at = ({page}: Pick<Snapshot, 'page'>) => (page - 1) * pageSize

const chart: Chart<Snapshot, Action, Shown> = {
  start: begin,
  effects: {
    'send more': where(
      (snapshot) => isReading(snapshot) && snapshot.page < 3,
      (snapshot) => {
        const next = at(snapshot) + pageSize
        return answered(snapshot, {records: records.slice(at(snapshot), next), next})
      },
    ),
    'send the last ones': where(isReading, (snapshot) => answered(snapshot, {records: records.slice(at(snapshot))})),
    'send the same again': where(
      (snapshot) => isReading(snapshot) && snapshot.page === 2,
      (snapshot) => answered(snapshot, {records: records.slice(0, pageSize), next: 2 * pageSize}),
    ),
    // the first page asks for no paging; later a server without it has no more
    refuse: where(isReading, (snapshot) =>
      snapshot.page === 1 ? failed(snapshot, {status: 400}) : answered(snapshot, {records: []}),
    ),
    fail: where(isReading, (snapshot) => failed(snapshot, {status: 503})),
    'say nothing': where(isReading, (snapshot) =>
      then(snapshot, {type: 'xstate.after.callDeadline.conversationPages.reading'}),
    ),
    retry: where(
      (snapshot) => !isReading(snapshot) && !hasRows(snapshot),
      (snapshot) => ({pages: beginPages(), page: 1, list: sendList(snapshot.list, {type: 'conversations.refresh'})}),
    ),
    'take another device': where((snapshot) => !isReading(snapshot) && hasRows(snapshot), begin),
  },
  shownBy: (snapshot) => {
    if (isReading(snapshot)) return `page ${snapshot.page}`
    const note = selectIsCutOff(snapshot.list) ? ', cut off' : snapshot.list.matches('error') ? ', failed' : ''
    return `${selectItems(snapshot.list).length} rows${note}`
  },
}

/** On the device of now. */
type Hands = NewDevice & Parameters<typeof openNewDevice>[0]
const list = ({page}: Hands) => conversations(page)
type Answer = {items: readonly object[]; count: number}

/** So many of what the server has from there on; it says how many there are. */
const part = (items: (all: readonly object[]) => readonly object[]) => async (route: Route) => {
  const response = await route.fetch()
  // as: the contract tests check this answer
  const answer = (await response.json()) as Answer
  await route.fulfill({response, json: {...answer, count: titles.length, items: items(answer.items)}})
}
const firstPage = (route: Route) => {
  // as: what the app sends is checked by the contract tests
  const {offset: _offset, limit: _limit, ...whole} = route.request().postDataJSON() as Record<string, unknown>
  return route.fetch({postData: JSON.stringify(whole)})
}
/** A wait that the page does not take on itself. */
const refuse = (status: number) => (route: Route) =>
  route.fulfill({status, headers: {'retry-after': '60'}, json: {error: {code: 'foo', message: 'foo'}}})
const settle =
  (how: (route: Route) => Promise<void>) =>
  ({reads}: Hands) =>
    letOnce(reads, how)

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'send more': settle(part((all) => all.slice(0, pageSize))),
  'send the last ones': settle(goOn),
  'send the same again': settle(async (route) => {
    const response = await firstPage(route)
    // as: the contract tests check this answer
    const answer = (await response.json()) as Answer
    await route.fulfill({response, json: {...answer, items: answer.items.slice(0, pageSize)}})
  }),
  refuse: settle(refuse(400)),
  fail: settle(refuse(503)),
  'say nothing': async ({page, reads}) => {
    await reads.waitForOne()
    expect(await endDelays(page, 20_000)).toBeGreaterThan(0)
    reads.hold()
  },
  retry: (hands) => list(hands).getByRole('button', {name: 'Retry'}).click(),
  'take another device': async (hands) => {
    await hands.page.context().close()
    Object.assign(hands, await openNewDevice(hands))
    await hands.setUp.let(goOn)
  },
}

async function expectShown(hands: Hands, snapshot: Snapshot) {
  const shown = selectItems(snapshot.list).map(({title}) => title)
  const links = list(hands).getByRole('listitem').getByRole('link')
  await expect(links).toHaveCount(shown.length)
  for (const [index, title] of shown.entries()) await expect(links.nth(index)).toContainText(title ?? '')
  await expect(list(hands).getByRole('img', {name: 'Loading'})).toHaveCount(isReading(snapshot) ? 1 : 0)
  const note = list(hands).getByText("Couldn't load your conversations.")
  await expect(note).toHaveCount(!isReading(snapshot) && shown.length === 0 ? 1 : 0)
  // each page is asked for once, and nothing after the last
  await expect.poll(() => hands.reads.held).toBe(isReading(snapshot) ? 1 : 0)
}

test('the walk passes every state of the machine', () => {
  expect(statesPassed(chart, ({pages: {value}}) => value)).toEqual(['done', ...restingStates(conversationPagesMachine)])
})

test(
  'the list shows what came of its pages as the machine says, over every edge',
  long,
  async ({browser, installation, signedIn}) => {
    await seedConversations(
      installation,
      signedIn,
      titles.map((title, index) => ({title, texts: ['foo', 'bar'], minutesAgo: index + 1})),
    )
    const owner = {browser, url: installation.url, signedIn}
    const hands = {...owner, ...(await openNewDevice(owner))}
    await hands.setUp.let(goOn)
    const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown]))
    // as: every name has it
    await walkPage(chart, hands, {done, expected: expected as {[Name in Shown]: typeof expectShown}})
    await hands.page.context().close()
  },
)
