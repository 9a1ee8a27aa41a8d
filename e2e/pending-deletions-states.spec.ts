import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {pendingDeletionsMachine} from '#machines/pending-deletions/pending-deletions.machine.ts'
import {expect, test} from './fixtures.ts'
import {answers, chooseAction, row, thread} from './support/chat-page.ts'
import {graphOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {isCommand} from './support/export-dialog.ts'
import {long} from './support/full-run.ts'
import {endDelays, holdDelays} from './support/held-delays.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {seedConversations} from './support/seeded-conversations.ts'
import {blankTab} from './support/signed-in.ts'

/*
 * A file of two conversations and a link to one of them wait for what is deleted there, as the machine that asks one
 * conversation after the other says, over every edge of the graph generated from it. Deadlines end when the walk says
 * so.
 */

type Copy = 'file' | 'link'
type Action =
  | 'export'
  | 'share'
  | 'delete there'
  | 'refuse to delete'
  | 'answer nothing'
  | 'cancel'
  | 'close'
  | 'delete'
type Deleted = 'in none' | 'in one' | 'in both'
type Shown = `${'no copy' | `${Copy}, ${'asking' | 'done' | 'failed'}`}: deleted ${Deleted}`
/** `deleted`: conversations in which something is; `copy`: what is made. */
type Snapshot = {asking: SnapshotFrom<typeof pendingDeletionsMachine> | undefined; copy: Copy; deleted: number}

const send = sender(pendingDeletionsMachine)
const failure = {code: 'bad_request', detail: 'foo', status: 400}
/** A conversation in which nothing is deleted answers at once. */
function begin(copy: Copy, deleted: number): Snapshot {
  const conversations = Array.from({length: copy === 'file' ? 2 : 1}, (_, index) => `${index}`)
  const [asking] = initialTransition(pendingDeletionsMachine, {conversations})
  const clean = conversations.slice(Math.min(deleted, conversations.length))
  return {copy, deleted, asking: clean.reduce((before) => send(before, {type: 'deletions.settled'}), asking)}
}
const isAsking = ({asking}: Snapshot) => asking?.matches('asking') === true
const isFree = ({asking}: Snapshot) => asking === undefined
const then = (snapshot: Snapshot, event: Parameters<typeof send>[1], deleted = snapshot.deleted): Snapshot => ({
  ...snapshot,
  deleted,
  asking: snapshot.asking && send(snapshot.asking, event),
})
const words: readonly Deleted[] = ['in none', 'in one', 'in both']

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({asking: undefined, copy: 'file', deleted: 2}),
  effects: {
    export: where(
      (snapshot) => snapshot.deleted > 0 && isFree(snapshot),
      ({deleted}) => begin('file', deleted),
    ),
    // which one is left is the page's affair
    share: where(
      (snapshot) => snapshot.deleted === 2 && isFree(snapshot),
      ({deleted}) => begin('link', deleted),
    ),
    'delete there': where(isAsking, (snapshot) => then(snapshot, {type: 'deletions.settled'}, snapshot.deleted - 1)),
    'refuse to delete': where(isAsking, (snapshot) => then(snapshot, {type: 'deletions.settled', failure})),
    'answer nothing': where(isAsking, (snapshot) =>
      then(snapshot, {type: 'xstate.after.requestDeadline.pendingDeletions.asking'}),
    ),
    // who leaves only stops waiting
    cancel: where(isAsking, (snapshot) => ({...snapshot, asking: undefined})),
    close: where(
      (snapshot) => !isAsking(snapshot) && !isFree(snapshot),
      (snapshot) => ({...snapshot, asking: undefined}),
    ),
    delete: where(
      (snapshot) => snapshot.deleted < 2 && isFree(snapshot),
      (snapshot) => ({...snapshot, deleted: 2}),
    ),
  },
  shownBy: ({asking, copy, deleted}) => {
    const [copied, word] = [asking && `${copy}, ${asking.value}`, words[deleted] ?? 'in none']
    // as: it is deciding in no snapshot
    return `${copied ?? 'no copy'}: deleted ${word}` as Shown
  },
}

type Hands = {page: Page; removals: HeldRoute; links: HeldRoute; versions: HeldRoute}
const titles = ['One', 'Two']
const requestDeadline = 60_000
const dialog = ({page}: Hands) => page.getByRole('dialog')
const button = (hands: Hands, name: string) => dialog(hands).getByRole('button', {name, exact: true})
const refuse = ({removals}: Hands) => letOnce(removals, refuseWith(400, 'bad_request'))
const close = async (hands: Hands) => {
  await hands.page.keyboard.press('Escape')
  await expect(dialog(hands)).toHaveCount(0)
}

