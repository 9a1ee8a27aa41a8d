import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {deletionWatchMachine} from '#machines/deletion-watch/deletion-watch.machine.ts'
import {without} from '#machines/lib/keys.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {composer, expect, test} from './fixtures.ts'
import {conversations, row} from './support/chat-page.ts'
import {graphOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * The dialog of the labels of two conversations closes when another tab has deleted both, as the machine that watches
 * them says, over every edge of the graph generated from it. What can still be taken back there is not deleted.
 */

const titles = ['Kites', 'Boats'] as const
type Title = (typeof titles)[number]
type Action = `delete ${Title} there` | `delete ${Title} there, and take it back` | 'open the next dialog'
type Shown = `${'open' | 'closed'}: ${string}`
/** `count`: dialogs so far, each of two conversations of its own. */
type Snapshot = {watch: SnapshotFrom<typeof deletionWatchMachine>; count: number; listed: readonly string[]}

const send = sender(deletionWatchMachine)
const nameOf = (title: Title, count: number) => `${title} ${count}`
const namesOf = (count: number) => titles.map((title) => nameOf(title, count))
// as: the list is watched on the page alone
const list = nobody as unknown as ConversationListActor

/** The machine hears what the list has. */
function seen(snapshot: Snapshot): Snapshot {
  const {watch, count, listed} = snapshot
  const deleted = without(namesOf(count), ...listed)
  return {...snapshot, watch: send(watch, {type: 'names.seen', listed, deleted})}
}
const begin = (count: number): Snapshot => {
  const names = namesOf(count)
  return seen({watch: initialTransition(deletionWatchMachine, {list, names})[0], count, listed: names})
}
const isOpen = ({watch}: Snapshot) => watch.matches('watching')
const isListed =
  (title: Title) =>
  ({count, listed}: Snapshot) =>
    listed.includes(nameOf(title, count))
const remove = (title: Title) =>
  where<Snapshot>(isListed(title), (snapshot) =>
    seen({...snapshot, listed: without(snapshot.listed, nameOf(title, snapshot.count))}),
  )

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => begin(1),
  effects: {
    'delete Kites there': remove('Kites'),
    'delete Boats there': remove('Boats'),
    'delete Kites there, and take it back': where(isListed('Kites'), seen),
    'delete Boats there, and take it back': where(isListed('Boats'), seen),
    'open the next dialog': where(
      ({watch}) => watch.matches('deleted'),
      ({count}) => begin(count + 1),
    ),
  },
  shownBy: (snapshot) => {
    const names = titles.filter((title) => isListed(title)(snapshot)).join(' and ')
    return `${isOpen(snapshot) ? 'open' : 'closed'}: ${names}`
  },
}

type Hands = {page: Page; other: Page}
const notice = (page: Page) => page.getByRole('region', {name: 'Notifications'})
const dialog = (page: Page) => page.getByRole('dialog', {name: 'Labels'})
const said = 'These conversations were deleted on another page.'

/** While conversations are chosen, a row has a box. The dialog hides the list from assistive technology. */
const box = (page: Page, title: Title, count: number) =>
  page.getByRole('checkbox', {name: `Select ${nameOf(title, count)}`, includeHidden: true})

/** Opens the dialog; from the second one on, the list is chosen from already. */
async function openDialog(page: Page, count: number) {
  if (count === 1) await row(page, nameOf('Kites', count)).getByRole('link').press(' ')
  else await box(page, 'Kites', count).click()
  await box(page, 'Boats', count).click()
  const bar = page.getByRole('toolbar', {name: 'Selected conversations'})
  await expect(bar).toContainText('2 selected')
  await bar.getByRole('button', {name: 'Labels…'}).click()
  await expect(dialog(page)).toBeVisible()
}
/** While it can be taken back there, nothing is deleted here. */
async function removeThere({page, other}: Hands, title: Title, count: number) {
  const name = nameOf(title, count)
  await row(other, name).getByRole('link').press('Delete')
  await conversations(other).getByRole('button', {name: 'Delete', exact: true}).click()
  await expect(row(other, name)).toHaveCount(0)
  await expect(dialog(page)).toBeVisible()
  await expect(box(page, title, count)).toHaveCount(1)
}
const deleted =
  (title: Title) =>
  async (hands: Hands, {count}: Snapshot) => {
    await removeThere(hands, title, count)
    await expect.poll(() => endDelays(hands.other, 8_000)).toBeGreaterThan(0)
  }
const takenBack =
  (title: Title) =>
  async (hands: Hands, {count}: Snapshot) => {
    await removeThere(hands, title, count)
    await notice(hands.other).getByRole('button', {name: 'Undo'}).click()
    await expect(row(hands.other, nameOf(title, count))).toBeVisible()
  }

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  'delete Kites there': deleted('Kites'),
  'delete Boats there': deleted('Boats'),
  'delete Kites there, and take it back': takenBack('Kites'),
  'delete Boats there, and take it back': takenBack('Boats'),
  'open the next dialog': ({page}, {count}) => openDialog(page, count + 1),
}

async function expectShown({page}: Hands, snapshot: Snapshot) {
  for (const title of titles)
    await expect(box(page, title, snapshot.count)).toHaveCount(isListed(title)(snapshot) ? 1 : 0)
  await expect(dialog(page)).toHaveCount(isOpen(snapshot) ? 1 : 0)
  await expect(notice(page).getByText(said)).toHaveCount(isOpen(snapshot) ? 0 : 1)
  if (isOpen(snapshot)) return
  await notice(page).getByRole('button', {name: 'Dismiss'}).click()
  await expect(notice(page).getByText(said)).toHaveCount(0)
}

test('the walk passes every resting state of the machine and its end', () => {
  expect(statesPassed(chart, ({watch: {value}}) => value)).toEqual(['deleted', ...restingStates(deletionWatchMachine)])
})

test(
  'a dialog of two conversations closes when the machine says so, over every edge',
  long,
  async ({context, installation, signedIn}) => {
    // as many as the walk opens, and one more
    const all = [1, 2, 3, 4, 5].flatMap((count) => namesOf(count).map((title) => ({title, texts: ['foo', 'bar']})))
    await seedConversations(installation, signedIn, all)
    const [page, other] = [await blankTab(context, installation.url, signedIn), await context.newPage()]
    for (const tab of [page, other]) {
      await holdDelays(tab)
      await tab.goto(`${installation.url}/chatgpt/conversations`)
      await expect(composer(tab)).toBeEnabled()
      await expect(row(tab, nameOf('Boats', 5))).toBeVisible()
    }
    await openDialog(page, 1)
    const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown]))
    await walkPage(chart, {page, other}, {done, expected})
  },
)
