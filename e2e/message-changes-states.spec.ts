import type {Page, Request} from '@playwright/test'
import {initialTransition} from 'xstate'
import {messageChangesMachine, type MessageChangesSnapshot} from '#machines/message-changes/message-changes.machine.ts'
import {answers, ask, expect, test as withoutGroups, thread} from './fixtures.ts'
import {chooseAction, ended, lastMessage, offeredModel} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {openPage, test} from './support/compare-page.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * A conversation shows what the machine of its changes says, over every edge of the graph generated from the machine:
 * another version and a saved text of the last question and answer, that question for another group's model, and
 * deletions of the first message. A deletion is looked at by itself, as its undo ends by the clock. One that the server
 * takes later is sent again whenever the list changes: no state to rest in.
 */

type Action =
  | 'select'
  | 'save'
  | 'ask there'
  | 'take'
  | 'refuse'
  | 'delete'
  | 'undo'
  | 'leave'
  | 'delete it there'
  | 'refuse to delete'
type Deletion = 'there' | 'deleted' | 'on its way'
type Shown = `idle: ${Deletion | 'there after all'}` | `changing: ${Exclude<Deletion, 'on its way'>}` | 'refused: there'
type Changes = MessageChangesSnapshot
/** `first`: position of the first message that is left; `isSent`: its deletion cannot be taken back any more. */
type Snapshot = {changes: Changes; first: number; isSent: boolean}

const [ignore, send] = [() => undefined, sender(messageChangesMachine)]
const machine = messageChangesMachine.provide({actions: {mark: ignore, tellRestored: ignore, logFailure: ignore}})
const [initial] = initialTransition(machine, {unconfirmed: []})
const keyOf = ({first}: Snapshot) => `${first}`
const then =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, changes: send(snapshot.changes, ...events)})
const failure = (status: number) => ({code: 'bad_request', detail: 'foo', status})

function deletionOf({changes: {context}, isSent}: Snapshot): Deletion {
  return context.removing.length === 0 ? 'there' : isSent ? 'on its way' : 'deleted'
}
const isChanging = ({changes}: Snapshot) => changes.matches('changing')
const is =
  (...deletions: Deletion[]) =>
  (snapshot: Snapshot) =>
    deletions.includes(deletionOf(snapshot))
const isIdle =
  (...deletions: Deletion[]) =>
  (snapshot: Snapshot) =>
    !isChanging(snapshot) && is(...deletions)(snapshot)
const failed = (status: number) => (snapshot: Snapshot) =>
  then({type: 'removal.failed', key: keyOf(snapshot), failure: failure(status)})(snapshot)

const askInBranch = {
  action: 'askInBranch' as const,
  message: 'q',
  upTo: 'a',
  title: 'foo',
  group: 'deepseek' as const,
  model: 'foo',
  ask: {question: 'q', references: [], key: 'q'},
  at: 0,
}

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => then({type: 'view.opened'})({changes: initial, first: 0, isSent: false}),
  effects: {
    select: where(isIdle('there'), then({type: 'change.request', change: {action: 'select', message: 'v'}})),
    save: where(isIdle('there'), then({type: 'change.request', change: {action: 'edit', message: 'q', question: 'q'}})),
    'ask there': where(isIdle('there'), then({type: 'change.request', change: askInBranch})),
    take: where(isChanging, then({type: 'xstate.done.actor.changeConversation'})),
    refuse: where(
      (snapshot) => isChanging(snapshot) && !is('deleted')(snapshot),
      then({type: 'xstate.error.actor.changeConversation', error: failure(409)}),
    ),
    delete: where(is('there'), (snapshot) => ({
      ...then({type: 'message.remove', message: keyOf(snapshot)})(snapshot),
      isSent: false,
    })),
    undo: where(is('deleted'), (snapshot) => then({type: 'removal.undone', key: keyOf(snapshot)})(snapshot)),
    leave: where(isIdle('deleted'), (snapshot) => ({...then({type: 'page.leaving'})(snapshot), isSent: true})),
    'delete it there': where(is('on its way'), (snapshot) => ({
      ...then({type: 'removal.done', key: keyOf(snapshot)})(snapshot),
      first: snapshot.first + 1,
    })),
    'refuse to delete': where(is('on its way'), failed(400)),
  },
  shownBy: (snapshot) => {
    const deletion = deletionOf(snapshot)
    const {failed: last} = snapshot.changes.context
    // as: a change waits for no deletion that is on its way
    if (isChanging(snapshot)) return `changing: ${deletion}` as Shown
    if (last === undefined) return `idle: ${deletion}`
    return last.message === keyOf(snapshot) ? 'idle: there after all' : 'refused: there'
  },
}

