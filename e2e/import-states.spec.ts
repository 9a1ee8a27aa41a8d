import {fileURLToPath} from 'node:url'
import type {Locator} from '@playwright/test'
import {initialTransition} from 'xstate'
import type {ImportPreview} from '#domain/import-preview.ts'
import {
  conversationImportMachine,
  leftToSend,
  type ConversationImportSnapshot,
} from '#machines/conversation-import/conversation-import.machine.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {expect, test} from './fixtures.ts'
import {graphOf, restingStates, sender, statesPassed, walkPage, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * The dialog of an import shows what its machine says, over every edge of the graph generated from the machine. Reading
 * a small file is over before it can be looked at.
 */

type Action =
  | 'choose'
  | 'choose wrong'
  | 'compare'
  | 'lose comparison'
  | 'retry'
  | 'start'
  | 'send'
  | 'lose'
  | 'lose the network'
  | 'regain the network'
  | 'hold up'
  | 'refuse'
  | 'wait'
  | 'cancel'
  | 'other'
type Choice = 'choice' | 'fault' | 'comparing' | 'unreachable'
/** `again`: the server has all of the file. */
type Shown =
  | Choice
  | `${Choice} again`
  | 'preview'
  | 'nothing new'
  | 'sending'
  | 'out of reach'
  | 'offline'
  | 'held up'
  | 'stopped'
  | 'failed'
  | 'done'

type Import = ConversationImportSnapshot
/** The conversations on the server outlive the end of an import. */
type Snapshot = {import: Import; isStored: boolean}

const machine = conversationImportMachine.provide({
  actions: {tellImported: () => undefined, releaseFile: () => undefined},
})
const send = sender(machine)
const facts = {messages: 2, files: 0, lost: 0}
const preview: ImportPreview = {
  source: 'chatgpt',
  conversations: [
    {sourceId: 'a', title: 'A', ...facts},
    {sourceId: 'b', title: 'B', ...facts},
  ],
  faulty: [],
}

type Effect = (snapshot: Snapshot) => Snapshot | undefined
/** Sends to the machine in these states alone. */
const where =
  (is: (snapshot: Import) => boolean, then: (snapshot: Import, isStored: boolean) => Import): Effect =>
  (snapshot) =>
    is(snapshot.import) ? {...snapshot, import: then(snapshot.import, snapshot.isStored)} : undefined
const sending = (snapshot: Import) => snapshot.matches('sending')
const comparing = (snapshot: Import) => snapshot.matches('comparing')
const choosing = (snapshot: Import) => snapshot.matches('choosing')
const paused = (snapshot: Import) => snapshot.matches('paused')
const resting = (snapshot: Import) => snapshot.matches({paused: 'resting'})
const isOffline = (snapshot: Import) => snapshot.matches({paused: 'offline'})
const withNetwork = (snapshot: Import, isOnline: boolean): Import => ({
  ...snapshot,
  context: {...snapshot.context, environment: startEnvironment({isOnline})},
})
const lost = {code: 'unknown', detail: '', lost: true}
const broken = (failure: object) =>
  where(sending, (snapshot) => send(snapshot, {type: 'xstate.error.actor.sendConversations', error: failure}))

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({import: initialTransition(machine, {environment: startEnvironment()})[0], isStored: false}),
  effects: {
    choose: where(choosing, (snapshot) =>
      send(snapshot, {type: 'file.choose', name: 'chatgpt.json'}, {type: 'file.read', preview}),
    ),
    'choose wrong': where(choosing, (snapshot) =>
      send(snapshot, {type: 'file.choose', name: 'notes.json'}, {type: 'file.refused', fault: 'unknown'}),
    ),
    compare: where(comparing, (snapshot, isStored) =>
      send(snapshot, {type: 'xstate.done.actor.findPresent', output: isStored ? {a: '1', b: '2'} : {}}),
    ),
    'lose comparison': where(comparing, (snapshot) =>
      send(snapshot, {type: 'xstate.error.actor.findPresent', error: lost}),
    ),
    retry: where(
      (snapshot) => snapshot.matches('unreachable') || snapshot.matches('failed'),
      (snapshot) => send(snapshot, {type: 'import.retry'}),
    ),
    start: where(
      (snapshot) => snapshot.can({type: 'import.start'}),
      (snapshot) => send(snapshot, {type: 'import.start'}),
    ),
    send: (snapshot) =>
      sending(snapshot.import)
        ? {
            isStored: true,
            import: send(
              snapshot.import,
              {
                type: 'conversations.sent',
                results: leftToSend(snapshot.import.context).map((index) => ({
                  index,
                  state: 'imported',
                  id: `${index}`,
                })),
              },
              {type: 'xstate.done.actor.sendConversations'},
            ),
          }
        : undefined,
    lose: broken(lost),
    'lose the network': where(sending, (snapshot) =>
      send(withNetwork(snapshot, false), {type: 'xstate.error.actor.sendConversations', error: lost}),
    ),
    'regain the network': where(isOffline, (snapshot) =>
      send(withNetwork(snapshot, true), {type: 'connection.restored'}),
    ),
    'hold up': broken({code: 'too_many_requests', detail: '', status: 429}),
    refuse: broken({code: 'bad_request', detail: 'foo', status: 400}),
    wait: where(resting, (snapshot) => send(snapshot, {type: 'xstate.after.pause.conversationImport.paused.resting'})),
    cancel: where(
      (snapshot) => snapshot.hasTag('busy'),
      // the network is there again with it
      (snapshot) => send(withNetwork(snapshot, true), {type: 'import.cancel'}),
    ),
    other: where(
      (snapshot) => !snapshot.hasTag('busy') && !choosing(snapshot),
      (snapshot) => send(snapshot, {type: 'import.cancel'}),
    ),
  },
  shownBy: ({import: snapshot, isStored}) => {
    const choice = (name: Choice) => (isStored ? (`${name} again` as const) : name)
    if (choosing(snapshot)) return choice(snapshot.context.fault === undefined ? 'choice' : 'fault')
    if (comparing(snapshot)) return choice('comparing')
    if (snapshot.matches('unreachable')) return choice('unreachable')
    if (snapshot.matches('previewing')) return isStored ? 'nothing new' : 'preview'
    if (isOffline(snapshot)) return 'offline'
    if (paused(snapshot)) return snapshot.context.failure?.status === 429 ? 'held up' : 'out of reach'
    if (snapshot.matches('stopped')) return 'stopped'
    if (snapshot.matches('failed')) return 'failed'
    return snapshot.matches('done') ? 'done' : 'sending'
  },
}

