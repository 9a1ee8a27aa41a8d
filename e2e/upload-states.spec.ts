import type {Locator, Page} from '@playwright/test'
import {initialTransition} from 'xstate'
import {contentFault, type FileRule} from '#domain/file-rules.ts'
import {uploadMachine, type UploadSnapshot} from '#machines/upload/upload.machine.ts'
import {nobody} from '#tests/machines/nobody.ts'
import {expect, test} from './fixtures.ts'
import {restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {openTool, settings} from './support/media-page.ts'
import {pixel} from './support/pixel.ts'

/* One file of a form shows what the machine of its upload says, over every edge of the graph generated from it. */

type Action =
  | 'choose'
  | 'choose one of another type'
  | 'choose while three others travel'
  | 'the others end'
  | 'its bytes are read'
  | 'its bytes are of another type'
  | 'it arrives'
  | 'it is refused'
  | 'try again'
  | 'remove'
type Shown = 'none' | 'queued' | 'checking' | 'transferring' | 'failed' | 'refused' | 'done'
/** A form without the file has no machine for it. */
type Snapshot = {upload: UploadSnapshot | undefined}

const send = sender(uploadMachine)
const rule: FileRule = {types: ['image/png'], maxBytes: 1_000}
const chosen = (name = 'kite.png', type = 'image/png'): Snapshot => ({
  upload: initialTransition(uploadMachine, {
    parentRef: nobody,
    file: {id: 'kite', name, type, size: 3},
    field: 'image_urls',
    rule,
  })[0],
})

const shownBy = ({upload}: Snapshot): Shown =>
  // as: a file that was removed is not shown
  upload === undefined || upload.matches('discarded') ? 'none' : (upload.value as Shown)
const at =
  (...shown: Shown[]) =>
  (snapshot: Snapshot) =>
    shown.includes(shownBy(snapshot))
const then =
  (...events: Parameters<typeof send>[1][]) =>
  ({upload}: Snapshot): Snapshot => ({upload: upload && send(upload, ...events)})
const begun = () => then({type: 'upload.start'})(chosen())
const isRead = (output: ReturnType<typeof contentFault>) =>
  then({type: 'xstate.done.actor.checkContent', actorId: 'checkContent', output})

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => ({upload: undefined}),
  shownBy,
  effects: {
    choose: where(at('none'), begun),
    'choose one of another type': where(at('none'), () => chosen('notes.txt', 'text/plain')),
    'its bytes are read': where(at('checking'), isRead(undefined)),
    'its bytes are of another type': where(
      at('checking'),
      isRead(contentFault('image/png', new TextEncoder().encode('<script>'), rule.types)),
    ),
    'it arrives': where(
      at('transferring'),
      then(
        {type: 'upload.finished', url: 'https://foo.example/kite.png'},
        {type: 'xstate.done.actor.transfer', actorId: 'transfer'},
      ),
    ),
    'it is refused': where(
      at('transferring'),
      then({
        type: 'xstate.error.actor.transfer',
        actorId: 'transfer',
        error: {status: 500, code: 'api_error', detail: 'foo'},
      }),
    ),
    'try again': where(at('failed'), then({type: 'upload.retry'})),
    remove: where(at('checking', 'transferring', 'failed', 'refused', 'done'), then({type: 'upload.discard'})),
    // last: the others stay
    'choose while three others travel': where(at('none'), () => chosen()),
    'the others end': where(at('queued'), then({type: 'upload.start'})),
  },
}

type Hands = {page: Page; uploads: HeldRoute}

/** The first bytes of `kite.png` are read when the test says so, and as what it says. */
const holdReads = (page: Page) =>
  page.addInitScript(() => {
    const {slice} = Blob.prototype
    const reads: ((bytes?: ArrayBuffer) => void)[] = []
    Object.assign(window, {heldReads: reads})
    Blob.prototype.slice = function (this: Blob, ...range) {
      const part = slice.apply(this, range)
      if (!(this instanceof File) || this.name !== 'kite.png') return part
      const read = part.arrayBuffer.bind(part)
      part.arrayBuffer = () => new Promise((resolve) => reads.push((bytes) => resolve(bytes ?? read())))
      return part
    }
  })
const countReads = (page: Page) =>
  // as: `holdReads` put them there
  page.evaluate(() => (window as unknown as {heldReads: unknown[]}).heldReads.length)
