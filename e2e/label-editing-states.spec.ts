import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {labelEditingMachine, type LabelEditingEvent} from '#machines/label-editing/label-editing.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {graphOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {conversations, storedConversations} from './support/chat-page.ts'
import {long} from './support/full-run.ts'
import {inDatabase} from './support/in-database.ts'
import type {Installation} from './support/installation.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'
import type {SignedIn} from './support/users.ts'

/*
 * The dialog of labels shows what its machine says, over every edge of the graph generated from the machine: two
 * conversations, of which one carries two labels and the other one of them.
 */

type Labels = readonly (readonly string[])[]
type PartSnapshot = SnapshotFrom<typeof labelEditingMachine>
type Snapshot = {dialog: PartSnapshot; labels: Labels}
type Action =
  | 'begin'
  | 'type nothing'
  | 'type the old name'
  | 'type another name'
  | 'type a new name'
  | 'cancel'
  | 'confirm'
  | 'delete'
  | 'undo'
  | 'put back'
type Shown = `${'listed' | 'unchanged' | 'free' | 'taken'} ${string}`

const first: Labels = [['home', 'work'], ['work']]
const send = sender(labelEditingMachine)
const start = (): Snapshot => ({dialog: initialTransition(labelEditingMachine)[0], labels: first})
const namesOf = (labels: Labels) => [...new Set(labels.flat())].toSorted()
const isListed = ({dialog}: Snapshot) => dialog.matches({names: 'listed'})
const isRenaming = ({dialog}: Snapshot) => dialog.matches({names: 'renaming'})
const isUndoable = ({dialog}: Snapshot) => dialog.matches({deletion: 'undoable'})
/** Not the old name, and one at all, of a label that is still there. */
const isNamed = (dialog: PartSnapshot) => dialog.can({type: 'rename.confirm', labels: [dialog.context.label]})
const then = (event: LabelEditingEvent) => (snapshot: Snapshot) => ({...snapshot, dialog: send(snapshot.dialog, event)})
const types = (name: string) => where(isRenaming, then({type: 'name.change', name}))
const without = (labels: Labels, label: string): Labels => labels.map((all) => all.filter((name) => name !== label))

const chart: Chart<Snapshot, Action, Shown> = {
  start,
  effects: {
    begin: where(
      (snapshot) => isListed(snapshot) && namesOf(snapshot.labels).includes('work'),
      (snapshot) => then({type: 'rename.begin', label: 'work', labels: namesOf(snapshot.labels)})(snapshot),
    ),
    'type nothing': types(' '),
    'type the old name': types('work'),
    'type another name': types('home'),
    'type a new name': types('job'),
    cancel: where(isRenaming, then({type: 'rename.cancel'})),
    confirm: where(
      ({dialog}) => isNamed(dialog),
      (snapshot) => {
        const dialog = send(snapshot.dialog, {type: 'rename.confirm', labels: namesOf(snapshot.labels)})
        const labels = snapshot.labels.map((all) =>
          [...new Set(all.map((name) => (name === 'work' ? dialog.context.label : name)))].toSorted(),
        )
        return {dialog, labels}
      },
    ),
    delete: where(
      (snapshot) => isListed(snapshot) && namesOf(snapshot.labels).includes('home'),
      (snapshot) => {
        const keys = snapshot.labels.flatMap((all, index) => (all.includes('home') ? [String(index)] : []))
        return {
          dialog: send(snapshot.dialog, {type: 'label.delete', label: 'home', keys, colour: undefined}),
          labels: without(snapshot.labels, 'home'),
        }
      },
    ),
    undo: where(
      (snapshot) => isListed(snapshot) && isUndoable(snapshot),
      (snapshot) => {
        const keys = snapshot.dialog.context.deleted[0]?.keys ?? []
        return {
          dialog: send(snapshot.dialog, {type: 'delete.undo'}),
          labels: snapshot.labels.map((all, index) =>
            keys.includes(String(index)) ? [...new Set([...all, 'home'])].toSorted() : all,
          ),
        }
      },
    ),
    'put back': where((snapshot) => isListed(snapshot) && !namesOf(snapshot.labels).includes('work'), start),
  },
  shownBy: ({dialog, labels}) => {
    const {names} = dialog.value
    const form = typeof names === 'string' ? names : names.renaming
    const {deleted} = dialog.context
    const undo = deleted.length === 0 ? '' : `, ${deleted.map(({keys}) => keys.length).join(' and ')} undoable`
    // as: the machine rests in no other state
    return `${form} ${JSON.stringify(labels)}${undo}` as Shown
  },
}

