import type {Page} from '@playwright/test'
import {NEVER} from 'rxjs'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {createEditedFilesMachine} from '#machines/edited-files/edited-files.machine.ts'
import {answers, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {askAndRead} from './support/message-versions.ts'
import {pixel} from './support/pixel.ts'

/*
 * The editor of a sent message shows what the chart of its files says, over every edge of the graph generated from it.
 * The question was sent without a file and its words are not touched: a file alone makes it one that can be saved.
 */

type Action = 'edit' | 'attach' | 'take out' | 'go and come back' | 'cancel'
type Shown = 'no editor' | 'as it was sent' | 'with a file'

const machine = createEditedFilesMachine(NEVER)
type Snapshot = SnapshotFrom<typeof machine>

const send = sender(machine)
const isUnchanged = (snapshot: Snapshot) => snapshot.matches({there: 'unchanged'})
const isChanged = (snapshot: Snapshot) => snapshot.matches({there: 'changed'})
const enter = (snapshot: Snapshot) => send(snapshot, {type: 'editor.entered'})
const see = (isChanged: boolean) => (snapshot: Snapshot) => send(snapshot, {type: 'files.seen', isChanged})
const leave = (snapshot: Snapshot, hasWords: boolean) => send(snapshot, {type: 'editor.left', hasWords})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => initialTransition(machine)[0],
  effects: {
    edit: where((snapshot) => snapshot.matches('away'), enter),
    attach: where(isUnchanged, see(true)),
    'take out': where(isChanged, see(false)),
    'go and come back': where(
      (snapshot) => !snapshot.matches('away'),
      (snapshot) => (isChanged(snapshot) ? see(true)(enter(leave(snapshot, true))) : leave(snapshot, false)),
    ),
    cancel: where(
      (snapshot) => !snapshot.matches('away'),
      (snapshot) => leave(snapshot, false),
    ),
  },
  shownBy: (snapshot) => (isChanged(snapshot) ? 'with a file' : isUnchanged(snapshot) ? 'as it was sent' : 'no editor'),
}

type Hands = {chat: Page}
const question = ({chat}: Hands) => answers(chat).first()
const button = (hands: Hands, name: string) => question(hands).getByRole('button', {name, exact: true})
const field = ({chat}: Hands) => chat.getByRole('textbox', {name: 'Edit message'})

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  edit: async (hands) => {
    await question(hands).hover()
    await button(hands, 'Edit').click()
  },
  attach: async (hands) => {
    const files = question(hands).locator('input[type=file]')
    await files.setInputFiles({name: 'dot.png', mimeType: 'image/png', buffer: pixel})
    await expect(question(hands).getByText('Ready')).toBeVisible()
  },
  'take out': (hands) =>
    question(hands)
      .getByRole('button', {name: /^Remove dot/})
      .click(),
  'go and come back': async ({chat}) => {
    await chat
      .getByRole('navigation', {name: 'Conversations'})
      .getByRole('link', {name: /^New chat/})
      .click()
    await expect(answers(chat)).toHaveCount(0)
    await chat.goBack()
    await expect(answers(chat)).toHaveCount(2)
  },
  cancel: (hands) => button(hands, 'Cancel').click(),
}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  'no editor': (hands) => expect(field(hands)).toHaveCount(0),
  'as it was sent': async (hands) => {
    await expect(button(hands, 'Save')).toBeDisabled()
    await expect(question(hands).getByText('dot.png')).toHaveCount(0)
  },
  'with a file': async (hands) => {
    await expect(button(hands, 'Save')).toBeEnabled()
    await expect(question(hands).getByText('dot.png').first()).toBeVisible()
  },
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({value}) => value)).toEqual(restingStates(machine))
})

test('the editor shows what the chart of its files says, over every edge', long, async ({chat}) => {
  await askAndRead(chat, 'one')
  await walkPage(chart, {chat}, {done, expected})
})
