import type {Page} from '@playwright/test'
import {createActor, fromCallback, initialTransition, type SnapshotFrom} from 'xstate'
import {followUpTextMachine} from '#machines/follow-up-text/follow-up-text.machine.ts'
import {startEnvironment} from '#tests/machines/environment-fixture.ts'
import {answers, ask, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {lookAt} from './support/look-at.ts'

/*
 * The editor of a question that waits keeps or drops its text as its chart says, over every edge of the graph generated
 * from it.
 */

type Action = 'edit' | 'type' | 'type it back' | 'look away' | 'save' | 'cancel' | 'go and come back' | 'reload'
type Shown = 'no editor' | 'as it was' | 'typed'
type Snapshot = SnapshotFrom<typeof followUpTextMachine>

const send = sender(followUpTextMachine)
const isThere = (snapshot: Snapshot) => snapshot.matches('there')
const isTyped = (snapshot: Snapshot) => snapshot.matches({there: 'changed'})
const isUnchanged = (snapshot: Snapshot) => snapshot.matches({there: 'unchanged'})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () =>
    initialTransition(followUpTextMachine, {
      ask: {key: 'a', question: 'foo', references: []},
      followUps: createActor(fromCallback(() => undefined)),
      environment: startEnvironment(),
    })[0],
  effects: {
    edit: where(
      (snapshot) => !isThere(snapshot),
      (snapshot) => send(snapshot, {type: 'editor.entered', isEdited: true}),
    ),
    type: where(isUnchanged, (snapshot) => send(snapshot, {type: 'text.type', text: 'foo'})),
    'type it back': where(isTyped, (snapshot) => send(snapshot, {type: 'text.type', text: undefined})),
    'look away': where(isTyped, (snapshot) => send(snapshot, {type: 'page.hidden'})),
    save: where(isThere, (snapshot) => send(snapshot, {type: 'text.save', question: 'foo'})),
    cancel: where(isThere, (snapshot) => send(snapshot, {type: 'text.cancel'})),
    'go and come back': where(isThere, (snapshot) => send(snapshot, {type: 'editor.left', isWaiting: true})),
    reload: where(isThere, (snapshot) =>
      send(send(snapshot, {type: 'page.leaving'}), {type: 'editor.left', isWaiting: true}),
    ),
  },
  shownBy: (snapshot) => (isTyped(snapshot) ? 'typed' : isUnchanged(snapshot) ? 'as it was' : 'no editor'),
}

/** `question`: the one that waits. */
type Hands = {chat: Page; question: string}
const list = ({chat}: Hands) => chat.getByRole('region', {name: 'Next questions'})
const editor = (hands: Hands) => list(hands).getByRole('textbox')
const press = (hands: Hands, name: string) => list(hands).getByRole('button', {name, exact: true}).click()
/** The typed text is the question from now on. */
const keepText = (hands: Hands, snapshot: Snapshot) => {
  if (isTyped(snapshot)) hands.question += '!'
}

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  edit: (hands) => press(hands, 'Edit'),
  type: (hands) => editor(hands).fill(`${hands.question}!`),
  'type it back': (hands) => editor(hands).fill(hands.question),
  'look away': async ({chat}) => {
    await lookAt(chat, false)
    await lookAt(chat, true)
  },
  save: async (hands, snapshot) => {
    await press(hands, 'Save')
    keepText(hands, snapshot)
  },
  cancel: (hands) => press(hands, 'Cancel'),
  'go and come back': async (hands, snapshot) => {
    await hands.chat
      .getByRole('navigation', {name: 'Conversations'})
      .getByRole('link', {name: /^New chat/})
      .click()
    await expect(answers(hands.chat)).toHaveCount(0)
    await hands.chat.goBack()
    await expect(answers(hands.chat)).not.toHaveCount(0)
    keepText(hands, snapshot)
  },
  reload: async (hands, snapshot) => {
    await hands.chat.reload()
    keepText(hands, snapshot)
  },
}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  'no editor': async (hands) => {
    await expect(editor(hands)).toHaveCount(0)
    await expect(list(hands).getByRole('group')).toHaveAccessibleName(hands.question)
  },
  'as it was': (hands) => expect(editor(hands)).toHaveValue(hands.question),
  typed: (hands) => expect(editor(hands)).toHaveValue(`${hands.question}!`),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(restingStates(followUpTextMachine))
})

test(
  'the editor of a waiting question does what its chart says, over every edge',
  long,
  async ({chat, modelServer}) => {
    modelServer.hold(1)
    await ask(chat, 'first')
    await expect.poll(() => modelServer.heldAnswers).toBe(1)
    await ask(chat, 'second')
    await expect(list({chat, question: ''}).getByRole('group')).toHaveAccessibleName('second')
    await walkPage(chart, {chat, question: 'second'}, {done, expected})
  },
)
