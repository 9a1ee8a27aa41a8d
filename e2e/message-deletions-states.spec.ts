import {initialTransition, transition} from 'xstate'
import {messageChangesMachine, type MessageChangesSnapshot} from '#machines/message-changes/message-changes.machine.ts'
import type {MessageChangesEmitted, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import {expect, test} from './fixtures.ts'
import {chooseAction, row} from './support/chat-page.ts'
import {graphOf, leavesOf, restingStates, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {button, dialog, form, isCommand, openHands, says, type Hands as FileHands} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * Deleted messages go from the server before a branch or a file is made of the conversation, over every edge of the
 * graph generated from the machine of its changes. Undo and deadlines end when the walk says so. The file is asked for
 * while nothing, a branch or earlier deletions are on their way; its dialog covers the thread.
 */

type Action =
  | 'delete'
  | 'undo'
  | 'branch'
  | 'export'
  | 'cancel'
  | 'close'
  | `${'delete' | 'branch'} there`
  | `refuse to ${'delete' | 'branch'}`
  | 'answer nothing'
type File = 'no file' | 'waiting' | 'saved' | 'failed'
type Deletion = 'there' | 'deleted'
type Way =
  | 'idle'
  | `deleting${'' | ', asked again'}${'' | ' for a branch'}`
  | `branching${'' | ', asked for deletions'}`
type Shown = `${Way}: ${Deletion}, ${File}` | `idle: ${Deletion}, ${File}, branch failed`
type Changes = MessageChangesSnapshot
/** `first`: position of the first message that is left. */
type Snapshot = {changes: Changes; first: number; file: File}

const count = 40
const textOf = (position: number) => `Text ${position}.`
const keyOf = ({first}: Snapshot) => `${first}`
const ignore = () => undefined
const machine = messageChangesMachine.provide({actions: {mark: ignore, tellRestored: ignore, logFailure: ignore}})
type Given = MessageChangesEvent | {type: `xstate.${string}`; error?: unknown; output?: unknown}

const hasDeleted = ({changes: {context}}: Snapshot) => context.removing.length > 0
const isDeleting = ({changes}: Snapshot) => changes.matches('deleting')
const isBranching = ({changes}: Snapshot) => changes.matches('changing')

/** A request that finds nothing to delete is answered at once. */
const settle = (snapshot: Snapshot): Snapshot =>
  isDeleting(snapshot) && !hasDeleted(snapshot) ? sent(snapshot, {type: 'xstate.done.actor.deletePending'}) : snapshot

function sent(snapshot: Snapshot, event: Given): Snapshot {
  // as: the machine's own type leaves out the events of the interpreter
  const [changes, actions] = transition(machine, snapshot.changes, event as MessageChangesEvent)
  const emitted = actions.flatMap(({type, params}) =>
    // as: the type of the actions lacks what a machine emits
    (type as string) === 'xstate.emit' ? [(params as {event: MessageChangesEmitted}).event] : [],
  )
  const answer = emitted.find(({type}) => type === 'deletions.settled')
  if (answer?.type !== 'deletions.settled' || snapshot.file !== 'waiting') return settle({...snapshot, changes})
  return settle({...snapshot, changes, file: answer.failure === undefined ? 'saved' : 'failed'})
}

const failure = {code: 'bad_request', detail: 'foo', status: 400}
const isFree = ({file}: Snapshot) => file === 'no file'
const then = (event: (snapshot: Snapshot) => Given) => (snapshot: Snapshot) => sent(snapshot, event(snapshot))
const deletedThere = (snapshot: Snapshot): Snapshot => {
  const heard = {type: 'messages.listed', messages: [`${snapshot.first + 1}`]} as const
  return sent({...sent(snapshot, heard), first: snapshot.first + 1}, {type: 'xstate.done.actor.deletePending'})
}
const called = (snapshot: Snapshot) => (isDeleting(snapshot) ? 'deleting' : 'changing')

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({
    changes: transition(machine, initialTransition(machine, {unconfirmed: []})[0], {type: 'view.opened'})[0],
    first: 1,
    file: 'no file',
  }),
  effects: {
    delete: where(
      (snapshot) => isFree(snapshot) && !isDeleting(snapshot) && !hasDeleted(snapshot),
      then((snapshot) => ({type: 'message.remove', message: keyOf(snapshot)})),
    ),
    undo: where(
      (snapshot) => isFree(snapshot) && !isDeleting(snapshot) && hasDeleted(snapshot),
      then((snapshot) => ({type: 'removal.undone', key: keyOf(snapshot)})),
    ),
    branch: where(
      (snapshot) => isFree(snapshot) && !isDeleting(snapshot) && !isBranching(snapshot),
      then(() => ({type: 'change.request', change: {action: 'branch', message: `${count}`, title: 'foo', key: 'k-1'}})),
    ),
    export: where(
      (snapshot) => hasDeleted(snapshot) && (isFree(snapshot) || snapshot.file === 'failed'),
      (snapshot) => sent({...snapshot, file: 'waiting'}, {type: 'deletions.request'}),
    ),
    // who leaves only stops waiting
    cancel: where(
      ({file}) => file === 'waiting',
      (snapshot) => ({...snapshot, file: 'no file'}),
    ),
    close: where(
      ({file}) => file === 'saved' || file === 'failed',
      (snapshot) => ({...snapshot, file: 'no file'}),
    ),
    'delete there': where(isDeleting, deletedThere),
    'refuse to delete': where(
      isDeleting,
      then(() => ({type: 'xstate.error.actor.deletePending', error: failure})),
    ),
    'branch there': where(
      isBranching,
      then(() => ({type: 'xstate.done.actor.changeConversation', output: 'b'})),
    ),
    'refuse to branch': where(
      isBranching,
      then(() => ({type: 'xstate.error.actor.changeConversation', error: failure})),
    ),
    'answer nothing': where(
      (snapshot) => isDeleting(snapshot) || isBranching(snapshot),
      then((snapshot) => ({type: `xstate.after.callDeadline.messageChanges.${called(snapshot)}`})),
    ),
  },
  shownBy: (snapshot) => {
    const {changes, file} = snapshot
    const {change, failed} = changes.context
    const [leaf] = leavesOf(changes.value)
    const ways: Record<string, Way> = {
      'deleting.requested': change === undefined ? 'deleting' : 'deleting for a branch',
      'deleting.requestedAgain': change === undefined ? 'deleting, asked again' : 'deleting, asked again for a branch',
      'changing.unrequested': 'branching',
      'changing.requested': 'branching, asked for deletions',
    }
    const way = ways[leaf ?? ''] ?? 'idle'
    const deletion = hasDeleted(snapshot) ? 'deleted' : 'there'
    // while something is on its way it is looked at, and makes no other state
    return way === 'idle' && failed !== undefined
      ? `${way}: ${deletion}, ${file}, branch failed`
      : `${way}: ${deletion}, ${file}`
  },
}

type Hands = FileHands & {branches: HeldRoute; removals: HeldRoute}
const title = 'Long.'
const callDeadline = 15_000
/** A dialog may cover the buttons. */
const covered = {includeHidden: true}
const thread = ({page}: Hands) => page.getByRole('log', covered)
const messages = (hands: Hands) => thread(hands).getByRole('article', covered)
const press = (name: string) => (hands: Hands) => button(hands, name).click()
/** Leaves the held requests unanswered: their deadline has ended them. */
const leave = ({branches, removals}: Hands) => {
  branches.hold()
  removals.hold()
}

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  delete: (hands) => chooseAction(messages(hands).first(), 'Delete'),
  undo: (hands) => thread(hands).getByRole('button', {name: 'Undo'}).click(),
  branch: (hands) => chooseAction(messages(hands).last(), 'Branch from here'),
  export: async (hands, {file}) => {
    if (file === 'no file') {
      const own = row(hands.page, /^Long/)
      await own.hover()
      await own.getByRole('button', {name: `Actions for ${title}`}).click()
      await hands.page.getByRole('menuitem', {name: 'Export…'}).click()
      await form(hands, 'JSON').check()
    }
    await button(hands, 'Export').click()
  },
  cancel: async (hands) => {
    await press('Cancel')(hands)
    await done.close(hands, chart.start())
  },
  close: async (hands) => {
    await hands.page.keyboard.press('Escape')
    await expect(dialog(hands)).toHaveCount(0)
  },
  'delete there': ({removals}) => letOnce(removals, goOn),
  'refuse to delete': ({removals}) => letOnce(removals, refuseWith(400, 'bad_request')),
  'branch there': async ({page, branches}) => {
    const here = page.url()
    await letOnce(branches, goOn)
    await expect(page).not.toHaveURL(here)
    await page.goBack()
    await expect(page).toHaveURL(here)
  },
  'refuse to branch': ({branches}) => letOnce(branches, refuseWith(400, 'bad_request')),
  'answer nothing': async (hands, snapshot) => {
    await (isDeleting(snapshot) ? hands.removals : hands.branches).waitForOne()
    leave(hands)
    expect(await endDelays(hands.page, callDeadline)).toBeGreaterThan(0)
  },
}

