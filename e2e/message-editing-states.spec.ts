import type {Page} from '@playwright/test'
import {NEVER} from 'rxjs'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {createMessageEditingMachine} from '#machines/message-editing/message-editing.machine.ts'
import {answers, expect, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {askAndRead, edit, expectMessages, pager} from './support/message-versions.ts'

/*
 * The editor of a sent message shows what its machine says, over every edge of the graph generated from it. Its
 * message, the second question, stands in the first of two versions of the conversation.
 */

type Action = 'edit' | 'cancel' | 'show the other version' | 'show its version' | 'dismiss the notice'
type Version = 'its version' | 'the other version'
type Shown = 'shown' | 'hidden' | `closed: ${Version}` | 'closed: the other version, with words'

const machine = createMessageEditingMachine(NEVER)
/** `hasWords`: the editor has some that were neither sent nor cancelled. */
type Snapshot = {editing: SnapshotFrom<typeof machine>; version: Version; hasWords: boolean}

const send = sender(machine)
const keys = ['edit/second']
const changed = (version: Version, hasWords: boolean) => {
  const first = {keys: ['edit/first'], isQuestion: true, isDrafted: false}
  const second = {keys, isQuestion: true, isDrafted: hasWords}
  return {type: 'messages.changed', messages: version === 'its version' ? [first, second] : [first]} as const
}
const page =
  (version: Version) =>
  ({editing, hasWords}: Snapshot): Snapshot => ({editing: send(editing, changed(version, hasWords)), version, hasWords})
const close =
  (keepsWords: boolean) =>
  (snapshot: Snapshot): Snapshot => ({
    ...snapshot,
    editing: send(snapshot.editing, {type: 'editor.close'}),
    hasWords: keepsWords && snapshot.hasWords,
  })
const isShown = ({editing}: Snapshot) => editing.matches({open: 'shown'})
const isHidden = ({editing}: Snapshot) => editing.matches({open: 'hidden'})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () =>
    page('its version')({
      editing: initialTransition(machine, {conversation: 'c'})[0],
      version: 'its version',
      hasWords: false,
    }),
  effects: {
    edit: where(
      (snapshot) => !isShown(snapshot) && snapshot.version === 'its version',
      ({editing, version}) => ({
        editing: send(editing, {type: 'editor.open', index: 1, keys}),
        version,
        hasWords: true,
      }),
    ),
    cancel: where(isShown, close(false)),
    'show the other version': where(({version}) => version === 'its version', page('the other version')),
    'show its version': where(({version}) => version === 'the other version', page('its version')),
    'dismiss the notice': where(isHidden, close(true)),
  },
  shownBy: (snapshot) => {
    if (isShown(snapshot)) return 'shown'
    if (isHidden(snapshot)) return 'hidden'
    const {version, hasWords} = snapshot
    return version === 'the other version' && hasWords ? 'closed: the other version, with words' : `closed: ${version}`
  },
}

type Hands = {chat: Page}
const editor = ({chat}: Hands) => chat.getByRole('textbox', {name: 'Edit message'})
const notice = ({chat}: Hands) => chat.getByRole('status').filter({hasText: 'The message you were editing'})
const showVersion = (name: 'Previous version' | 'Next version') => (hands: Hands) =>
  pager(answers(hands.chat).first()).getByRole('button', {name}).click()

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  edit: async (hands) => {
    const question = answers(hands.chat).nth(2)
    await question.hover()
    await question.getByRole('button', {name: 'Edit'}).click()
    await editor(hands).fill('words')
  },
  cancel: ({chat}) => answers(chat).nth(2).getByRole('button', {name: 'Cancel'}).click(),
  'show the other version': showVersion('Next version'),
  'show its version': showVersion('Previous version'),
  'dismiss the notice': (hands) => notice(hands).getByRole('button', {name: 'Dismiss'}).click(),
}

/** Expects the editor or the notice, or neither, beside the messages of a version. */
const sees = (version: Version, part?: 'editor' | 'notice') => async (hands: Hands) => {
  await expect(answers(hands.chat)).toHaveCount(version === 'its version' ? 4 : 2)
  await expect(editor(hands)).toHaveCount(part === 'editor' ? 1 : 0)
  await expect(notice(hands)).toHaveCount(part === 'notice' ? 1 : 0)
  if (part === 'editor') await expect(editor(hands)).toHaveValue('words')
}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  shown: sees('its version', 'editor'),
  hidden: sees('the other version', 'notice'),
  'closed: its version': sees('its version'),
  'closed: the other version': sees('the other version'),
  'closed: the other version, with words': sees('the other version'),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({editing: {value}}) => value)).toEqual(restingStates(machine))
})

test('the editor shows what the machine says, over every edge', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await askAndRead(chat, 'two')
  await edit(answers(chat).first(), 'another one', 'Save & ask again')
  await expect(lastMessage(chat)).toContainText('said: another one')
  await expectMessages(chat, 'another one', 'said: another one')
  await showVersion('Previous version')({chat})
  await walkPage(chart, {chat}, {done, expected})
})