async function deleteIn({page}: Hands, title: string) {
  await row(page, title).getByRole('link').click()
  await expect(answers(page).last()).toContainText(title)
  if ((await thread(page).getByText('Message deleted').count()) === 0)
    await chooseAction(answers(page).first(), 'Delete')
  await expect(thread(page).getByText('Message deleted')).toBeVisible()
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  export: async (hands) => {
    const {page} = hands
    await page.getByRole('button', {name: 'Options of the list'}).click()
    await page.getByRole('menuitem', {name: 'Export all…'}).click()
    await dialog(hands).getByRole('radio', {name: 'JSON'}).check()
    await button(hands, 'Export').click()
  },
  share: async (hands) => {
    await row(hands.page, 'One').hover()
    await row(hands.page, 'One').getByRole('button', {name: 'Actions for One'}).click()
    await hands.page.getByRole('menuitem', {name: 'Share…'}).click()
    await button(hands, 'Make link').click()
  },
  'delete there': ({removals}) => letOnce(removals, goOn),
  'refuse to delete': refuse,
  'answer nothing': async (hands) => {
    await hands.removals.waitForOne()
    expect(await endDelays(hands.page, requestDeadline)).toBeGreaterThan(0)
    await expect(dialog(hands).getByRole('alert')).toBeVisible()
    await refuse(hands)
  },
  // what was asked for goes on, until the server says no
  cancel: async (hands) => {
    await hands.removals.waitForOne()
    const cancel = button(hands, 'Cancel')
    if ((await cancel.count()) > 0) await cancel.click()
    await close(hands)
    await refuse(hands)
  },
  close,
  delete: async (hands) => {
    for (const title of titles) await deleteIn(hands, title)
  },
}

/** A copy is read or made only when nothing is left to be deleted, and once. */
const waits = (hands: Hands) => hands.removals.waitForOne()
const looks: {[Name in 'asking' | 'done' | 'failed']: {[Of in Copy]: (hands: Hands) => Promise<unknown>}} = {
  asking: {
    file: async (hands) => {
      await waits(hands)
      await expect(button(hands, 'Export')).toHaveAttribute('aria-disabled', 'true')
      expect(hands.versions.held).toBe(0)
    },
    link: async (hands) => {
      await waits(hands)
      await expect(button(hands, 'Make link')).toHaveAttribute('aria-disabled', 'true')
      expect(hands.links.held).toBe(0)
    },
  },
  done: {
    file: async (hands) => {
      await letOnce(hands.versions, goOn)
      await expect(dialog(hands).getByText('Your file is saved.')).toBeVisible()
    },
    link: async (hands) => {
      await letOnce(hands.links, goOn)
      await expect(dialog(hands).getByText('The link is there.')).toBeVisible()
    },
  },
  failed: {
    file: async (hands) => {
      await expect(dialog(hands).getByRole('alert')).toHaveText("The export didn't finish. Try again.")
      expect(hands.versions.held).toBe(0)
    },
    link: async (hands) => {
      await expect(dialog(hands).getByRole('alert')).toBeVisible()
      expect(hands.links.held).toBe(0)
    },
  },
}

async function expectShown(hands: Hands, {asking, copy}: Snapshot) {
  if (asking === undefined) await expect(dialog(hands)).toHaveCount(0)
  else if (asking.value !== 'deciding') await looks[asking.value][copy](hands)
}

test('the walk passes every state of the machine', () => {
  const passed = statesPassed(chart, ({asking}) => asking?.value ?? {})
  expect(passed).toEqual([...restingStates(pendingDeletionsMachine), 'done', 'failed'])
})

test(
  'a file and a link wait for what is deleted as the machine says, over every edge',
  long,
  async ({context, installation, signedIn}) => {
    const conversations = titles.map((title) => ({
      title,
      texts: Array.from({length: 40}, (_, index) => `${title} ${index + 1}.`),
    }))
    await seedConversations(installation, signedIn, conversations)
    const page = await blankTab(context, installation.url, signedIn)
    await holdDelays(page)
    await page.goto(`${installation.url}/chatgpt/conversations`)
    const address = '**/aichat/conversations'
    const hands = {
      page,
      removals: await HeldRoute.on(page, address, isCommand('remove')),
      versions: await HeldRoute.on(page, address, isCommand('export')),
      links: await HeldRoute.on(page, /\/api\/v1\/shares\//, 'POST'),
    }
    await done.delete(hands)
    // as: every name has it
    const expected = Object.fromEntries([...graphOf(chart).keys()].map((shown) => [shown, expectShown])) as {
      [Name in Shown]: typeof expectShown
    }
    await walkPage(chart, hands, {done, expected})
  },
)