type Hands = {page: Page; installation: Installation; signedIn: SignedIn}
const dialog = ({page}: Hands) => page.getByRole('dialog', {name: 'Labels'})
const row = (hands: Hands, name: string) => dialog(hands).getByRole('listitem', {name, exact: true})
const field = (hands: Hands) => dialog(hands).getByRole('textbox', {name: 'Rename'})

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  begin: (hands) => row(hands, 'work').getByRole('button', {name: 'Rename'}).press('Enter'),
  'type nothing': (hands) => field(hands).fill(' '),
  'type the old name': (hands) => field(hands).fill('work'),
  'type another name': (hands) => field(hands).fill('home'),
  'type a new name': (hands) => field(hands).fill('job'),
  cancel: async (hands) => {
    await field(hands).press('Escape')
    await expect(row(hands, 'work').getByRole('button', {name: 'Rename'})).toBeFocused()
  },
  confirm: (hands) => field(hands).press('Enter'),
  delete: async (hands) => {
    await row(hands, 'home').getByRole('button', {name: 'Delete'}).click()
    await expect(dialog(hands).getByRole('button', {name: 'Undo'})).toBeFocused()
  },
  undo: async (hands) => {
    await dialog(hands).getByRole('button', {name: 'Undo'}).click()
    await expect(row(hands, 'home').getByRole('button', {name: 'Rename'})).toBeFocused()
  },
  'put back': async (hands) => {
    await hands.page.keyboard.press('Escape')
    await setUp(hands)
  },
}

/** Both conversations carry what they did at first; the seeded titles are this user's alone. */
async function setUp({page, installation, signedIn}: Hands) {
  // as: the state that the fixture made
  const {user} = JSON.parse(signedIn.state) as {user: {id: string}}
  await inDatabase(installation, (client) =>
    client.query(
      `update conversations set labels = case title when 'Kites' then '{home,work}'::text[] else '{work}'::text[] end
       where user_id = $1`,
      [user.id],
    ),
  )
  await page.goto(`${installation.url}/chatgpt/conversations`)
  await expect(composer(page)).toBeEnabled()
  await expect(conversations(page).getByRole('img', {name: 'home'})).toHaveCount(1)
  await page.getByRole('button', {name: 'Options of the list'}).click()
  await page.getByRole('menuitem', {name: 'Labels…'}).click()
}

/** The names there are, the form instead of one, the offer to take a deletion back, and what the server has. */
async function expectShown(hands: Hands, snapshot: Snapshot) {
  const {dialog: part, labels} = snapshot
  const others = namesOf(labels).filter((name) => !isRenaming(snapshot) || name !== part.context.label)
  for (const name of others) await expect(row(hands, name).getByRole('button')).toHaveCount(2)
  await expect(dialog(hands).getByRole('listitem')).toHaveCount(namesOf(labels).length)
  await expect(dialog(hands).getByRole('button', {name: 'Undo'})).toHaveCount(isUndoable(snapshot) ? 1 : 0)
  await expect(field(hands)).toHaveCount(isRenaming(snapshot) ? 1 : 0)
  if (isRenaming(snapshot)) {
    const isTaken = part.matches({names: {renaming: 'taken'}})
    const button = dialog(hands).getByRole('button', {name: isTaken ? 'Merge' : 'Save'})
    await expect(button).toBeEnabled({enabled: isNamed(part)})
    await expect(dialog(hands).getByText(/There is a label “.home.” already\./)).toHaveCount(isTaken ? 1 : 0)
  }
  await expect
    .poll(async () => {
      const stored = await storedConversations(hands.page)
      return ['Kites', 'Boats'].map((title) => stored.find((each) => each.title === title)?.labels?.toSorted())
    })
    .toEqual(labels)
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({dialog: {value}}) => value)).toEqual(restingStates(labelEditingMachine))
})

test('the dialog shows what the machine says, over every edge', long, async ({context, installation, signedIn}) => {
  await seedConversations(installation, signedIn, [
    {title: 'Kites', texts: ['foo', 'bar']},
    {title: 'Boats', texts: ['foo', 'bar']},
  ])
  const page = await blankTab(context, installation.url, signedIn)
  const hands = {page, installation, signedIn}
  await setUp(hands)
  const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown]))
  await walkPage(chart, hands, {done, expected})
})
