import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {
  savedPromptsMachine,
  type SavedPromptsRecord,
  type PromptChange,
  type SavedPromptsEvent,
} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * The settings of the chat show what the machine of the saved prompts says, over every edge of the graph generated from
 * the machine: without a prompt, with one, and with one that was removed.
 */

type Action =
  | 'read'
  | 'fail to read'
  | 'retry'
  | 'reopen'
  | 'reload the page'
  | 'save'
  | 'cancel'
  | 'remove'
  | 'undo'
  | 'instruct'
  | 'taken'
  | 'refused'
type Rows = 'none' | 'one' | 'removed'
/** `form`: a prompt that is being written stays in its form until the server has it. */
type Held = 'none' | 'form' | 'one'
type Shown =
  | `${'loading' | 'failed'} ${Held}`
  | `${'resting' | 'reloading'} ${Rows | 'form'}${'' | ': refused'}`
  | 'saving'
  | 'removing'
  | 'restoring'
  | `instructing ${Rows}`
type PartSnapshot = SnapshotFrom<typeof savedPromptsMachine>
/** The prompts on the server and a form that was typed and not saved outlive a reload of the page. */
type Snapshot = {part: PartSnapshot; stored: SavedPromptsRecord; typed?: string | undefined}

const send = sender(savedPromptsMachine)
const first = (): PartSnapshot => initialTransition(savedPromptsMachine)[0]
const prompt = {id: 'a', name: 'Translate', text: 'Put this into French:'}
const conflict = {code: 'conflict', detail: 'foo', status: 409}

const hasForm = ({part}: Snapshot) => part.matches({form: 'open'})
const isReady = ({part}: Snapshot) => part.matches({server: 'ready'})
const isResting = ({part}: Snapshot) => part.matches({server: {ready: 'still'}})
const isReading = ({part}: Snapshot) =>
  part.matches({server: 'loading'}) || part.matches({server: {ready: 'reloading'}})
const isWriting = ({part}: Snapshot) => part.matches({server: 'writing'})
const hasFailed = ({part}: Snapshot) => part.matches({server: 'failed'})
const has = (rows: Rows) => (snapshot: Snapshot) => isReady(snapshot) && rowsOf(snapshot) === rows
const then =
  (...events: SavedPromptsEvent[]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, part: send(snapshot.part, ...events)})
const ends = (snapshot: Snapshot, ...events: Parameters<typeof send>[1][]) => send(snapshot.part, ...events)

function rowsOf({part: {context}}: Snapshot): Rows {
  if (context.prompts.length > 0) return 'one'
  return context.removed.length > 0 ? 'removed' : 'none'
}

/** Returns the prompts of the server after a change that it accepted. */
function storedAfter(stored: SavedPromptsRecord, change: PromptChange | undefined): SavedPromptsRecord {
  if (change?.type === 'prompt.save') return {...stored, prompts: [change.prompt]}
  if (change?.type === 'prompt.remove') return {...stored, prompts: []}
  return change === undefined ? stored : {...stored, instructions: change.text}
}
const nextInstructions = ({stored}: Snapshot) => `${stored.instructions} Be brief.`.trim()

function shownBy(snapshot: Snapshot): Shown {
  const {part, stored} = snapshot
  const rows = rowsOf(snapshot)
  if (isWriting(snapshot)) {
    if (part.context.change?.type === 'instructions.save') return `instructing ${rows}`
    return hasForm(snapshot) ? 'saving' : rows === 'one' ? 'removing' : 'restoring'
  }
  if (part.matches({server: 'loading'}) || hasFailed(snapshot))
    return `${hasFailed(snapshot) ? 'failed' : 'loading'} ${hasForm(snapshot) ? 'form' : stored.prompts.length > 0 ? 'one' : 'none'}`
  const refused = part.context.failure === undefined ? '' : ': refused'
  return `${isResting(snapshot) ? 'resting' : 'reloading'} ${hasForm(snapshot) ? 'form' : rows}${refused}`
}

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({part: first(), stored: {prompts: [], instructions: ''}}),
  shownBy,
  effects: {
    read: where(isReading, (snapshot) => ({
      ...snapshot,
      part: ends(snapshot, {type: 'xstate.done.actor.loadKept', output: snapshot.stored}),
    })),
    'fail to read': where(isReading, (snapshot) => ({
      ...snapshot,
      part: ends(snapshot, {type: 'xstate.error.actor.loadKept', error: conflict}),
    })),
    retry: where(hasFailed, then({type: 'prompts.load'})),
    reopen: where(
      (snapshot) => isResting(snapshot) || hasFailed(snapshot) || (isWriting(snapshot) && hasForm(snapshot)),
      then({type: 'prompts.load'}),
    ),
    'reload the page': where(isResting, (snapshot) => ({
      ...snapshot,
      part: send(first(), {type: 'prompts.load', draft: snapshot.part.context.edited}),
    })),
    // a list may have many; one shows what many do
    save: where(
      has('none'),
      then({type: 'prompt.edit', prompt}, {type: 'prompt.type', prompt}, {type: 'prompt.save', prompt}),
    ),
    cancel: where((snapshot) => hasForm(snapshot) && isReady(snapshot), then({type: 'prompt.cancel'})),
    remove: where(has('one'), then({type: 'prompt.remove', id: prompt.id})),
    undo: where(has('removed'), then({type: 'prompt.restore'})),
    // beside the form nothing of it differs
    instruct: where(
      (snapshot) => isReady(snapshot) && !hasForm(snapshot),
      (snapshot) => ({
        ...then({type: 'instructions.save', text: nextInstructions(snapshot)})(snapshot),
        typed: nextInstructions(snapshot),
      }),
    ),
    taken: where(isWriting, (snapshot) => {
      const {change} = snapshot.part.context
      return {
        part: ends(snapshot, {type: 'xstate.done.actor.writeChange'}),
        stored: storedAfter(snapshot.stored, change),
        typed: change?.type === 'instructions.save' ? undefined : snapshot.typed,
      }
    }),
    refused: where(isWriting, (snapshot) => ({
      ...snapshot,
      part: ends(snapshot, {type: 'xstate.error.actor.writeChange', error: conflict}),
    })),
  },
}

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
