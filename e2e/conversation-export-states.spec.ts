import type {Page} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import type {ExportForm} from '#domain/conversation-file.ts'
import {conversationExportMachine} from '#machines/conversation-export/conversation-export.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {ended, row} from './support/chat-page.ts'
import {leavesOf, restingStates, sender, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'

/*
 * The dialog of an export shows what its machine says, over every edge of the graph generated from the machine: in both forms,
 * with attachments and without.
 */

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const title = 'Which colour?'
/** Attachments of the conversation, in the order in which they are read. */
const files = ['one.png', 'two.png'] as const

type Action =
  | 'choose Markdown'
  | 'choose JSON'
  | 'leave attachments out'
  | 'take attachments along'
  | 'export'
  | 'versions come'
  | 'versions are refused'
  | 'file comes'
  | 'file fails'
  | 'cancel'
  | 'reopen'
type Form = `${ExportForm}${'' | ' with attachments'}`
type Shown =
  | `${Form}: choosing`
  | `${Form}: saved`
  | `${ExportForm} with attachments: ${'reading' | 'one read' | 'one missing'}`
  | `${ExportForm} with attachments: saved, ${'one missing' | 'two missing'}`
  | `json${'' | ' with attachments'}: ${'asking for versions' | 'failed'}`
type Snapshot = {
  dialog: SnapshotFrom<typeof conversationExportMachine>
  /** JSON holds the versions of answers, which the server is asked for before the attachments. */
  isAsking: boolean
  /** Names of the files that were saved so far. */
  saved: readonly string[]
}

const send = sender(conversationExportMachine)
const open = (saved: readonly string[]): Snapshot => ({
  dialog: initialTransition(conversationExportMachine, {
    form: 'markdown',
    hasAttachments: true,
    conversations: ['c'],
  })[0],
  isAsking: false,
  saved,
})
const sent = (snapshot: Snapshot, ...events: Parameters<typeof send>[1][]): Snapshot => ({
  ...snapshot,
  dialog: send(snapshot.dialog, ...events),
})
const isPacking = ({dialog}: Snapshot) => dialog.matches('packing')
/** A copy of what the server has, of which nothing is deleted. */
const isCopied = ({dialog}: Snapshot) => dialog.matches({packing: 'deleting'})
const nothingDeleted = {type: 'xstate.done.actor.pendingDeletions', output: {failure: undefined}} as const
const isChoosing = ({dialog}: Snapshot) => dialog.matches('choosing')
const isReading = (snapshot: Snapshot) => isPacking(snapshot) && !snapshot.isAsking
const countRead = ({dialog: {context}}: Snapshot) => context.packed + context.missing.length

/** The file is saved once everything was read. */
function save(snapshot: Snapshot): Snapshot {
  const {form, isWithAttachments, packed} = snapshot.dialog.context
  if (isWithAttachments && countRead(snapshot) < files.length) return snapshot
  const end = packed > 0 ? 'zip' : form === 'json' ? 'json' : 'md'
  return {
    ...sent(snapshot, {type: 'xstate.done.actor.saveConversations'}),
    saved: [...snapshot.saved, `Which-colour.${end}`],
  }
}

const choose = (form: ExportForm) =>
  where<Snapshot>(
    (snapshot) => isChoosing(snapshot) && snapshot.dialog.context.form !== form,
    (snapshot) => sent(snapshot, {type: 'form.choose', form}),
  )
const take = (isWith: boolean) =>
  where<Snapshot>(
    (snapshot) => isChoosing(snapshot) && snapshot.dialog.context.isWithAttachments !== isWith,
    (snapshot) => sent(snapshot, {type: 'attachments.choose', isWith}),
  )

const chart: Chart<Snapshot, Action, Shown> = {
  start: () => open([]),
  effects: {
    'choose Markdown': choose('markdown'),
    'choose JSON': choose('json'),
    'leave attachments out': take(false),
    'take attachments along': take(true),
    export: where(
      (snapshot) => !isPacking(snapshot),
      (snapshot) => {
        const next = sent(snapshot, {type: 'export.start'})
        return isCopied(next) ? {...sent(next, nothingDeleted), isAsking: true} : save(next)
      },
    ),
    'versions come': where(
      ({isAsking}) => isAsking,
      (snapshot) => save({...snapshot, isAsking: false}),
    ),
    'versions are refused': where(
      ({isAsking}) => isAsking,
      (snapshot) => ({
        ...sent(snapshot, {type: 'xstate.error.actor.saveConversations', error: new Error('foo')}),
        isAsking: false,
      }),
    ),
    'file comes': where(isReading, (snapshot) => save(sent(snapshot, {type: 'file.packed'}))),
    'file fails': where(isReading, (snapshot) =>
      save(sent(snapshot, {type: 'file.failed', name: files[countRead(snapshot)] ?? ''})),
    ),
    cancel: where(isPacking, (snapshot) => ({...sent(snapshot, {type: 'export.cancel'}), isAsking: false})),
    reopen: ({saved}) => open(saved),
  },
  shownBy: (snapshot) => {
    const {dialog, isAsking} = snapshot
    const {form, isWithAttachments, packed, missing} = dialog.context
    const count = (['', 'one missing', 'two missing'] as const)[missing.length] ?? ''
    const state = isAsking
      ? 'asking for versions'
      : isReading(snapshot)
        ? packed > 0
          ? 'one read'
          : count || 'reading'
        : dialog.matches('saved') && count !== ''
          ? `saved, ${count}`
          : leavesOf(dialog.value)[0]
    // as: without attachments none is read, and the server is asked for JSON alone
    return `${form}${isWithAttachments ? ' with attachments' : ''}: ${state}` as Shown
  },
}

type Hands = {page: Page; versions: HeldRoute; attachments: HeldRoute; saved: string[]}
const dialog = ({page}: Hands) => page.getByRole('dialog', {name: 'Export a conversation'})
const button = (hands: Hands, name: string) => dialog(hands).getByRole('button', {name, exact: true})
const form = (hands: Hands, name: string) => dialog(hands).getByRole('radio', {name})
const box = (hands: Hands) => dialog(hands).getByRole('checkbox', {name: 'With attachments'})
/** A request that was left or comes again has an answer of its own. */
const holdAll = ({versions, attachments}: Hands) => {
  versions.hold()
  attachments.hold()
}
async function openDialog(page: Page) {
  await row(page, title).hover()
  await row(page, title)
    .getByRole('button', {name: `Actions for ${title}`})
    .click()
  await page.getByRole('menuitem', {name: 'Export…'}).click()
}

const done: {[Name in Action]: (hands: Hands) => Promise<unknown>} = {
  'choose Markdown': (hands) => form(hands, 'Markdown').check(),
  'choose JSON': (hands) => form(hands, 'JSON').check(),
  'leave attachments out': (hands) => box(hands).uncheck(),
  'take attachments along': (hands) => box(hands).check(),
  export: (hands) => button(hands, 'Export').click(),
  'versions come': ({versions}) => letOnce(versions, goOn),
  'versions are refused': ({versions}) => letOnce(versions, refuseWith(400, 'bad_request')),
  'file comes': ({attachments}) => letOnce(attachments, goOn),
  'file fails': ({attachments}) => letOnce(attachments, refuseWith(404, 'not_found')),
  cancel: async (hands) => {
    await button(hands, 'Cancel').click()
    holdAll(hands)
  },
  reopen: async (hands) => {
    await hands.page.keyboard.press('Escape')
    await expect(dialog(hands)).toHaveCount(0)
    holdAll(hands)
    await openDialog(hands.page)
  },
}

/** What is chosen, and whether it can be changed now. */
const hasChoice = async (hands: Hands, {dialog: {context}}: Snapshot, isOpen: boolean) => {
  await expect(form(hands, context.form === 'json' ? 'JSON' : 'Markdown')).toBeChecked()
  await expect(box(hands)).toBeChecked({checked: context.isWithAttachments})
  for (const choice of [form(hands, 'JSON'), form(hands, 'Markdown'), box(hands)])
    await expect(choice).toBeEnabled({enabled: isOpen})
}
const says = async (hands: Hands, status: string, alerts: string[] = []) => {
  // an empty one is hidden
  await expect(dialog(hands).getByRole('status').filter({hasText: /./})).toHaveText(status === '' ? [] : [status])
  await expect(dialog(hands).getByRole('alert')).toHaveText(alerts)
}
const hasSaved = (hands: Hands, {saved}: Snapshot) => expect.poll(() => hands.saved).toEqual(saved)

type Eyes = (hands: Hands, snapshot: Snapshot) => Promise<unknown>
const choosing: Eyes = async (hands, snapshot) => {
  await hasChoice(hands, snapshot, true)
  await says(hands, '')
  await expect(button(hands, 'Cancel')).toBeVisible()
  await hasSaved(hands, snapshot)
}
const packing =
  (held: 'versions' | 'attachments', read: number): Eyes =>
  async (hands, snapshot) => {
    await expect.poll(() => hands[held].held).toBe(1)
    await hasChoice(hands, snapshot, false)
    await says(hands, `Attachments read: ${read}`)
    await expect(button(hands, 'Export')).toHaveAttribute('aria-disabled', 'true')
    await hasSaved(hands, snapshot)
  }
/** What the saved file lacks; where nothing was saved, nothing is said of it. */
const missing = ({dialog: {context}}: Snapshot): string[] => {
  const names = context.missing.join(', ')
  if (context.missing.length === 0) return []
  return context.missing.length === 1
    ? [`1 attachment could not be read and keeps its link: ${names}`]
    : [`${context.missing.length} attachments could not be read and keep their links: ${names}`]
}
const saved: Eyes = async (hands, snapshot) => {
  await hasSaved(hands, snapshot)
  await hasChoice(hands, snapshot, false)
  await says(hands, 'Your file is saved.', missing(snapshot))
  await expect(button(hands, 'Close').last()).toBeVisible()
}
const failed: Eyes = async (hands, snapshot) => {
  await says(hands, '', ["The export didn't finish. Try again."])
  await expect(button(hands, 'Export')).toBeEnabled()
  await hasSaved(hands, snapshot)
}

const expected: {[Name in Shown]: Eyes} = {
  'markdown: choosing': choosing,
  'markdown with attachments: choosing': choosing,
  'json: choosing': choosing,
  'json with attachments: choosing': choosing,
  'json: asking for versions': packing('versions', 0),
  'json with attachments: asking for versions': packing('versions', 0),
  'markdown with attachments: reading': packing('attachments', 0),
  'json with attachments: reading': packing('attachments', 0),
  'markdown with attachments: one read': packing('attachments', 1),
  'json with attachments: one read': packing('attachments', 1),
  'markdown with attachments: one missing': packing('attachments', 0),
  'json with attachments: one missing': packing('attachments', 0),
  'markdown: saved': saved,
  'json: saved': saved,
  'markdown with attachments: saved': saved,
  'json with attachments: saved': saved,
  'markdown with attachments: saved, one missing': saved,
  'json with attachments: saved, one missing': saved,
  'markdown with attachments: saved, two missing': saved,
  'json with attachments: saved, two missing': saved,
  'json: failed': failed,
  'json with attachments: failed': failed,
}

test('the walk passes every resting state of the machine', () => {
  // chat-deletions.spec.ts looks at a file that waits for them
  const passed = statesPassed(chart, ({dialog: {value}}) => value)
  expect([...passed, 'packing.deleting'].sort()).toEqual(restingStates(conversationExportMachine))
})

test('the dialog shows what the machine says, over every edge', long, async ({chat: page, modelServer}) => {
  modelServer.answer('It is red.')
  for (const name of files) {
    await page.locator('input[type=file]').setInputFiles({name, mimeType: 'image/png', buffer: pixel})
    await expect(page.getByRole('button', {name: `Remove ${name}`})).toBeVisible()
  }
  await composer(page).fill(title)
  // once the files are there
  await expect(page.getByRole('button', {name: 'Send'})).toBeEnabled()
  await composer(page).press('Enter')
  await ended(page)
  const hands: Hands = {
    page,
    versions: await HeldRoute.on(
      page,
      '**/aichat/conversations',
      (request) => request.postData()?.includes('"action":"export"') === true,
    ),
    // the thread shows them as images too
    attachments: await HeldRoute.on(page, /\/files\/.*\.png/, (request) => request.resourceType() === 'fetch'),
    saved: [],
  }
  page.on('download', (file) => hands.saved.push(file.suggestedFilename()))
  await openDialog(page)
  await walkPage(chart, hands, {done, expected})
})