const letRead = async (page: Page, words?: string) => {
  await expect.poll(() => countReads(page)).toBeGreaterThan(0)
  await page.evaluate((given) => {
    // as: see above
    const {heldReads} = window as unknown as {heldReads: ((bytes?: ArrayBuffer) => void)[]}
    for (const read of heldReads.splice(0))
      read(given === undefined ? undefined : new TextEncoder().encode(given).buffer)
  }, words)
}

const choose = (page: Page, ...names: string[]) =>
  settings(page)
    .locator('input[type=file]')
    .setInputFiles(
      names.map((name) => ({name, mimeType: name.endsWith('.png') ? 'image/png' : 'text/plain', buffer: pixel})),
    )
const removal = (page: Page) => settings(page).getByRole('button', {name: /^Remove (kite|notes)/})
const problem = (page: Page) => settings(page).getByRole('alert')

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  choose: ({page}) => choose(page, 'kite.png'),
  'choose one of another type': ({page}) => choose(page, 'notes.txt'),
  'choose while three others travel': async ({page, uploads}) => {
    await choose(page, 'one.png', 'two.png', 'three.png')
    await expect.poll(() => uploads.held).toBe(3)
    await choose(page, 'kite.png')
  },
  'the others end': ({uploads}) => letOnce(uploads, goOn),
  'its bytes are read': ({page}) => letRead(page),
  'its bytes are of another type': ({page}) => letRead(page, '<script>'),
  'it arrives': ({uploads}) => letOnce(uploads, goOn),
  'it is refused': ({uploads}) => letOnce(uploads, refuseWith(500, 'api_error')),
  'try again': ({page}) => settings(page).getByRole('button', {name: 'Try kite.png again'}).click(),
  remove: async ({page, uploads}) => {
    await removal(page).click()
    // the page gives up what is on its way
    await page.evaluate(() => {
      // as: see above
      const {heldReads} = window as unknown as {heldReads: unknown[]}
      heldReads.length = 0
    })
    uploads.hold()
  },
}

const tile = (page: Page): Locator => removal(page).locator('..')
const travels =
  ({reads, held, isPreviewed}: {reads: number; held: number; isPreviewed: boolean}) =>
  async ({page, uploads}: Hands) => {
    await expect(settings(page).getByRole('progressbar', {name: 'Uploading kite.png'})).toBeVisible()
    await expect.poll(async () => [await countReads(page), uploads.held], 'readings and uploads').toEqual([reads, held])
    // nothing is shown of bytes that nobody looked at
    await expect(tile(page).locator('img')).toHaveCount(isPreviewed ? 1 : 0)
    await expect(problem(page)).toHaveCount(0)
  }
const isOver =
  (isPreviewed: boolean, words: RegExp | undefined) =>
  async ({page}: Hands) => {
    await expect(removal(page)).toBeVisible()
    await expect(settings(page).getByRole('progressbar', {name: 'Uploading kite.png'})).toHaveCount(0)
    await expect(tile(page).locator('img')).toHaveCount(isPreviewed ? 1 : 0)
    await (words === undefined ? expect(problem(page)).toHaveCount(0) : expect(problem(page)).toContainText(words))
  }

const expected: {[Name in Shown]: (hands: Hands) => Promise<unknown>} = {
  none: async ({page}) => {
    await expect(removal(page)).toHaveCount(0)
    await expect(problem(page)).toHaveCount(0)
  },
  queued: travels({reads: 0, held: 3, isPreviewed: false}),
  checking: travels({reads: 1, held: 0, isPreviewed: false}),
  transferring: travels({reads: 0, held: 1, isPreviewed: true}),
  failed: async (hands) => {
    await isOver(false, /^kite\.png: /)(hands)
    await expect(hands.page.getByRole('button', {name: 'Try kite.png again'})).toBeVisible()
  },
  refused: async (hands) => {
    await isOver(false, /^(kite\.png: The file is not what its name says|notes\.txt: Only PNG, )/)(hands)
    await expect(hands.page.getByRole('button', {name: /^Try .* again$/})).toHaveCount(0)
  },
  done: isOver(true, undefined),
}

test('the walk passes every resting state of the machine', () => {
  const passed = statesPassed(chart, ({upload}) => upload?.value ?? 'discarded')
  expect(passed.filter((state) => state !== 'discarded')).toEqual(restingStates(uploadMachine))
})

test('the file of a form shows what the machine says, over every edge', long, async ({chat: page}) => {
  await holdReads(page)
  const uploads = await HeldRoute.on(page, /\/api\/v1\/files\//, 'POST')
  await openTool(page, '/nanobanana')
  await settings(page).getByRole('radio', {name: 'Edit'}).click()
  await walkPage(chart, {page, uploads}, {done, expected})
})
