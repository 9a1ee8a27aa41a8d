import type {Page, Request} from '@playwright/test'
import {initialTransition} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {SearchHit} from '#domain/search-index.ts'
import {searchIndexMachine} from '#machines/search-index/search-index.machine.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import {conversations, ended} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {answerTwice} from './support/message-versions.ts'
import {otherDevice} from './support/new-device.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * The search over the conversations of the device shows what its machine says, over every edge of the graph generated
 * from the machine. The index is in a worker, which starts when its script has come.
 */

type Action = 'kite' | 'pelican' | 'clear' | 'fill' | 'break' | 'retry' | 'say pelican' | 'reload'
/** `grown`: it has a conversation more, to the end of the walk. */
type Index = 'filling' | 'filled' | 'grown' | 'broken'
type Shown = 'unused' | `${Index}: ${'list' | 'kite' | 'pelican'}`

type Search = ReturnType<typeof send>
/** Nothing is searched for on a page before its first search; what the device has stays when it is reloaded. */
type Snapshot = {search?: Search; records: readonly ConversationRecord[]}

const send = sender(searchIndexMachine)
const recordOf = (key: string): ConversationRecord => ({key, model: 'm', messages: [], updatedAt: 0})
const hit = (key: string): SearchHit => ({key})
/** The conversations in which each word is found. */
const hitsOf = ({query, indexed}: Search['context']) =>
  (query === 'kite' ? ['a', 'b'] : ['c']).filter((key) => Object.hasOwn(indexed, key)).map(hit)
const isFilling = (search: Search) => search.matches({working: {index: 'filling'}})

/** A worker that runs answers at once. */
function settle(search: Search): Search {
  if (isFilling(search))
    return Object.keys(search.context.indexed).length > 0
      ? settle(send(search, {type: 'xstate.done.actor.updateIndex'}))
      : search
  return search.matches({working: {search: 'asking'}})
    ? settle(send(search, {type: 'xstate.done.actor.searchConversations', output: hitsOf(search.context)}))
    : search
}
const start = (records: Snapshot['records']) =>
  send(
    initialTransition(searchIndexMachine)[0],
    {type: 'records.changed', records},
    {type: 'xstate.done.actor.keptVersions', output: {}},
  )
const queryOf = ({search}: Snapshot) => search?.context.query ?? ''
const type = (query: string) =>
  where<Snapshot>(
    (snapshot) => queryOf(snapshot) !== query,
    ({search, records}) => ({records, search: settle(send(search ?? start(records), {type: 'query.change', query}))}),
  )
const then = (is: (search: Search) => boolean, change: (search: Search) => Search) =>
  where<Snapshot>(
    ({search}) => search !== undefined && is(search),
    ({search, records}) => ({records, ...(search && {search: settle(change(search))})}),
  )

function indexOf({search, records}: Snapshot): Index | undefined {
  if (search === undefined) return undefined
  if (search.matches('failed')) return 'broken'
  return isFilling(search) ? 'filling' : records.length > 2 ? 'grown' : 'filled'
}

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({records: [recordOf('a'), recordOf('b')]}),
  effects: {
    kite: type('kite'),
    pelican: type('pelican'),
    clear: type(''),
    fill: then(isFilling, (search) => send(search, {type: 'xstate.done.actor.updateIndex'})),
    break: then(isFilling, (search) =>
      send(search, {type: 'xstate.error.actor.updateIndex', error: new Error('The worker of the search broke')}),
    ),
    // the worker that broke is gone at once
    retry: then(
      (search) => search.matches('failed') && search.context.query !== '',
      (search) => send(search, {type: 'search.retry'}, {type: 'xstate.done.actor.resetIndex'}),
    ),
    'say pelican': where(
      (snapshot) => indexOf(snapshot) === 'filled' && queryOf(snapshot) === 'pelican',
      ({search, records: before}) => {
        const records = [...before, recordOf('c')]
        return {records, ...(search && {search: settle(send(search, {type: 'records.changed', records}))})}
      },
    ),
    reload: where(
      ({search, records}) => search !== undefined && !isFilling(search) && records.length === 2,
      ({records}) => ({records}),
    ),
  },
  shownBy: (snapshot) => {
    const index = indexOf(snapshot)
    // as: nothing else is searched for here
    return index === undefined ? 'unused' : (`${index}: ${queryOf(snapshot) || 'list'}` as Shown)
  },
}

