import type {Page} from '@playwright/test'
import {savedPromptsMachine} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {restingStates, statesPassed, walkPage} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {
  type Action,
  type Shown,
  type Snapshot,
  prompt,
  hasForm,
  nextInstructions,
  chart,
} from './support/saved-prompts-chart.ts'

/*
 * The settings of the chat show what the machine of the saved prompts says, over every edge of the graph generated from
 * the machine: without a prompt, with one, and with one that was removed.
 */

type Hands = {page: Page; reads: HeldRoute; changes: HeldRoute}
const settings = ({page}: Hands) => page.getByRole('dialog', {name: 'Settings'})
const button = (hands: Hands, name: string) => settings(hands).getByRole('button', {name, exact: true})
const row = (hands: Hands) => settings(hands).getByRole('group', {name: prompt.name, exact: true})
const form = (hands: Hands) =>
  settings(hands)
    .locator('form')
    .filter({has: hands.page.getByRole('textbox', {name: 'Name', exact: true})})
const instructions = (hands: Hands) => settings(hands).getByRole('textbox', {name: 'Instructions for the assistant'})
const instruct = (hands: Hands) =>
  settings(hands).locator('form').first().getByRole('button', {name: 'Save', exact: true})

async function openSettings(hands: Hands) {
  await hands.page.getByRole('button', {name: 'Account', exact: true}).click()
  await hands.page.getByRole('menuitem', {name: 'Settings'}).click()
  await settings(hands).getByRole('tab', {name: 'Chat'}).click()
}
/** A change leaves what is being read: nobody waits for its answer any more. */
const leaving =
  (act: (hands: Hands, snapshot: Snapshot) => Promise<unknown>) => async (hands: Hands, snapshot: Snapshot) => {
    await act(hands, snapshot)
    await expect.poll(() => hands.changes.held).toBe(1)
    hands.reads.hold()
  }

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  read: ({reads}) => letOnce(reads, goOn),
  'fail to read': ({reads}) => letOnce(reads, refuseWith(409, 'conflict')),
  retry: (hands) => button(hands, 'Retry').click(),
  reopen: async (hands) => {
    await hands.page.keyboard.press('Escape')
    await expect(settings(hands)).toHaveCount(0)
    await openSettings(hands)
  },
  'reload the page': async (hands) => {
    await hands.page.reload()
    await composer(hands.page).waitFor()
    await openSettings(hands)
  },
  save: leaving(async (hands, snapshot) => {
    if (!hasForm(snapshot)) {
      await button(hands, 'Add a prompt').click()
      await form(hands).getByRole('textbox', {name: 'Name', exact: true}).fill(prompt.name)
      await form(hands).getByRole('textbox', {name: 'Text', exact: true}).fill(prompt.text)
    }
    await form(hands).getByRole('button', {name: 'Save'}).click()
  }),
  cancel: (hands) => form(hands).getByRole('button', {name: 'Cancel'}).click(),
  remove: leaving((hands) => row(hands).getByRole('button', {name: 'Remove'}).click()),
  undo: leaving((hands) => button(hands, 'Undo').click()),
  instruct: leaving(async (hands, snapshot) => {
    await instructions(hands).fill(nextInstructions(snapshot))
    await instruct(hands).click()
  }),
  taken: ({changes}) => letOnce(changes, goOn),
  refused: ({changes}) => letOnce(changes, refuseWith(409, 'conflict')),
}

const heading = (hands: Hands) => settings(hands).getByRole('heading', {name: 'Saved prompts'})
const failure = "That didn't work. Nothing was changed."

const loading = async (hands: Hands) => {
  await expect.poll(() => hands.reads.held).toBe(2)
  await expect(settings(hands).getByText(failure)).toHaveCount(0)
  await expect(heading(hands)).toHaveCount(0)
}
const failed = async (hands: Hands) => {
  await expect(settings(hands).getByRole('status').filter({hasText: failure})).toBeVisible()
  await expect(button(hands, 'Retry')).toBeEnabled()
  await expect(heading(hands)).toHaveCount(0)
}