type Hands = {dialog: Locator; comparison: HeldRoute; sent: HeldRoute}
const picker = ({dialog}: Hands) => dialog.locator('input[type=file]')
const press = (name: string) => (hands: Hands) => hands.dialog.getByRole('button', {name, exact: true}).click()
/** A request that was left or comes again has an answer of its own. */
const holdAll = ({comparison, sent}: Hands) => {
  comparison.hold()
  sent.hold()
}
const fixture = fileURLToPath(new URL('../tests/fixtures/imports/chatgpt.json', import.meta.url))

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  choose: (hands) => picker(hands).setInputFiles(fixture),
  'choose wrong': (hands) =>
    picker(hands).setInputFiles({
      name: 'notes.json',
      mimeType: 'application/json',
      buffer: Buffer.from('{"a": 1}'),
    }),
  compare: ({comparison}) => letOnce(comparison, goOn),
  // a read is tried again by itself
  'lose comparison': ({comparison}) => comparison.let((route) => route.abort('connectionfailed')),
  retry: (hands) => {
    holdAll(hands)
    return press('Retry')(hands)
  },
  start: ({dialog}) => dialog.getByRole('button', {name: /^Import (2 conversations|the rest)$/}).click(),
  send: ({sent}) => letOnce(sent, goOn),
  lose: ({sent}) => letOnce(sent, (route) => route.abort('connectionfailed')),
  'lose the network': async ({dialog, sent}) => {
    await sent.waitForOne()
    await dialog.page().context().setOffline(true)
    await letOnce(sent, (route) => route.abort('internetdisconnected'))
  },
  'regain the network': ({dialog}) => dialog.page().context().setOffline(false),
  'hold up': ({sent}) => letOnce(sent, refuseWith(429, 'too_many_requests')),
  refuse: ({sent}) => letOnce(sent, refuseWith(400, 'bad_request')),
  // the machine waits by itself
  wait: () => Promise.resolve(),
  cancel: async (hands) => {
    await press('Cancel')(hands)
    await hands.dialog.page().context().setOffline(false)
    holdAll(hands)
  },
  other: (hands) => {
    holdAll(hands)
    return press('Another file')(hands)
  },
}

