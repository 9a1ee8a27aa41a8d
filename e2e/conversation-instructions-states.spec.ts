import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {
  conversationInstructionsMachine,
  type ConversationInstructionsSnapshot,
} from '#machines/conversation-instructions/conversation-instructions.machine.ts'
import {ask, expect, test} from './fixtures.ts'
import {conversationId, instructElsewhere, row} from './support/chat-page.ts'
import {bothOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * The dialog with the instructions of a conversation shows what its machine says, over every edge of the graph
 * generated from the machine, with what was typed and not saved, and with what another page saved meanwhile.
 */

type Action =
  | 'read'
  | 'fail to read'
  | 'retry'
  | 'save'
  | 'remove'
  | 'taken'
  | 'refused'
  | 'changed elsewhere'
  | 'take'
  | 'reopen'
type Dialog = 'loading' | 'failed' | 'editing' | 'refused' | 'saving' | 'removing' | 'conflicting'
/**
 * The instructions on the server and the text of the field: the same, typed, or taken; `outdated` began from another
 * text.
 */
type Words = 'none' | 'given' | 'none, typed' | `given, ${'typed' | 'taken'}${'' | ', outdated'}`
type Shown = `${Dialog}, ${Words}`
/**
 * The instructions on the server and a text that was typed and not saved outlive the closed dialog; a taken text does
 * not.
 */
type Snapshot = {
  dialog: ConversationInstructionsSnapshot
  stored: string
  typed?: {text: string; base: string} | undefined
}

const send = sender(conversationInstructionsMachine)
const opened = (): ConversationInstructionsSnapshot =>
  initialTransition(conversationInstructionsMachine, {conversation: 'c'})[0]
const refused = {code: 'conflict', detail: 'foo', status: 409}

const is =
  (...states: ('loading' | 'failed' | 'editing' | 'saving' | 'conflicting')[]) =>
  ({dialog}: Snapshot) =>
    states.some((state) => dialog.matches(state))
const sent =
  (...events: Parameters<typeof send>[1][]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, dialog: send(snapshot.dialog, ...events)})
const fails = (id: string) => sent({type: `xstate.error.actor.${id}`, error: refused})
const answers = (text: string, isConflict: boolean) =>
  sent({type: 'xstate.done.actor.writeInstructions', output: {text, isConflict}})
const isOutdated = ({dialog, typed}: Snapshot) =>
  typed !== undefined && typed.base !== dialog.context.known && typed.text !== dialog.context.known
const next = ({dialog}: Snapshot) => (dialog.context.known === 'One.' ? 'Two.' : 'One.')
const another = ({stored}: Snapshot) => (stored === 'Theirs.' ? 'Others.' : 'Theirs.')

const isTaken = ({text, base}: {text: string; base: string}) => text === base

function wordsOf({stored, typed}: Snapshot): Words {
  if (typed === undefined) return stored === '' ? 'none' : 'given'
  if (stored === '') return 'none, typed'
  return `given, ${isTaken(typed) ? 'taken' : 'typed'}${typed.base === stored ? '' : ', outdated'}`
}
function dialogOf({dialog}: Snapshot): Dialog {
  const {failure, text} = dialog.context
  if (dialog.matches('editing')) return failure === undefined ? 'editing' : 'refused'
  if (dialog.matches('saving')) return text === '' ? 'removing' : 'saving'
  // as: what is saved is opened again at once
  return String(dialog.value) as Dialog
}

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({dialog: opened(), stored: ''}),
  shownBy: (snapshot) => `${dialogOf(snapshot)}, ${wordsOf(snapshot)}`,
  effects: {
    read: where(is('loading'), (snapshot) =>
      sent({type: 'xstate.done.actor.readInstructions', output: snapshot.stored})(snapshot),
    ),
    'fail to read': where(is('loading'), fails('readInstructions')),
    retry: where(is('failed'), sent({type: 'instructions.load'})),
    save: where(is('editing', 'conflicting'), (snapshot) => ({
      ...sent({type: 'instructions.save', text: next(snapshot)})(snapshot),
      typed: {text: next(snapshot), base: snapshot.typed?.base ?? snapshot.dialog.context.known},
    })),
    remove: where(
      (snapshot) => is('editing', 'conflicting')(snapshot) && snapshot.dialog.context.known !== '',
      sent({type: 'instructions.save', text: ''}),
    ),
    // the dialog closes, and is opened again
    taken: where(is('saving'), ({dialog}) => ({dialog: opened(), stored: dialog.context.text})),
    refused: where(is('saving'), fails('writeInstructions')),
    'changed elsewhere': where(is('saving'), (snapshot) => ({
      ...answers(another(snapshot), true)(snapshot),
      stored: another(snapshot),
    })),
    take: where(is('conflicting'), (snapshot) => ({
      ...sent({type: 'instructions.take'})(snapshot),
      typed: {text: snapshot.stored, base: snapshot.stored},
    })),
    reopen: where(is('editing', 'failed', 'conflicting'), ({stored, typed}) => ({
      dialog: opened(),
      stored,
      typed: typed && isTaken(typed) ? undefined : typed,
    })),
  },
}

