import type {Page, Route} from '@playwright/test'
import {selectionMachine} from '#machines/selection/selection.machine.ts'
import {expect, test} from './fixtures.ts'
import {act, restingStates, statesPassed, walkPage} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, refuseWith} from './support/held-route.ts'
import type {Installation} from './support/installation.ts'
import {cards} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'
import {
  all,
  is,
  isLast,
  selectionChart,
  type Action,
  type Shown,
  type Snapshot,
  type Step,
} from './support/selection-walk.ts'
import {seedImages} from './support/seeded-tasks.ts'

/*
 * A tool's screen shows what the machine of several results says, over every edge of the graph generated from the
 * machine: two results, of which none, one or all are chosen, deleted and downloaded.
 */

type Hands = {page: Page; deletions: HeldRoute; files: HeldRoute; installation: Installation}
const bar = ({page}: Hands) => page.getByRole('toolbar', {name: 'Selection'})
const button = (hands: Hands, name: string) => bar(hands).getByRole('button', {name, exact: true})
const question = ({page}: Hands) => page.getByRole('dialog', {name: /^Delete \d results?\?$/})
/** Reads a notice, which keeps clear of the bar, and puts it away. */
const notice = async (hands: Hands, text: RegExp) => {
  const notices = hands.page.getByRole('region', {name: 'Notifications'})
  await expect(notices.getByText(text)).toBeVisible()
  const [over, under] = await Promise.all([notices.boundingBox(), bar(hands).boundingBox()])
  expect((over?.y ?? 0) + (over?.height ?? Infinity)).toBeLessThanOrEqual(under?.y ?? 0)
  await notices.getByRole('button', {name: 'Dismiss'}).click()
  await expect(notices.getByText(text)).toHaveCount(0)
}
const sendPixel = (route: Route) => route.fulfill({contentType: 'image/png', body: pixel})

/** The screen of Flux with two images: so many more are made. */
async function openImages({page, installation}: Pick<Hands, 'page' | 'installation'>, count: number) {
  const userId = await page.evaluate(
    // as: the shape of what the app keeps is asserted by tests/browser
    () => (JSON.parse(localStorage.getItem('vuex') ?? '{}') as {user: {id: string}}).user.id,
  )
  const newest = Math.floor(Date.now() / 1_000)
  const imageUrl = `${installation.url}/made/one.png`
  await seedImages(installation, {userId, count, newest, imageUrl, failedEvery: 1_000, isMore: true})
  await page.goto(`${installation.url}/flux`)
  await expect(cards(page)).toHaveCount(all.length)
}