const looks: {[Name in File]: (hands: Hands) => Promise<unknown>} = {
  'no file': (hands) => expect(dialog(hands)).toHaveCount(0),
  waiting: async (hands) => {
    await says(hands, 'Conversations read: 0 of 1')
    await expect(button(hands, 'Export')).toHaveAttribute('aria-disabled', 'true')
    // nothing is read of the server before
    await expect.poll(() => hands.saved.length).toBe(hands.versions.asked)
  },
  saved: (hands) => says(hands, 'Your file is saved.'),
  failed: (hands) => says(hands, '', ["The export didn't finish. Try again."]),
}

async function expectShown(hands: Hands, snapshot: Snapshot) {
  const {changes, first, file} = snapshot
  const [isOut, isOffered] = [hasDeleted(snapshot), hasDeleted(snapshot) && !isDeleting(snapshot)]
  await looks[file](hands)
  await expect(messages(hands).first()).toContainText(textOf(isOut ? first + 1 : first))
  await expect(thread(hands).getByText('Message deleted')).toHaveCount(isOffered ? 1 : 0)
  const failed = "That couldn't be done. Nothing was changed."
  await expect(thread(hands).getByRole('alert', covered).filter({hasText: failed})).toHaveCount(
    changes.context.failed === undefined ? 0 : 1,
  )
  await expect.poll(() => hands.removals.held).toBe(isDeleting(snapshot) ? 1 : 0)
  await expect.poll(() => hands.branches.held).toBe(isBranching(snapshot) ? 1 : 0)
}

test('the walk passes every resting state of the machine', () => {
  // no thread shows the conversation
  const passed = [...statesPassed(chart, ({changes: {value}}) => value), 'idle.unneeded']
  expect(passed.sort()).toEqual(restingStates(messageChangesMachine))
})

test(
  'what is deleted goes before a copy as the machine says, over every edge',
  long,
  async ({context, installation, signedIn}) => {
    const texts = Array.from({length: count}, (_, index) => textOf(index + 1))
    await seedConversations(installation, signedIn, [{title, texts}])
    const page = await blankTab(context, installation.url, signedIn)
    await holdDelays(page)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    await row(page, title).getByRole('link').click()
    const address = '**/aichat/conversations'
    const hands = {
      ...(await openHands(page)),
      branches: await HeldRoute.on(page, address, isCommand('branch')),
      removals: await HeldRoute.on(page, address, isCommand('remove')),
    }
    await hands.versions.let(goOn)
    await expect(messages(hands)).toHaveCount(count)
    // as: every name has it
    const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown])) as {
      [Name in Shown]: typeof expectShown
    }
    await walkPage(chart, hands, {done, expected})
  },
)
