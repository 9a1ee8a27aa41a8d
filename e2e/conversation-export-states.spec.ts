import type {ExportForm} from '#domain/conversation-file.ts'
import {conversationExportMachine} from '#machines/conversation-export/conversation-export.machine.ts'
import {composer, expect, test} from './fixtures.ts'
import {chooseAction, ended, lastMessage} from './support/chat-page.ts'
import {leavesOf, restingStates, statesPassed, walkPage, where, type Chart} from './support/chart-walk.ts'
import {
  box,
  button,
  choosing,
  dialog,
  failed,
  form,
  hasChoice,
  hasSaved,
  isCommand,
  isCopied,
  nothingDeleted,
  open,
  openDialog,
  openHands,
  saved,
  says,
  sent,
  type Eyes,
  type Hands,
  type Snapshot,
} from './support/export-dialog.ts'
import {doneWaiting, expectedWaiting, waitingChart} from './support/export-waiting.ts'
import {long} from './support/full-run.ts'
import {goOn, HeldRoute, letOnce, refuseWith} from './support/held-route.ts'
import {askAndRead} from './support/message-versions.ts'

/*
 * The dialog of an export shows what its machine says, over every edge of the graph generated from the machine: in both
 * forms, with attachments and without; and what it shows while a file waits for what was deleted in the conversation.
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
const isPacking = ({dialog}: Snapshot) => dialog.matches('packing')
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
    (snapshot) => !isPacking(snapshot) && snapshot.dialog.context.form !== form,
    (snapshot) => sent(snapshot, {type: 'form.choose', form}),
  )
const take = (isWith: boolean) =>
  where<Snapshot>(
    (snapshot) => !isPacking(snapshot) && snapshot.dialog.context.isWithAttachments !== isWith,
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

/** A request that was left or comes again has an answer of its own. */
const holdAll = ({versions, attachments}: Hands) => {
  versions.hold()
  attachments.hold()
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
    await openDialog(hands.page, title)
  },
}

const packing =
  (held: 'versions' | 'attachments', read: number): Eyes =>
  async (hands, snapshot) => {
    await expect.poll(() => hands[held].held).toBe(1)
    await hasChoice(hands, snapshot, false)
    const attachmentCount = `Attachments read: ${read} of ${files.length}`
    await says(hands, held === 'attachments' ? attachmentCount : 'Conversations read: 0 of 1')
    await expect(button(hands, 'Export')).toHaveAttribute('aria-disabled', 'true')
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
  'markdown with attachments: one missing': packing('attachments', 1),
  'json with attachments: one missing': packing('attachments', 1),
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

test('the walks pass every resting state of the machine', () => {
  const valueOf = ({dialog: {value}}: Snapshot) => value
  const passed = new Set([...statesPassed(chart, valueOf), ...statesPassed(waitingChart, valueOf)])
  expect([...passed].sort()).toEqual(restingStates(conversationExportMachine))
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
  const hands = await openHands(page)
  await openDialog(page, title)
  await walkPage(chart, hands, {done, expected})
})

test('a copy of what the server has waits for what was deleted, over every edge', long, async ({chat: page}) => {
  await askAndRead(page, 'one')
  const hands = await openHands(page)
  await hands.versions.let(goOn)
  const deletions = await HeldRoute.on(page, '**/aichat/conversations', isCommand('remove'))
  await chooseAction(lastMessage(page), 'Delete')
  await openDialog(page, 'one')
  await form(hands, 'JSON').check()
  await walkPage(waitingChart, {...hands, deletions}, {done: doneWaiting, expected: expectedWaiting})
})