/** Expects the notice about conversations that could not be deleted, after the answer to the last deletion. */
const tellKept = async (hands: Hands, after: Snapshot) => {
  const {kept} = after.selection.context
  if (!is('deleting')(after) && kept.length > 0)
    await notice(hands, new RegExp(`^${kept.length} results? couldn't be deleted: picture \\d`))
}
const tellMissing = async (hands: Hands, after: Snapshot) => {
  const {failed, files} = after.selection.context
  if (is('packing')(after) || failed.length === 0) return
  if (failed.length === files.length) await notice(hands, /^The file couldn't be downloaded\.$/)
  else await notice(hands, /^1 file couldn't be loaded and is missing from the download: flux-picture-\d/)
}

const done: {[Name in Action]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  select: ({page}) => page.getByRole('button', {name: 'Select', exact: true}).click(),
  'select with Ctrl': ({page}) =>
    cards(page)
      .first()
      .click({modifiers: ['Control']}),
  leave: (hands) => button(hands, 'Cancel').click(),
  toggle: ({page}) => cards(page).first().click(),
  extend: ({page}) =>
    cards(page)
      .last()
      .click({modifiers: ['Shift']}),
  'choose all': (hands) => button(hands, 'Select all').click(),
  'choose none': (hands) => button(hands, 'Select none').click(),
  ask: (hands) => button(hands, 'Delete').click(),
  cancel: (hands) => question(hands).getByRole('button', {name: 'Cancel'}).click(),
  confirm: (hands) => question(hands).getByRole('button', {name: 'Delete'}).click(),
  'one is deleted': async (hands, before) => {
    await hands.deletions.letFirst(goOn)
    await tellKept(hands, act(selectionChart, before, 'one is deleted'))
  },
  'one is kept': async (hands, before) => {
    await hands.deletions.letFirst(refuseWith(409, 'conflict'))
    await tellKept(hands, act(selectionChart, before, 'one is kept'))
  },
  download: (hands) => button(hands, 'Download').click(),
  'cancel the download': async (hands) => {
    await button(hands, 'Cancel').click()
    hands.files.hold()
  },
  'a file comes': async (hands, before) => {
    const saved = isLast(before) ? hands.page.waitForEvent('download') : undefined
    await hands.files.letFirst(sendPixel)
    await saved
    await tellMissing(hands, act(selectionChart, before, 'a file comes'))
  },
  'a file fails': async (hands, before) => {
    const after = act(selectionChart, before, 'a file fails')
    const hasSome = after.selection.context.failed.length < after.selection.context.files.length
    const saved = isLast(before) && hasSome ? hands.page.waitForEvent('download') : undefined
    await hands.files.letFirst((route) => route.fulfill({status: 404}))
    await saved
    await tellMissing(hands, after)
  },
  'make anew': (hands, {listed}) => openImages(hands, all.length - listed.length),
}

const selectButton = ({page}: Hands) => page.getByRole('button', {name: 'Select', exact: true})
const idle = (listed: number) => async (hands: Hands) => {
  await expect(bar(hands)).toHaveCount(0)
  await expect(cards(hands.page)).toHaveCount(listed)
  await expect(hands.page.getByRole('checkbox', {name: /picture/})).toHaveCount(0)
  if (listed === 0) return expect(selectButton(hands)).toHaveCount(0)
  await expect(selectButton(hands)).toHaveAttribute('aria-pressed', 'false')
  await expect(selectButton(hands)).toBeEnabled()
}
/** So many of the cards are chosen, and what can be done with them is offered. */
const choosing =
  (chosen: number, listed = 2) =>
  async (hands: Hands) => {
    await expect(bar(hands).getByRole('status')).toHaveText(`${chosen} selected`)
    await expect(cards(hands.page)).toHaveCount(listed)
    await expect(hands.page.getByRole('checkbox', {name: /picture/, checked: true})).toHaveCount(chosen)
    await expect(button(hands, chosen === listed ? 'Select none' : 'Select all')).toBeVisible()
    for (const name of ['Download', 'Delete']) await expect(button(hands, name)).toBeEnabled({enabled: chosen > 0})
    await expect(question(hands)).toHaveCount(0)
    await expect(selectButton(hands)).toHaveAttribute('aria-pressed', 'true')
  }
const confirming = (title: string) => async (hands: Hands) => {
  await expect(question(hands)).toHaveAccessibleName(title)
  expect(hands.deletions.held).toBe(0)
}
/** Expects that the action is running, and that nothing else can be chosen meanwhile. */
const works = async (hands: Hands, words: string) => {
  await expect(bar(hands).getByRole('status')).toHaveText(words)
  await expect(button(hands, 'Delete')).toHaveCount(0)
  await expect(selectButton(hands)).toBeDisabled()
}
const deleting = (step: Step, left: number) => async (hands: Hands) => {
  await works(hands, `Deleting ${step}`)
  await expect.poll(() => hands.deletions.held).toBe(left)
  await expect(button(hands, 'Cancel')).toHaveCount(0)
}
const packing = (step: Step) => async (hands: Hands) => {
  await works(hands, `Collecting file ${step}`)
  await expect.poll(() => hands.files.held).toBe(1)
  await expect(button(hands, 'Cancel')).toBeEnabled()
}

const expected: {[Name in Shown]: (hands: Hands, snapshot: Snapshot) => Promise<unknown>} = {
  idle: idle(2),
  'idle, one deleted': idle(1),
  'idle, all deleted': idle(0),
  'choosing none': choosing(0),
  'choosing one': choosing(1),
  'choosing all': choosing(2),
  'choosing what was kept': choosing(1, 1),
  'confirming one': confirming('Delete 1 result?'),
  'confirming all': confirming('Delete 2 results?'),
  'deleting 1 of 1': deleting('1 of 1', 1),
  'deleting 1 of 2': deleting('1 of 2', 2),
  'deleting 2 of 2': deleting('2 of 2', 1),
  'packing 1 of 1': packing('1 of 1'),
  'packing 1 of 2': packing('1 of 2'),
  'packing 2 of 2': packing('2 of 2'),
  'deleting 2 of 2, one kept': deleting('2 of 2', 1),
  'packing 2 of 2, one missing': packing('2 of 2'),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(selectionChart, ({selection: {value}}) => value)).toEqual(restingStates(selectionMachine))
})

test('the screen shows what the machine says, over every edge', long, async ({chat: page, installation}) => {
  await page.route('**/made/one.png*', sendPixel)
  const isDeletion = (body: string | null) => body?.includes('"action":"delete"') === true
  const hands = {
    page,
    installation,
    deletions: await HeldRoute.on(page, '**/services/api/flux/tasks', (request) => isDeletion(request.postData())),
    // what the cards show comes at once
    files: await HeldRoute.on(page, '**/made/one.png*', (request) => request.resourceType() === 'fetch'),
  }
  await openImages(hands, all.length)
  await walkPage(selectionChart, hands, {done, expected})
})
