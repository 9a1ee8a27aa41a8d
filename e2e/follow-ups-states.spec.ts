import type {Page} from '@playwright/test'
import {followUpsMachine} from '#machines/follow-ups/follow-ups.machine.ts'
import {ask, composer, expect, test} from './fixtures.ts'
import {lastMessage} from './support/chat-page.ts'
import {bothOf, restingStates, statesPassed, walkPage} from './support/chart-walk.ts'
import {
  edited,
  editing,
  firstOf,
  followUpsChart,
  items,
  nextQuestion,
  removable,
  type Action,
  type Queue,
  type Snapshot,
  type Turn,
} from './support/follow-ups-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute} from './support/held-route.ts'
import type {ModelServer} from './support/model-server.ts'

/*
 * The list of questions that wait shows what its machine says, over every edge of the graph generated from the machine.
 */

type Hands = {page: Page; modelServer: ModelServer; stops: HeldRoute}
const list = (page: Page) => page.getByRole('region', {name: 'Next questions'})
const item = (page: Page, question: string) => list(page).getByRole('group', {name: question, exact: true})
const press = (page: Page, name: string) => list(page).getByRole('button', {name, exact: true}).click()
const onFirst =
  (name: string) =>
  ({page}: Hands, snapshot: Snapshot) =>
    item(page, firstOf(snapshot).question).getByRole('button', {name, exact: true}).click()

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  ask: ({page}, snapshot) => ask(page, nextQuestion(snapshot)),
  end: async ({modelServer}) => modelServer.proceed(),
  fail: async ({modelServer}) => modelServer.refuseHeld({message: 'No.'}),
  stop: async ({page, stops}) => {
    await stops.let(goOn)
    await page.getByRole('button', {name: 'Stop', exact: true}).click()
  },
  'stop and ask': async ({page, stops}, snapshot) => {
    stops.hold()
    await composer(page).fill(nextQuestion(snapshot))
    await page.getByRole('button', {name: 'Stop', exact: true}).click()
    await composer(page).press('Enter')
  },
  // it is sent again where it takes long
  'confirm the stop': ({stops}) => stops.let(goOn),
  edit: onFirst('Edit'),
  save: async ({page}) => {
    const editor = list(page).getByRole('textbox')
    // with the focus the caret goes to the end
    await editor.focus()
    await editor.fill(edited(await editor.inputValue()))
    await press(page, 'Save')
  },
  cancel: ({page}) => press(page, 'Cancel'),
  move: onFirst('Move down'),
  remove: async ({page}, snapshot) => {
    const {question = ''} = removable(snapshot) ?? {}
    await item(page, question).getByRole('button', {name: 'Remove'}).click()
    await press(page, 'Dismiss')
  },
  'remove and undo': async (hands, snapshot) => {
    await onFirst('Remove')(hands, snapshot)
    await expect(item(hands.page, firstOf(snapshot).question)).toHaveCount(0)
    await press(hands.page, 'Undo')
  },
  'go on': ({page}) => press(page, 'Go on'),
  'send now': ({page}, snapshot) =>
    item(page, items(snapshot).at(-1)?.question ?? '')
      .getByRole('button', {name: 'Send now'})
      .click(),
  reload: async ({page}) => {
    await page.reload()
    await composer(page).waitFor()
  },
}

type Eyes<TName extends string> = {[Name in TName]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>}

const answers = async ({page, modelServer}: Hands) => {
  await expect(page.getByRole('button', {name: 'Stop', exact: true})).toBeEnabled()
  await expect.poll(() => modelServer.heldAnswers).toBe(1)
}
const rests = async ({page, modelServer}: Hands) => {
  await expect(page.getByRole('button', {name: 'Stop', exact: true})).toHaveCount(0)
  await expect.poll(() => modelServer.heldAnswers).toBe(0)
}
const turns: Eyes<Turn> = {
  answering: answers,
  promised: async ({page, stops}) => {
    await expect(lastMessage(page)).toContainText('Stopping…')
    await expect.poll(() => stops.asked).toBeGreaterThan(0)
  },
  held: rests,
  free: rests,
  'free after a stop': rests,
}

const notes = {
  waits: 'Sent in this order, each after the answer before it.',
  held: 'On hold: the last answer failed or was stopped.',
  edited: 'On hold while you edit.',
}
const hasNote = async ({page}: Hands, snapshot: Snapshot) => {
  const isHeld = snapshot.queue.matches({turn: 'held'})
  const note = editing(snapshot) !== undefined ? 'edited' : isHeld ? 'held' : 'waits'
  await expect(list(page).getByRole('status').first()).toHaveText(notes[note])
  await expect(list(page).getByRole('button', {name: 'Go on'})).toHaveCount(isHeld ? 1 : 0)
}
/** Each question went out once, and those that wait are there in order. */
const waits =
  (...rows: ('row' | 'editor')[]) =>
  async (hands: Hands, snapshot: Snapshot) => {
    const {page, modelServer} = hands
    await expect.poll(() => modelServer.prompts).toEqual(snapshot.asked)
    const shown = list(page).getByRole('listitem')
    await expect(shown).toHaveCount(rows.length)
    await expect(list(page).getByRole('textbox')).toHaveCount(rows.includes('editor') ? 1 : 0)
    for (const [index, {key, question}] of items(snapshot).entries()) {
      const row = shown.nth(index)
      if (key === editing(snapshot)) await expect(row.getByRole('textbox')).toHaveValue(question)
      else await expect(row.getByRole('group')).toHaveAccessibleName(question)
    }
    if (rows.length > 0) await hasNote(hands, snapshot)
  }
const queues: Eyes<Queue> = {
  none: waits(),
  one: waits('row'),
  two: waits('row', 'row'),
  'one edited': waits('editor'),
  'one of two edited': waits('row', 'editor'),
}

test('the walk passes every resting state of the machine', () => {
  // what waits goes out at once: to claim it and to hand it over are no states to find the list in; those of
  // another tab are in follow-ups-of-two-tabs-states
  const leftToOthers = ['turn.free.told.confirming', 'turn.free.told.left', 'turn.free.told.watching']
  const elsewhere = [...leftToOthers, 'turn.held.elsewhere']
  const passing = ['turn.free.claiming', 'turn.free.elsewhere', 'turn.free.handed', ...elsewhere]
  const passed = statesPassed(followUpsChart, ({queue: {value}}) => value)
  expect([...passed, ...passing].sort()).toEqual(restingStates(followUpsMachine))
})

test('the list shows what the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  const isStop = (body: string | null) => body?.includes('"action":"stop"') === true
  const stops = await HeldRoute.on(page, '**/aichat/conversations', (request) => isStop(request.postData()))
  modelServer.hold(1)
  await walkPage(followUpsChart, {page, modelServer, stops}, {done, expected: bothOf(turns, queues)})
})