type Seen = {rows: number; undo?: boolean; form?: boolean; refused?: boolean}
/** Expects the prompts on screen, whether or not they are being read again or changed. */
const sees = async (hands: Hands, {rows, undo = false, form: isWritten = false, refused = false}: Seen) => {
  await expect(heading(hands)).toBeVisible()
  await expect(row(hands)).toHaveCount(rows)
  await expect(settings(hands).getByRole('status').filter({hasText: 'Prompt removed.'})).toHaveCount(undo ? 1 : 0)
  await expect(settings(hands).getByRole('alert')).toHaveText(refused ? [`${failure} conflict - foo`] : [])
  await expect(form(hands)).toHaveCount(isWritten ? 1 : 0)
  await expect(button(hands, 'Add a prompt')).toHaveCount(isWritten ? 0 : 1)
  if (isWritten) {
    await expect(form(hands).getByRole('textbox', {name: 'Name', exact: true})).toHaveValue(prompt.name)
    await expect(form(hands).getByRole('textbox', {name: 'Text', exact: true})).toHaveValue(prompt.text)
  }
}
/** Everything can be changed. */
const offers = async (hands: Hands, {rows, undo = false, form: isWritten = false}: Seen) => {
  if (rows > 0) await expect(row(hands).getByRole('button', {name: 'Remove'})).toBeEnabled()
  if (undo) await expect(button(hands, 'Undo')).toBeEnabled()
  if (isWritten) await expect(form(hands).getByRole('button', {name: 'Save'})).toBeEnabled()
}
const rests =
  (seen: Seen) =>
  async (hands: Hands, {stored, typed}: Snapshot) => {
    await sees(hands, seen)
    await offers(hands, seen)
    await expect(instructions(hands)).toHaveValue(typed ?? stored.instructions)
    await expect.poll(() => hands.reads.held + hands.changes.held).toBe(0)
  }
/** Expects that the prompts stay on screen, and can be changed, until the server has answered. */
const reloads = (seen: Seen) => async (hands: Hands) => {
  await expect.poll(() => hands.reads.held).toBe(2)
  await sees(hands, seen)
  await offers(hands, seen)
}
/** Nothing has changed yet, and no other change can be made. */
const writes = (seen: Seen) => async (hands: Hands) => {
  await sees(hands, seen)
  await expect.poll(() => hands.changes.held).toBe(1)
  await expect(instruct(hands)).toBeDisabled()
  if (seen.rows > 0) await expect(row(hands).getByRole('button', {name: 'Remove'})).toBeDisabled()
  if (seen.undo === true) await expect(button(hands, 'Undo')).toBeDisabled()
  if (seen.form === true) await expect(form(hands).getByRole('button', {name: 'Save'})).toBeDisabled()
}

const none = {rows: 0}
const one = {rows: 1}
const removed = {rows: 0, undo: true}
const written = {rows: 0, form: true}
const refused = true

const expected: {[Name in Shown]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'loading none': loading,
  'loading form': loading,
  'loading one': loading,
  'failed none': failed,
  'failed form': failed,
  'failed one': failed,
  'resting none': rests(none),
  'resting one': rests(one),
  'resting removed': rests(removed),
  'resting form': rests(written),
  'resting none: refused': rests({...none, refused}),
  'resting one: refused': rests({...one, refused}),
  'resting removed: refused': rests({...removed, refused}),
  'resting form: refused': rests({...written, refused}),
  'reloading none': reloads(none),
  'reloading one': reloads(one),
  'reloading removed': reloads(removed),
  'reloading form': reloads(written),
  'reloading none: refused': reloads({...none, refused}),
  'reloading one: refused': reloads({...one, refused}),
  'reloading removed: refused': reloads({...removed, refused}),
  'reloading form: refused': reloads({...written, refused}),
  saving: writes(written),
  removing: writes(one),
  restoring: writes(removed),
  'instructing none': writes(none),
  'instructing one': writes(one),
  'instructing removed': writes(removed),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({part: {value}}) => value)).toEqual(restingStates(savedPromptsMachine))
})

test('the settings show what the machine says, over every edge', long, async ({chat: page}) => {
  const kept = /\/api\/v1\/(prompts\/|instructions$)/
  const hands = {
    page,
    reads: await HeldRoute.on(page, kept, 'GET'),
    changes: await HeldRoute.on(page, kept, (request) => request.method() !== 'GET'),
  }
  await openSettings(hands)
  await walkPage(chart, hands, {done, expected})
})