type Hands = {page: Page; changes: HeldRoute; removals: HeldRoute}
/** Two deletions are walked to their end. */
const textCount = 6
const pager = (page: Page) => lastMessage(page).getByRole('group', {name: 'Versions'})
const question = (page: Page) => answers(page).nth(-2)
const editor = (page: Page) => page.getByRole('textbox', {name: 'Edit message'})

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  select: async ({page}) => {
    const isLast = (await pager(page).getByRole('status').textContent()) === '2 / 2'
    await pager(page)
      .getByRole('button', {name: isLast ? 'Previous version' : 'Next version'})
      .click()
  },
  save: async ({page}) => {
    await question(page).hover()
    await question(page).getByRole('button', {name: 'Edit'}).click()
    await editor(page).fill(`${await editor(page).inputValue()} again`)
    await page.getByRole('button', {name: 'Save', exact: true}).click()
  },
  'ask there': async ({page}) => {
    await chooseAction(lastMessage(page), 'Choose a model for a new answer')
    await offeredModel(page, /^DeepSeek V3/).click()
    await expect(thread(page).getByText('Opening a branch for DeepSeek V3…')).toBeVisible()
  },
  take: async ({page, changes}, snapshot) => {
    await letOnce(changes, goOn)
    if (snapshot.changes.context.change?.action !== 'askInBranch') return
    await page.waitForURL(/\/deepseek\/conversations\/[\w-]+$/)
    await page.goBack()
    await pager(page).waitFor()
  },
  refuse: async ({page, changes}, snapshot) => {
    await letOnce(changes, refuseWith(409, 'bad_request'))
    if (snapshot.changes.context.change?.action === 'edit') await editor(page).press('Escape')
  },
  delete: ({page}) => chooseAction(answers(page).first(), 'Delete'),
  undo: ({page}) => thread(page).getByRole('button', {name: 'Undo'}).click(),
  leave: ({page}) => page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide'))),
  'delete it there': ({removals}) => letOnce(removals, goOn),
  'refuse to delete': ({removals}) => letOnce(removals, refuseWith(400, 'bad_request')),
}

const words = "That couldn't be done. Nothing was changed."
const shows =
  (deletion: Deletion, alerts: 0 | 1 = 0) =>
  async ({page, changes, removals}: Hands, snapshot: Snapshot) => {
    await expect(answers(page)).toHaveCount(textCount - snapshot.first - (deletion === 'there' ? 0 : 1))
    await expect(thread(page).getByText('Message deleted')).toHaveCount(deletion === 'deleted' ? 1 : 0)
    await expect(thread(page).getByRole('alert').filter({hasText: words})).toHaveCount(alerts)
    await expect(pager(page)).toHaveAttribute('aria-busy', String(isChanging(snapshot)))
    await expect.poll(() => changes.held).toBe(isChanging(snapshot) ? 1 : 0)
    await expect.poll(() => removals.held).toBe(deletion === 'on its way' ? 1 : 0)
  }
const expected: {[Name in Shown]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'idle: there': shows('there'),
  'idle: there after all': shows('there', 1),
  'idle: deleted': shows('deleted'),
  'idle: on its way': shows('on its way'),
  'changing: there': shows('there'),
  'changing: deleted': shows('deleted'),
  'refused: there': shows('there', 1),
}

// needs no page, and so no installation with groups of its own
withoutGroups('the walk passes every resting state of the machine', () => {
  // no thread shows the conversation; a copy waits for a deletion, which message-deletions-states.spec.ts looks at
  const elsewhere = ['idle.unneeded', 'changing.requested', 'deleting.requested', 'deleting.requestedAgain']
  const passed = statesPassed(chart, ({changes: {value}}) => value)
  expect([...passed, ...elsewhere].sort()).toEqual(restingStates(messageChangesMachine))
})

test('the conversation shows what the machine says, over every edge', long, async ({context, groups}) => {
  const page = await openPage(context, groups, '/chatgpt/conversations')
  groups.openai.answer((question) => `said: ${question}`)
  for (const question of ['one', 'two', 'three']) {
    await ask(page, question)
    await expect(lastMessage(page)).toContainText(question)
    await ended(page)
  }
  await lastMessage(page).getByRole('button', {name: 'Answer again', exact: true}).click()
  await expect(pager(page)).toContainText('2 / 2')
  await ended(page)
  const has =
    (...actions: string[]) =>
    (request: Request) =>
      actions.some((action) => request.postData()?.includes(`"action":"${action}"`) === true)
  const address = '**/aichat/conversations'
  const changes = await HeldRoute.on(page, address, has('select', 'edit', 'branch'))
  const removals = await HeldRoute.on(page, address, has('remove'))
  await walkPage(chart, {page, changes, removals}, {done, expected})
})
