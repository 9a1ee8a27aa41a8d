import type {Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {draftFilesMachine, type DraftFilesSnapshot} from '#machines/draft-files/draft-files.machine.ts'
import {expect, test} from './fixtures.ts'
import {answers, composer} from './support/chat-page.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * The files of a message that is not sent yet show what their machine says, over every edge of the graph generated from
 * it, with one file: how many there may be is a test of the machine, and of `chat-composer.spec.ts`.
 */

type Action = 'attach' | 'upload' | 'fail to upload' | 'retry' | 'remove' | 'send' | 'edit'
type Waiting = 'uploading' | 'failed'
type Shown = 'empty' | 'ready' | 'ready: not sent' | Waiting | `${Waiting}: not sent`
/** Whether its upload failed is known to the upload of the file alone. */
type Snapshot = {files: DraftFilesSnapshot; isFailed: boolean}

const send = sender(draftFilesMachine)
const file = {id: 'foo', name: 'notes.txt', type: 'text/plain', size: 3, isImage: false, isPasted: false}
const open = (): Snapshot => ({
  files: initialTransition(draftFilesMachine, {largestFile: undefined})[0],
  isFailed: false,
})
const isWaiting = ({files}: Snapshot) => files.matches('waiting') || files.matches('held')
const is = (state: Waiting) => (snapshot: Snapshot) => isWaiting(snapshot) && snapshot.isFailed === (state === 'failed')
const then =
  (event: Parameters<typeof send>[1], isFailed = false) =>
  (snapshot: Snapshot): Snapshot => ({files: send(snapshot.files, event), isFailed})

const chart: Chart<Snapshot, Action, Shown> = {
  start: open,
  effects: {
    attach: where(({files}) => files.matches('empty'), then({type: 'files.add', files: [file], hasFolders: false})),
    upload: where(
      is('uploading'),
      then({type: 'upload.settled', id: file.id, field: 'draft', url: 'https://foo.example/notes.txt'}),
    ),
    'fail to upload': where(is('uploading'), then({type: 'upload.failed', id: file.id, field: 'draft'}, true)),
    retry: where(is('failed'), then({type: 'file.retry', id: file.id})),
    remove: where(({files}) => !files.matches('empty'), then({type: 'file.remove', id: file.id})),
    send: where(isWaiting, (snapshot) => then({type: 'send.held'}, snapshot.isFailed)(snapshot)),
    // else it says nothing to the machine
    edit: where(({files}) => files.matches('unsent'), then({type: 'draft.edited'})),
  },
  shownBy: ({files, isFailed}) => {
    if (files.matches('empty')) return 'empty'
    if (files.matches('ready')) return 'ready'
    if (files.matches('unsent')) return 'ready: not sent'
    const state = isFailed ? 'failed' : 'uploading'
    return files.matches('held') ? `${state}: not sent` : state
  },
}

type Hands = {page: Page; uploads: HeldRoute}
const retry = ({page}: Hands) => page.getByRole('button', {name: 'Try notes.txt again'})
const remove = ({page}: Hands) => page.getByRole('button', {name: 'Remove notes.txt'})

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  attach: async ({page}) => {
    await composer(page).fill('Read it')
    await page
      .getByRole('main')
      .locator('input[type="file"]')
      .setInputFiles({name: file.name, mimeType: file.type, buffer: Buffer.from('foo')})
  },
  upload: ({uploads}) => letOnce(uploads, goOn),
  'fail to upload': ({uploads}) => letOnce(uploads, refuseWith(500, 'api_error')),
  retry: (hands) => retry(hands).click(),
  remove: async (hands) => {
    await remove(hands).click()
    // the request of a file that goes is ended by the page
    hands.uploads.hold()
  },
  send: ({page}) => composer(page).press('Enter'),
  edit: ({page}) => composer(page).pressSequentially('!'),
}

const waits = (alerts: string[]) => async (hands: Hands) => {
  await expect(hands.page.getByText(/Uploading /)).toBeVisible()
  await expect(hands.page.getByRole('alert')).toHaveText(alerts)
  await expect(answers(hands.page)).toHaveCount(0)
}
const failed = (alerts: string[]) => async (hands: Hands) => {
  await expect(retry(hands)).toBeVisible()
  await expect(hands.page.getByRole('alert')).toHaveText(alerts)
  await expect(answers(hands.page)).toHaveCount(0)
}

const ready = (alerts: string[]) => async (hands: Hands) => {
  await expect(hands.page.getByText(/· Ready$/)).toBeVisible()
  await expect(hands.page.getByRole('alert')).toHaveText(alerts)
  await expect(answers(hands.page)).toHaveCount(0)
}

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  empty: async (hands) => {
    await expect(remove(hands)).toHaveCount(0)
    await expect(hands.page.getByRole('alert')).toHaveCount(0)
  },
  ready: ready([]),
  'ready: not sent': ready(['The upload is complete. Nothing was sent yet: now you can send.']),
  uploading: waits([]),
  'uploading: not sent': waits(['Sending waits for the upload.']),
  failed: failed([]),
  'failed: not sent': failed(['Nothing was sent: one file is missing. Try it again or remove it, then send.']),
}

test('the walk passes every resting state of the machine', () => {
  expect(statesPassed(chart, ({files: {value}}) => value)).toEqual(restingStates(draftFilesMachine))
})

test('the files show what the machine says, over every edge', long, async ({chat: page}) => {
  const uploads = await HeldRoute.on(page, /\/api\/v1\/files\//, 'POST')
  await walkPage(chart, {page, uploads}, {done, expected})
})
