import type {Page, Route} from '@playwright/test'
import {initialTransition, transition, type SnapshotFrom} from 'xstate'
import type {Failure} from '#domain/failure.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectIsAbsent} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {ConversationListEvent} from '#machines/conversation-list/conversation-list.types.ts'
import {selectIsCutOff, selectIsMissing} from '#machines/conversation-list/list-rows.selectors.ts'
import {findingMachine} from '#machines/conversation-list/finding.machine.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {expect, test} from './fixtures.ts'
import {row, thread, type StoredConversation} from './support/chat-page.ts'
import {restingStates, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute, letOnce} from './support/held-route.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * A conversation that an address names and the list lacks is looked for as the machine of the list says, over every
 * edge of the graph generated from it. Only a server that says so has not got it.
 */

type Action = 'find it' | 'miss it' | 'fail' | 'wait in vain' | 'retry' | 'open the next address'
type Shown = 'asked for' | 'found' | 'missing' | 'not read' | 'cut off'
/** `count`: addresses so far, each of a conversation of its own. */
type Snapshot = {list: SnapshotFrom<typeof conversationListMachine>; count: number}

const unlisted = [1, 2, 3, 4, 5, 6, 7, 8].map((count) => `Unlisted ${count}`)
const recordOf = (title: string) => ({key: title, id: title, model: 'foo', title, messages: [], updatedAt: 0})
const nameOf = ({count}: Pick<Snapshot, 'count'>) => `Unlisted ${count}`
const records = [recordOf('Kites')]
const read = {type: 'xstate.done.actor.pages', actorId: 'pages', output: {kept: records, records}}

function sent(snapshot: Snapshot, ...events: (ConversationListEvent | typeof read)[]): Snapshot {
  const list = events.reduce(
    // as: the machine's own type leaves out the events of the interpreter
    (current, event) => transition(conversationListMachine, current, event as ConversationListEvent)[0],
    snapshot.list,
  )
  return {...snapshot, list}
}
const begin = (count: number): Snapshot => {
  const input = {userId: 'foo', environment: startEnvironment(), parentRef: nobody, restored: [recordOf('Kites')]}
  const [list] = initialTransition(conversationListMachine, input)
  const open = {type: 'conversation.open', key: nameOf({count})} as const
  return sent({list, count}, {type: 'credential.ready'}, open, read)
}
const isAsked = ({list}: Snapshot) => list.context.finding.length > 0
const isNotRead = ({list}: Snapshot) => list.matches('error')
const settledWith = (failure?: Failure) =>
  where<Snapshot>(isAsked, (snapshot) => {
    const settled = {type: 'finding.settled', key: nameOf(snapshot), ...(failure && {failure})} as const
    if (failure !== undefined) return sent(snapshot, settled)
    return sent(snapshot, {type: 'conversation.loaded', record: recordOf(nameOf(snapshot))}, settled)
  })
const failure = {code: 'foo', detail: 'foo'}

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => begin(1),
  effects: {
    'find it': settledWith(),
    'miss it': settledWith({...failure, status: 404}),
    fail: settledWith({...failure, status: 503}),
    'wait in vain': settledWith({...failure, lost: true}),
    retry: where(isNotRead, (snapshot) => sent(snapshot, {type: 'conversations.refresh'}, read)),
    'open the next address': where(
      ({list}) => list.matches('success') && list.context.finding.length === 0,
      ({count}) => begin(count + 1),
    ),
  },
  shownBy: (snapshot) => {
    const {list} = snapshot
    if (isAsked(snapshot)) return 'asked for'
    if (!selectIsAbsent(list)) return 'found'
    return selectIsMissing(list) ? 'missing' : selectIsCutOff(list) ? 'cut off' : 'not read'
  },
}