type Hands = {page: Page; script: HeldRoute}
const field = (page: Page) => page.getByRole('searchbox')
const found = (page: Page) => page.getByRole('list', {name: 'Search results'}).getByRole('link')
const list = (page: Page) => conversations(page).getByRole('link', {name: 'Kites', exact: true})

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  kite: ({page}) => field(page).fill('kite'),
  pelican: ({page}) => field(page).fill('pelican'),
  clear: ({page}) => field(page).press('Escape'),
  fill: ({script}) => letOnce(script, goOn),
  break: ({script}) => letOnce(script, (route) => route.abort('connectionfailed')),
  retry: ({page}) => conversations(page).getByRole('button', {name: 'Retry'}).click(),
  'say pelican': async ({page}) => {
    await ask(page, 'Is it a pelican?')
    await ended(page)
  },
  reload: async ({page}) => {
    await page.reload()
    await composer(page).waitFor()
  },
}

const showsList = async ({page}: Hands) => {
  await expect(list(page)).toBeVisible()
  await expect(found(page)).toHaveCount(0)
}
const says =
  (words: string, ...titles: string[]) =>
  async ({page}: Hands) => {
    await expect(conversations(page).getByRole('status').filter({hasText: words})).toBeVisible()
    await expect(found(page)).toHaveCount(titles.length)
    for (const [index, title] of titles.entries()) await expect(found(page).nth(index)).toContainText(title)
  }
const isHeld = ({script}: Hands) => expect.poll(() => script.held).toBe(1)
const filling = async (hands: Hands) => {
  await says('Searched 0 of 2 conversations so far…')(hands)
  await isHeld(hands)
}
const broken = async ({page}: Hands) => {
  await expect(conversations(page).getByRole('alert')).toContainText('The search stopped.')
  await expect(found(page)).toHaveCount(0)
}
const kites = says('2 conversations found', 'Kites', 'Boats')

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  unused: showsList,
  'filling: list': async (hands) => {
    await showsList(hands)
    await isHeld(hands)
  },
  'filling: kite': filling,
  'filling: pelican': filling,
  'broken: list': showsList,
  'broken: kite': broken,
  'broken: pelican': broken,
  'filled: list': showsList,
  'filled: kite': kites,
  'filled: pelican': says('Nothing found.'),
  'grown: list': showsList,
  'grown: kite': kites,
  'grown: pelican': says('1 conversation found', 'Is it a pelican?'),
}

test('the walk passes every resting state of the machine', () => {
  const passed = statesPassed(chart, ({search}) => search?.value ?? {})
  // a worker that runs has answered before the page can be looked at, and one that broke is gone at once
  const passing = ['resetting', 'working.search.asking.outgrown']
  // no conversation of this walk has other versions: the journey below passes these
  const ofVersions = ['pausing', 'reading', 'unread'].map((state) => `working.versions.${state}`)
  // a page that reads versions before its first search looks like one without a search
  const beforeSearch = ['working.index.unused']
  expect([...passed, ...passing, ...ofVersions, ...beforeSearch].sort()).toEqual(restingStates(searchIndexMachine))
})

test('the search shows what the machine says, over every edge', long, async ({context, installation, signedIn}) => {
  await seedConversations(installation, signedIn, [
    {title: 'Boats', texts: ['What carries a kite?', 'The wind.']},
    {title: 'Kites', texts: ['A list, please', 'Red and green ones.'], minutesAgo: 5},
  ])
  const page = await blankTab(context, installation.url, signedIn)
  const script = await HeldRoute.on(page, /\/search\.worker/)
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
  await walkPage(chart, {page, script}, {done, expected})
})

test(
  'the list says as long as hidden versions are not searched, and has them once they are read',
  long,
  async ({browser, chat, installation, modelServer, signedIn}) => {
    await answerTwice(chat, modelServer, ['The pangolin rolls up.', 'An owl has large eyes.'])
    const page = await otherDevice(browser, installation.url, signedIn)
    const isExport = (request: Request) => (request.postData() ?? '').includes('"action":"export"')
    const reading = await HeldRoute.on(page, '**/aichat/conversations', isExport)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    const isLoading = page.getByText('More conversations are still loading.')
    const isIncomplete = page.getByText("Your conversations couldn't all be loaded; some were not searched.")
    await expect(conversations(page).getByRole('link', {name: 'Which animal?'})).toBeVisible()

    await field(page).fill('owl')
    await reading.waitForOne()
    await expect(isLoading).toBeVisible()
    await expect(found(page)).toHaveText(/large eyes/)
    await letOnce(reading, refuseWith(403, 'foo'))
    await expect(isIncomplete).toBeVisible()
    await expect(isLoading).toHaveCount(0)

    await field(page).fill('pangolin')
    await reading.waitForOne()
    await expect(isIncomplete).toHaveCount(0)
    await expect(isLoading).toBeVisible()
    await expect(found(page)).toHaveCount(0)
    await letOnce(reading, goOn)
    await expect(found(page)).toHaveText(/The pangolin rolls up/)
    await expect(isLoading).toHaveCount(0)
    await expect(conversations(page).getByRole('status').filter({hasText: '1 conversation found'})).toBeVisible()
    await page.context().close()
  },
)