type Hands = {page: Page; reads: HeldRoute}
const title = 'Instructions for this conversation'
const dialog = ({page}: Hands) => page.getByRole('dialog', {name: title})
const field = (hands: Hands) => dialog(hands).getByRole('textbox')
const button = (hands: Hands, name: string) => dialog(hands).getByRole('button', {name, exact: true})
async function open({page}: {page: Page}) {
  await page.getByRole('button', {name: 'Actions for this conversation'}).click()
  await page.getByRole('menuitem', {name: title}).click()
}
const refuse = ({reads}: Hands) => letOnce(reads, refuseWith(409, 'conflict'))

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  read: ({reads}) => letOnce(reads, goOn),
  'fail to read': refuse,
  retry: (hands) => button(hands, 'Retry').click(),
  save: async (hands, snapshot) => {
    await field(hands).fill(next(snapshot))
    await button(hands, 'Save').click()
  },
  remove: (hands) => button(hands, 'Remove').click(),
  taken: async (hands) => {
    await letOnce(hands.reads, goOn)
    await expect(dialog(hands)).toHaveCount(0)
    await open(hands)
  },
  refused: refuse,
  'changed elsewhere': async ({page, reads}, snapshot) => {
    await instructElsewhere(page, await conversationId(page), another(snapshot))
    await letOnce(reads, goOn)
  },
  take: (hands) => button(hands, 'Use that text').click(),
  reopen: async (hands) => {
    await hands.page.keyboard.press('Escape')
    await expect(dialog(hands)).toHaveCount(0)
    await open(hands)
  },
}

type Eyes<TName extends string> = {[Name in TName]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>}
/** Expects the notice of a failure, or of a text that another page saved. */
const says = async (hands: Hands, ...said: string[]) => expect(dialog(hands).getByRole('alert')).toContainText(said)
const changed = (text: string) => `Saving again replaces this text:${text}`
const ofOthers = (snapshot: Snapshot) => (isOutdated(snapshot) ? [changed(snapshot.stored)] : [])
const canRemove = (hands: Hands, {dialog: {context}}: Snapshot) =>
  expect(button(hands, 'Remove')).toHaveCount(context.known === '' ? 0 : 1)

const saves = async (hands: Hands) => {
  await expect.poll(() => hands.reads.held).toBe(1)
  await expect(button(hands, 'Save')).toHaveAttribute('aria-disabled', 'true')
}
const dialogs: Eyes<Dialog> = {
  loading: async (hands) => {
    await expect.poll(() => hands.reads.held).toBe(1)
    await expect(field(hands)).not.toBeEditable()
    await expect(button(hands, 'Save')).toBeDisabled()
    await says(hands)
  },
  failed: async (hands) => {
    await says(hands, "Couldn't load the instructions.")
    await expect(field(hands)).not.toBeEditable()
    await expect(button(hands, 'Save')).toBeDisabled()
  },
  editing: async (hands, snapshot) => {
    await says(hands, ...ofOthers(snapshot))
    await expect(field(hands)).toBeEditable()
    await expect(button(hands, 'Save')).toBeEnabled({enabled: /typed|outdated/.test(wordsOf(snapshot))})
    await canRemove(hands, snapshot)
  },
  refused: async (hands, snapshot) => {
    await says(hands, "The instructions weren't saved. Your text is still here.", ...ofOthers(snapshot))
    await expect(field(hands)).toBeEditable()
    await canRemove(hands, snapshot)
  },
  saving: saves,
  removing: async (hands) => {
    await saves(hands)
    await expect(button(hands, 'Remove')).toBeDisabled()
  },
  conflicting: async (hands, {stored}) => {
    await says(hands, changed(stored))
    await expect(field(hands)).toBeEditable()
    await expect(button(hands, 'Save')).toBeEnabled()
  },
}
const holds =
  (text: (snapshot: Snapshot) => string | undefined) =>
  async (hands: Hands, snapshot: Snapshot): Promise<void> =>
    expect(field(hands)).toHaveValue(text(snapshot) ?? '')
const isTyped = holds(({typed}) => typed?.text)
const words: Eyes<Words> = {
  none: holds(() => ''),
  // nothing before it is read
  given: holds(({dialog: {context}}) => context.known),
  'none, typed': isTyped,
  'given, typed': isTyped,
  'given, typed, outdated': isTyped,
  'given, taken': isTyped,
  'given, taken, outdated': isTyped,
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, (snapshot) => snapshot.dialog.value)).toEqual(
    restingStates(conversationInstructionsMachine),
  )
})

test('the dialog shows what the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  modelServer.nameBy('Owls')
  await ask(page, 'What is it?')
  // until it has a name it is read for one
  await row(page, 'Owls').waitFor()
  const isRead = (body: string | null) => body?.includes('"action":"retrieve"') === true
  const reads = await HeldRoute.on(page, '**/aichat/conversations', (request) => isRead(request.postData()))
  await open({page})
  await walkPage(chart, {page, reads}, {done, expected: bothOf(dialogs, words)})
})
