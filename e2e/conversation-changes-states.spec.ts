import type {BrowserContext, Page, Request} from '@playwright/test'
import {initialTransition, transition, type ExecutableActionsFrom} from 'xstate'
import type {ConversationChange, ConversationRecord} from '#domain/conversation.ts'
import type {ChangingInput, PendingChange} from '#machines/conversation-changes/changing.machine.ts'
import {
  conversationChangesMachine,
  type ConversationChangesActor,
} from '#machines/conversation-changes/conversation-changes.machine.ts'
import type {ConversationChangesEvent} from '#machines/conversation-changes/conversation-changes.types.ts'
import {changedItems} from '#machines/conversation-list/conversation-list.rules.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {composer, expect, test} from './fixtures.ts'
import {conversations, row, storedConversations} from './support/chat-page.ts'
import {graphOf, restingStates, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import type {Installation} from './support/installation.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'
import type {SignedIn} from './support/users.ts'

/*
 * The list shows titles and marks as the machine of their changes says, over every edge of two graphs generated from
 * it: a title, which another tab changes too, and two marks, which go out as one where both wait. Both tabs show the
 * same, and at rest what the server has: where both gave a title at once, the tabs show the one that the server took
 * last.
 */

type Ending = 'take' | 'refuse' | 'fail'
type TitleAction = 'rename' | 'rename there' | Ending
type MarkAction = 'pin' | 'label' | Ending
type Way = 'at rest' | 'on its way' | 'on its way, another waits'
type TitleShown = `${Way}${'' | ': theirs' | ': after theirs'}`
type Marks = '' | 'pin' | 'label' | 'pin and label'
type MarkShown = 'at rest' | `on its way: ${Marks}, waiting: ${Marks}`

type Changes = ReturnType<ConversationChangesActor['getSnapshot']>
/**
 * `shown`: the conversation in both tabs; `stored`: what the server has of it; `isCrossed`: another tab gave a title
 * since the last rest; `isAsked`: the server is asked what it has; `failures`: notices so far.
 */
type Snapshot = {
  changes: Changes
  shown: ConversationRecord
  stored: ConversationRecord
  sent: PendingChange | undefined
  isCrossed: boolean
  isAsked: boolean
  titles: number
  failures: number
}

const key = 'c'
const titleOf = (number: number) => `Kites ${number}.`
const first: ConversationRecord = {
  ...{key, id: key, model: 'foo', messages: [], updatedAt: 0},
  ...{title: titleOf(1), pinned: false, archived: false, labels: []},
}
const changed = (record: ConversationRecord, changes: readonly ConversationChange[]) =>
  changedItems({items: [record]}, changes)[0] ?? record

/** The part of the list that the machine reads. */
const listOf = (record: ConversationRecord) =>
  // as: it reads no more of the actor
  ({
    getSnapshot: () => ({context: {items: [record], capabilities: ['marks', 'labels']}}),
  }) as unknown as Changes['context']['list']

type Executed = ExecutableActionsFrom<typeof conversationChangesMachine>
function withAction(snapshot: Snapshot, {type, params}: Executed): Snapshot {
  if (type === 'xstate.spawnChild') {
    // as: the children with an input are calls
    const {src, input} = params as {src: string; input?: ChangingInput}
    if (src === 'finding') return {...snapshot, isAsked: true}
    return input === undefined || !('sent' in input) ? snapshot : {...snapshot, sent: input.sent[0]}
  }
  if (type !== 'xstate.sendTo') return snapshot
  // as: what is sent to the list and to the session
  const {event} = params as unknown as {event: {type: string; changes: ConversationChange[]}}
  if (event.type === 'list.failed') return {...snapshot, failures: snapshot.failures + 1}
  if (event.type !== 'conversations.changed') return snapshot
  return {...snapshot, shown: changed(snapshot.shown, event.changes)}
}

function sent(snapshot: Snapshot, event: ConversationChangesEvent): Snapshot {
  const {changes, shown} = snapshot
  const before = {...changes, context: {...changes.context, list: listOf(shown)}}
  const [next, actions] = transition(conversationChangesMachine, before, event)
  return actions.reduce(withAction, {...snapshot, changes: next})
}

const start = (): Snapshot => ({
  changes: initialTransition(conversationChangesMachine, {list: listOf(first), parentRef: nobody})[0],
  ...{shown: first, stored: first, sent: undefined, isCrossed: false, isAsked: false, titles: 1, failures: 0},
})

const waiting = ({changes}: Snapshot): PendingChange | undefined =>
  Object.values(changes.context.changing).find((change) => change !== null)
const isSent = (snapshot: Snapshot) => snapshot.sent !== undefined
const settledWith = (status?: number) =>
  where<Snapshot>(isSent, (snapshot) => {
    const {sent: one, stored, isCrossed} = snapshot
    if (one === undefined) return snapshot
    const isTaken = status === undefined
    const failure = isTaken ? {} : {failure: {code: 'foo', detail: 'foo', status}}
    const after = sent(
      {...snapshot, sent: undefined, stored: isTaken ? changed(stored, [one.change]) : stored},
      {type: 'changing.settled', sent: [one], ...failure},
    )
    const found = after.isAsked
      ? sent(sent(after, {type: 'conversation.loaded', record: after.stored}), {type: 'finding.settled', key})
      : after
    return {...found, isAsked: false, isCrossed: isSent(found) && isCrossed}
  })
const endings = {take: settledWith(), refuse: settledWith(400), fail: settledWith(500)}

const newTitle = ({titles}: Snapshot) => titleOf(titles + 1)
const titleChart: Chart<Snapshot, TitleAction, TitleShown> = {
  start,
  effects: {
    ...endings,
    rename: (snapshot) => ({
      ...sent(snapshot, {type: 'conversation.rename', key, title: newTitle(snapshot)}),
      titles: snapshot.titles + 1,
    }),
    'rename there': (snapshot) => {
      const change = [{key, title: newTitle(snapshot)}]
      const {shown, stored, titles} = snapshot
      return {
        ...{...snapshot, isCrossed: isSent(snapshot), titles: titles + 1},
        ...{shown: changed(shown, change), stored: changed(stored, change)},
      }
    },
  },
  shownBy: (snapshot) => {
    const {sent: one, shown, isCrossed} = snapshot
    if (one === undefined) return 'at rest'
    const next = waiting(snapshot)
    const way = next === undefined ? 'on its way' : 'on its way, another waits'
    if (!isCrossed) return way
    return shown.title === (next ?? one).change.title ? `${way}: after theirs` : `${way}: theirs`
  },
}

const marksOf = (pending: PendingChange | undefined): Marks => {
  const [isPin, isLabel] = [pending && 'pinned' in pending.change, pending && 'labels' in pending.change]
  return isPin && isLabel ? 'pin and label' : isPin ? 'pin' : isLabel ? 'label' : ''
}
const waitsNot = (name: 'pinned' | 'labels') => (snapshot: Snapshot) => !(name in (waiting(snapshot)?.change ?? {}))
const hasLabel = ({shown}: Snapshot) => shown.labels?.includes('work') === true
const markChart: Chart<Snapshot, MarkAction, MarkShown> = {
  start,
  effects: {
    ...endings,
    pin: where(waitsNot('pinned'), (snapshot) =>
      sent(snapshot, {type: 'conversations.mark', changes: [{key, pinned: snapshot.shown.pinned !== true}]}),
    ),
    label: where(waitsNot('labels'), (snapshot) =>
      sent(snapshot, {
        type: 'conversations.mark',
        changes: [{key, labels: hasLabel(snapshot) ? [] : ['work']}],
        textId: 'chat.labelDone',
      }),
    ),
  },
  shownBy: (snapshot) =>
    isSent(snapshot) ? `on its way: ${marksOf(snapshot.sent)}, waiting: ${marksOf(waiting(snapshot))}` : 'at rest',
}

type Parts = {context: BrowserContext; installation: Installation; signedIn: SignedIn}
type Hands = {page: Page; other: Page; calls: HeldRoute}
const own = (page: Page, {shown}: Snapshot) => row(page, shown.title ?? '')
const rename = async (page: Page, snapshot: Snapshot) => {
  await own(page, snapshot).getByRole('link').press('F2')
  const field = page.getByRole('textbox', {name: 'Title of the conversation'})
  await field.fill(newTitle(snapshot))
  await field.press('Enter')
}
const choose = async (page: Page, snapshot: Snapshot, entry: RegExp) => {
  await own(page, snapshot).hover()
  await own(page, snapshot)
    .getByRole('button', {name: /^Actions for/})
    .click()
  await page.getByRole('menuitem', {name: entry}).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}
const notices = (page: Page) => page.getByRole('region', {name: 'Notifications'})
const failed = /^(Couldn't rename the conversation\.|Couldn't save the change\. It was taken back\.)/
/** Reads a notice, and puts it away. */
const readNotice = async (page: Page, text: RegExp | string) => {
  await expect(notices(page).getByText(text)).toBeVisible()
  await notices(page).getByRole('button', {name: 'Dismiss'}).click()
  await expect(notices(page).getByText(text)).toHaveCount(0)
}
const settle =
  (ending: Exclude<Ending, 'take'>, status: number) =>
  async ({page, calls}: Hands, snapshot: Snapshot) => {
    await letOnce(calls, refuseWith(status, 'foo'))
    if ((endings[ending](snapshot)?.failures ?? 0) > snapshot.failures) await readNotice(page, failed)
  }

const endingsDone: {[Name in Ending]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  take: ({calls}) => letOnce(calls, goOn),
  refuse: settle('refuse', 400),
  fail: settle('fail', 500),
}
const titleDone: {[Name in TitleAction]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  ...endingsDone,
  rename: ({page}, snapshot) => rename(page, snapshot),
  'rename there': async ({other}, snapshot) => {
    // the server takes it before it takes what is held here
    const taken = other.waitForResponse((response) => isChange(response.request()))
    await rename(other, snapshot)
    await taken
  },
}
const markDone: {[Name in MarkAction]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  ...endingsDone,
  pin: ({page}, snapshot) => choose(page, snapshot, snapshot.shown.pinned === true ? /^Unpin$/ : /^Pin$/),
  label: async ({page}, snapshot) => {
    await choose(page, snapshot, /^Labels…$/)
    const dialog = page.getByRole('dialog', {name: 'Labels'})
    await dialog.getByRole('checkbox', {name: 'work'}).setChecked(!hasLabel(snapshot))
    await dialog.getByRole('button', {name: 'Save'}).click()
    await readNotice(page, 'Labels changed')
  },
}

/** Both tabs show what the machine has, one call is on its way at most, and at rest the server has what is shown. */
async function expectShown({page, other, calls}: Hands, snapshot: Snapshot) {
  const {shown, stored, changes} = snapshot
  for (const tab of [page, other]) {
    await expect(conversations(tab).getByRole('link', {name: /^Kites/})).toHaveCount(1)
    await expect(own(tab, snapshot)).toBeVisible()
    await expect(own(tab, snapshot).getByRole('img', {name: 'work'})).toHaveCount(hasLabel(snapshot) ? 1 : 0)
    await expect(conversations(tab).getByRole('heading', {name: 'Pinned'})).toHaveCount(shown.pinned === true ? 1 : 0)
    await expect(notices(tab).getByText(failed)).toHaveCount(0)
  }
  await expect.poll(() => calls.held).toBe(isSent(snapshot) ? 1 : 0)
  if (isSent(snapshot)) return
  expect(changes.context.changing).toEqual({})
  expect(shown).toEqual(stored)
  const {title, pinned, labels} = stored
  await expect
    .poll(async () => (await storedConversations(page)).find((each) => each.title?.startsWith('Kites')))
    .toMatchObject({title, pinned, labels})
}
const expectedOf = <Action extends string, Shown extends string>(chart: Chart<Snapshot, Action, Shown>) =>
  // as: every name has it
  Object.fromEntries([...graphOf(chart).keys()].map((name) => [name, expectShown])) as {
    [Name in Shown]: typeof expectShown
  }

test('the walks pass every resting state of the machine', () => {
  const valueOf = ({changes}: Snapshot) => changes.value
  const passed = new Set([...statesPassed(titleChart, valueOf), ...statesPassed(markChart, valueOf)])
  expect([...passed].sort()).toEqual(restingStates(conversationChangesMachine))
})

const isChange = (request: Request) => /"action":"(update|mark|label)"/.test(request.postData() ?? '')

async function openTabs({context, installation, signedIn}: Parts): Promise<Hands> {
  await seedConversations(installation, signedIn, [
    {title: titleOf(1), texts: ['foo', 'bar']},
    {title: 'Boats', texts: ['foo', 'bar'], labels: ['work']},
  ])
  const page = await blankTab(context, installation.url, signedIn)
  const other = await context.newPage()
  for (const tab of [page, other]) {
    await tab.goto(`${installation.url}/chatgpt/conversations`)
    await expect(composer(tab)).toBeEnabled()
    await expect(row(tab, 'Boats').getByRole('img', {name: 'work'})).toBeVisible()
  }
  return {page, other, calls: await HeldRoute.on(page, '**/aichat/conversations', isChange)}
}

test(
  'the list shows the titles that the machine says, over every edge',
  long,
  async ({context, installation, signedIn}) => {
    const hands = await openTabs({context, installation, signedIn})
    await walkPage(titleChart, hands, {done: titleDone, expected: expectedOf(titleChart)})
  },
)

test(
  'the list shows the marks that the machine says, over every edge',
  long,
  async ({context, installation, signedIn}) => {
    const hands = await openTabs({context, installation, signedIn})
    await walkPage(markChart, hands, {done: markDone, expected: expectedOf(markChart)})
  },
)