/** `ids`: of the conversations that are not listed, by their title. */
type Hands = {page: Page; url: string; ids: ReadonlyMap<string, string>; copies: HeldRoute}
const listCommands = ['retrieve_batch', 'revisions'].map(isCommand)
/** Waits for the list too: what fails while that is read is asked for again with it. */
async function withList(page: Page, act: () => Promise<unknown>): Promise<void> {
  const reading = page.waitForResponse((response) => listCommands.some((isOfList) => isOfList(response.request())))
  await act()
  await (await reading).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
}
const open = ({page, url, ids}: Omit<Hands, 'copies'>, count: number) =>
  withList(page, () => page.goto(`${url}/chatgpt/conversations/${ids.get(nameOf({count}))}`))
/** A wait that the page does not take on itself. */
const refuse = (status: number) => (route: Route) =>
  route.fulfill({status, headers: {'retry-after': '60'}, json: {error: {code: 'foo', message: 'foo'}}})

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'find it': ({copies}) => letOnce(copies, goOn),
  'miss it': ({copies}) => letOnce(copies, refuse(404)),
  fail: ({copies}) => letOnce(copies, refuse(503)),
  'wait in vain': async ({page, copies}) => {
    await copies.waitForOne()
    expect(await endDelays(page, 15_000)).toBeGreaterThan(0)
    copies.hold()
  },
  retry: ({page}) => withList(page, () => page.getByRole('main').getByRole('button', {name: 'Retry'}).click()),
  'open the next address': (hands, {count}) => open(hands, count + 1),
}

const texts = {
  missing: 'This conversation is not here. It may have been deleted.',
  'not read': "Couldn't load your conversations.",
  'cut off': "This conversation isn't on this device.",
} as const
async function expectShown({page, copies}: Hands, snapshot: Snapshot) {
  const shown = chart.shownBy(snapshot)
  for (const [name, text] of Object.entries(texts))
    await expect(page.getByRole('main').getByText(text)).toHaveCount(name === shown ? 1 : 0)
  await expect(thread(page).getByText(`About ${nameOf(snapshot)}`)).toHaveCount(shown === 'found' ? 1 : 0)
  await expect.poll(() => copies.held).toBe(shown === 'asked for' ? 1 : 0)
}
const expected: {[Name in Shown]: typeof expectShown} = {
  'asked for': expectShown,
  found: expectShown,
  missing: expectShown,
  'not read': expectShown,
  'cut off': expectShown,
}

/** The server names these nowhere but by their own address. Answers with their ids, once it has been asked. */
async function hideFromList(page: Page): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  await page.route('**/aichat/conversations', async (route) => {
    if (!listCommands.some((isOfList) => isOfList(route.request()))) return route.fallback()
    const response = await route.fetch()
    // as: the contract tests check these answers
    const answer = (await response.json()) as {items?: StoredConversation[]; revisions?: Record<string, string>}
    for (const {id, title = ''} of answer.items ?? []) if (unlisted.includes(title)) ids.set(title, id)
    const hiddenIds = new Set(ids.values())
    const items = answer.items?.filter(({id}) => !hiddenIds.has(id))
    const revisions = Object.entries(answer.revisions ?? {}).filter(([id]) => !hiddenIds.has(id))
    const json = items === undefined ? {revisions: Object.fromEntries(revisions)} : {items, count: items.length}
    await route.fulfill({response, json})
  })
  return ids
}

test('the walk passes every state of the machine', () => {
  // the list knows of each that asks
  const passed = statesPassed(chart, (snapshot) => (isAsked(snapshot) ? 'asking' : 'settled'))
  expect(passed).toEqual([...restingStates(findingMachine), 'settled'])
})

test(
  'a conversation that is not listed is looked for as the machine says, over every edge',
  long,
  async ({context, installation, signedIn}) => {
    const titles = ['Kites', ...unlisted]
    await seedConversations(
      installation,
      signedIn,
      titles.map((title) => ({title, texts: [`About ${title}`, 'bar']})),
    )
    const page = await blankTab(context, installation.url, signedIn)
    await holdDelays(page)
    const ids = await hideFromList(page)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await expect(row(page, 'Kites')).toBeVisible()
    const copies = await HeldRoute.on(page, '**/aichat/conversations', isCommand('retrieve'))
    const hands = {page, url: installation.url, ids, copies}
    await open(hands, 1)
    await walkPage(chart, hands, {done, expected})
  },
)
