import {expect, type Page, type Request} from '@playwright/test'
import {initialTransition, type SnapshotFrom} from 'xstate'
import {conversationExportMachine} from '#machines/conversation-export/conversation-export.machine.ts'
import {row} from './chat-page.ts'
import {sender} from './chart-walk.ts'
import {HeldRoute} from './held-route.ts'

/* The dialog of an export, as its machine has it and as its page shows it. */

export type Snapshot = {
  dialog: SnapshotFrom<typeof conversationExportMachine>
  /** JSON holds the versions of answers, which the server is asked for before the attachments. */
  isAsking: boolean
  /** Names of the files that were saved so far. */
  saved: readonly string[]
}

const send = sender(conversationExportMachine)
export const open = (saved: readonly string[], hasAttachments = true): Snapshot => ({
  dialog: initialTransition(conversationExportMachine, {
    form: 'markdown',
    hasAttachments,
    conversations: ['c'],
  })[0],
  isAsking: false,
  saved,
})
export const sent = (snapshot: Snapshot, ...events: Parameters<typeof send>[1][]): Snapshot => ({
  ...snapshot,
  dialog: send(snapshot.dialog, ...events),
})
/** A copy of what the server has waits for what is deleted in it. */
export const isCopied = ({dialog}: Snapshot) => dialog.matches({packing: 'deleting'})
export const nothingDeleted = {type: 'xstate.done.actor.pendingDeletions', output: {failure: undefined}} as const

export type Hands = {page: Page; versions: HeldRoute; attachments: HeldRoute; saved: string[]}
export const dialog = ({page}: Hands) => page.getByRole('dialog', {name: 'Export a conversation'})
export const button = (hands: Hands, name: string) => dialog(hands).getByRole('button', {name, exact: true})
export const form = (hands: Hands, name: string) => dialog(hands).getByRole('radio', {name})
export const box = (hands: Hands) => dialog(hands).getByRole('checkbox', {name: 'With attachments'})
export async function openDialog(page: Page, name: string) {
  await row(page, name).hover()
  await row(page, name)
    .getByRole('button', {name: `Actions for ${name}`})
    .click()
  await page.getByRole('menuitem', {name: 'Export…'}).click()
}

export const isCommand = (action: string) => (request: Request) =>
  request.postData()?.includes(`"action":"${action}"`) === true

export async function openHands(page: Page): Promise<Hands> {
  const saved: string[] = []
  page.on('download', (file) => saved.push(file.suggestedFilename()))
  return {
    page,
    versions: await HeldRoute.on(page, '**/aichat/conversations', isCommand('export')),
    // the thread shows them as images too
    attachments: await HeldRoute.on(page, /\/files\/.*\.png/, (request) => request.resourceType() === 'fetch'),
    saved,
  }
}

/** Expects the chosen format, and whether it can be changed now. */
export const hasChoice = async (hands: Hands, {dialog: {context}}: Snapshot, isOpen: boolean) => {
  await expect(form(hands, context.form === 'json' ? 'JSON' : 'Markdown')).toBeChecked()
  await expect(box(hands)).toBeChecked({checked: context.isWithAttachments})
  for (const choice of [form(hands, 'JSON'), form(hands, 'Markdown'), box(hands)])
    await expect(choice).toBeEnabled({enabled: isOpen})
}
export const says = async (hands: Hands, status: string, alerts: string[] = []) => {
  // an empty one is hidden
  await expect(dialog(hands).getByRole('status').filter({hasText: /./})).toHaveText(status === '' ? [] : [status])
  await expect(dialog(hands).getByRole('alert')).toHaveText(alerts)
}
export const hasSaved = (hands: Hands, {saved}: Snapshot) => expect.poll(() => hands.saved).toEqual(saved)

export type Eyes = (hands: Hands, snapshot: Snapshot) => Promise<unknown>
export const choosing: Eyes = async (hands, snapshot) => {
  await hasChoice(hands, snapshot, true)
  await says(hands, '')
  await expect(button(hands, 'Cancel')).toBeVisible()
  await hasSaved(hands, snapshot)
}
/** Returns the sentence about attachments that the saved file lacks; none where it lacks nothing. */
const missing = ({dialog: {context}}: Snapshot): string[] => {
  if (context.missing.length === 0) return []
  return context.missing.length === 1
    ? ['1 attachment could not be read and keeps its link']
    : [`${context.missing.length} attachments could not be read and keep their links`]
}
export const saved: Eyes = async (hands, snapshot) => {
  await hasSaved(hands, snapshot)
  await hasChoice(hands, snapshot, true)
  await says(hands, 'Your file is saved.', missing(snapshot))
  await expect(dialog(hands).getByRole('listitem')).toHaveText(snapshot.dialog.context.missing)
  await expect(button(hands, 'Close').last()).toBeVisible()
}
export const failed: Eyes = async (hands, snapshot) => {
  await hasChoice(hands, snapshot, true)
  await says(hands, '', ["The export didn't finish. Try again."])
  await expect(button(hands, 'Export')).toBeEnabled()
  await hasSaved(hands, snapshot)
}