const statusSays =
  (words: string | RegExp, ...buttons: string[]) =>
  async ({dialog}: Hands) => {
    await expect(dialog.getByRole('status')).toContainText(words, {timeout: 30_000})
    for (const name of buttons) await expect(dialog.getByRole('button', {name, exact: true}).last()).toBeVisible()
  }
const alertSays =
  (words: string, ...buttons: string[]) =>
  async ({dialog}: Hands) => {
    await expect(dialog.getByRole('alert')).toContainText(words, {timeout: 30_000})
    for (const name of buttons) await expect(dialog.getByRole('button', {name, exact: true}).last()).toBeVisible()
  }
const choice = async ({dialog}: Hands) => {
  await expect(dialog.getByRole('button', {name: 'Choose a file'})).toBeVisible()
  await expect(dialog.getByRole('alert')).toHaveCount(0)
}
const fault = alertSays('notes.json: This is no export file', 'Choose a file', 'Close')
const waits = (words: string, held: (hands: Hands) => HeldRoute) => async (hands: Hands) => {
  await expect(hands.dialog.getByRole('progressbar', {name: words})).toBeVisible({timeout: 30_000})
  await expect(hands.dialog.getByRole('button', {name: 'Cancel'})).toBeVisible()
  await expect(hands.dialog.getByRole('status')).toBeEmpty()
  await expect.poll(() => held(hands).held).toBeGreaterThan(0)
}
const comparingShows = waits('Comparing with what is here…', ({comparison}) => comparison)
const unreachable = alertSays("The server can't be asked now what is here already.", 'Retry', 'Another file', 'Close')
const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  choice,
  'choice again': choice,
  fault,
  'fault again': fault,
  comparing: comparingShows,
  'comparing again': comparingShows,
  unreachable,
  'unreachable again': unreachable,
  preview: statusSays('2 conversations with 7 messages', 'Import 2 conversations', 'Another file', 'Close'),
  'nothing new': statusSays('Nothing of it is new.', 'Another file', 'Close'),
  sending: waits('0 of 2 imported', ({sent}) => sent),
  // it waits for the network, and sends nothing meanwhile
  offline: async (hands) => {
    await statusSays("The server can't be reached. The import goes on by itself.", 'Cancel')(hands)
    expect(hands.sent.held).toBe(0)
  },
  'out of reach': statusSays("The server can't be reached. The import goes on by itself.", 'Cancel'),
  'held up': statusSays('The server takes more in a moment.', 'Cancel'),
  stopped: statusSays('2 are left', 'Import the rest', 'Another file', 'Close'),
  failed: alertSays('The import broke off.', 'Retry', 'Another file', 'Close'),
  done: statusSays('2 conversations are imported.', 'Open the first one', 'Another file', 'Close'),
}

test('the walk passes every resting state of the machine', () => {
  const passed = statesPassed(chart, (snapshot) => snapshot.import.value)
  // reading a small file is over before it can be looked at
  expect([...passed, 'reading.waiting'].sort()).toEqual(restingStates(conversationImportMachine))
})

test('the dialog shows what the machine says, over every edge', long, async ({chat}) => {
  expect(graphOf(chart).size).toBe(Object.keys(expected).length)
  const heldBy = (action: string) =>
    HeldRoute.on(
      chat,
      '**/aichat/conversations',
      (request) => request.postData()?.includes(`"action":"${action}"`) === true,
    )
  const hands = {
    comparison: await heldBy('imported'),
    sent: await heldBy('import'),
    dialog: chat.getByRole('dialog', {name: 'Import conversations'}),
  }
  await chat.keyboard.press('ControlOrMeta+k')
  await chat.getByRole('combobox').fill('import conversations')
  await chat.getByRole('option', {name: 'Import conversations'}).click()
  await walkPage(chart, hands, {done, expected})
})
