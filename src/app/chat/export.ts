import {downloadZip} from 'client-zip'
import {fromEventObservable} from 'xstate'
import {fetchBlob} from '#api/fetch-blob.ts'
import {saveBlob} from '#browser/save-blob.ts'
import {distinctNames} from '#browser/zip-files.ts'
import {conversationTitle} from '#domain/conversation-title.ts'
import {
  attachmentsOf,
  fileNameFrom,
  toExportFile,
  toMarkdown,
  type ConversationTrees,
  type ExportForm,
  type ExportWords,
} from '#domain/conversation-file.ts'
import type {ConversationTree} from '#contract/imports.ts'
import {stays, type ConversationRecord} from '#domain/conversation.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {
  conversationExportMachine,
  type ConversationExportActor,
  type ExportFact,
  type SaveInput,
} from '#machines/conversation-export/conversation-export.machine.ts'
import {factsOf} from '../logic/reports-of-run.ts'
import {openNumberedPart} from '../logic/open-numbered-part.ts'
import type {Root} from '../logic/root.ts'
import {shownMessages} from './conversation-paths.ts'
import {createPendingDeletionsLogic} from './pending-deletions.ts'
import {givesTrees, readTrees} from './read-trees.ts'

type Export = {
  records: readonly ConversationRecord[]
  words: ExportWords
  /** Addresses of the user's own files; no other is asked for (security R03). */
  ownFiles: readonly string[]
  openChanges: ChatPorts['openChanges']
  root: Pick<Root, 'actor' | 'services' | 'actors'>
}
type Entry = {name: string; input: string | Blob}
/** Content that an attempt has read, for the next one if it fails. */
type ReadContent = {trees: Map<string, ConversationTree>; blobs: Map<string, Blob>}

const nameOf = (record: ConversationRecord, words: ExportWords) =>
  fileNameFrom(conversationTitle(record) || words.untitled)

/** The files of an export without its attachments. */
function documentsOf(
  {records, words}: Export,
  form: ExportForm,
  paths: ReadonlyMap<string, string>,
  trees: ConversationTrees,
): Entry[] {
  if (form === 'json')
    return [
      {
        name: 'conversations.json',
        input: `${JSON.stringify(toExportFile(records, new Date().toISOString(), paths, trees), null, 2)}\n`,
      },
    ]
  const names = distinctNames(records.map((record) => `${nameOf(record, words)}.md`))
  return records.map((record, index) => ({
    name: names[index] ?? 'conversation.md',
    input: toMarkdown(record, words, paths),
  }))
}

/** Reads the attachments one after the other, and saves one file or an archive. */
async function save(
  order: Export,
  {trees, blobs}: ReadContent,
  {form, isWithAttachments}: SaveInput,
  report: Report,
  signal: AbortSignal,
) {
  if (form === 'json' && givesTrees(order.root)) await readAll(order, trees, report, signal)
  const isOwn = ({url}: {url: string}) => order.ownFiles.some((prefix) => url.startsWith(prefix))
  // a text has one path of each
  const sources =
    form === 'json' ? [...order.records, ...trees.values()] : order.records.map(({messages}) => ({messages}))
  const files = isWithAttachments ? attachmentsOf(sources).filter(isOwn) : []
  if (files.length > 0) report({type: 'files.counted', total: files.length})
  const paths = new Map<string, string>()
  const entries: Entry[] = []
  const names = distinctNames(files.map(({name}) => name))
  for (const [index, {url, name}] of files.entries()) {
    const path = `files/${names[index] ?? name}`
    try {
      const blob = blobs.get(url) ?? (await fetchBlob(url, () => report({type: 'file.progressed'}), signal))
      blobs.set(url, blob)
      entries.push({name: path, input: blob})
      paths.set(url, path)
      report({type: 'file.packed'})
    } catch (error) {
      if (signal.aborted) throw error
      report({type: 'file.failed', name})
    }
  }
  const documents = documentsOf(order, form, paths, trees)
  const [first] = documents
  const base = order.records.length === 1 && order.records[0] ? nameOf(order.records[0], order.words) : 'conversations'
  if (first !== undefined && documents.length + entries.length === 1) {
    const type = form === 'json' ? 'application/json' : 'text/markdown'
    return saveBlob(new Blob([first.input], {type}), form === 'json' ? `${base}.json` : first.name)
  }
  const lastModified = new Date()
  const archive = await downloadZip([...documents, ...entries].map((entry) => ({...entry, lastModified}))).blob()
  if (!signal.aborted) saveBlob(archive, `${base}.zip`)
}
type Report = (fact: ExportFact) => void

const idsOf = (records: readonly ConversationRecord[]) => records.flatMap(({id}) => (id === undefined ? [] : [id]))

/** Reads the trees of conversations; of one that the server lacks the file has the page's messages. */
function readAll(
  {records, root}: Export,
  trees: ReadContent['trees'],
  report: Report,
  signal: AbortSignal,
): Promise<void> {
  const ids = idsOf(records)
  const reportRead = (read: number) => report({type: 'conversations.read', read, total: ids.length})
  return readTrees(root.services.chat, ids, {trees, report: reportRead, signal})
}

/**
 * Starts the export of these conversations, a part of their session; it asks for its form first.
 * @throws where there is no session
 */
export function startExport({records, ...parts}: Export): ConversationExportActor {
  // what was deleted is in no file, although it can still be taken back
  const {root, openChanges} = parts
  const withoutDeleted = {
    ...parts,
    records: records.map((record) => ({
      ...record,
      messages: shownMessages(root.actors.conversations(), record).filter(stays),
    })),
  }
  const hasAttachments = attachmentsOf(withoutDeleted.records).some(({url}) =>
    withoutDeleted.ownFiles.some((prefix) => url.startsWith(prefix)),
  )
  const content: ReadContent = {trees: new Map(), blobs: new Map()}
  const release = () => {
    content.trees.clear()
    content.blobs.clear()
  }
  const machine = conversationExportMachine.provide({
    actors: {
      pendingDeletions: createPendingDeletionsLogic(
        () => (givesTrees(root) ? root.actors.conversations() : undefined),
        openChanges,
      ),
      saveConversations: fromEventObservable<ExportFact, SaveInput>(({input}) =>
        factsOf(async (report, signal) => {
          if (input.attempt === 1) release()
          await save(withoutDeleted, content, input, report, signal)
          release()
        }),
      ),
    },
  })
  const input = {form: 'markdown', hasAttachments, conversations: idsOf(withoutDeleted.records)} as const
  const actor = openNumberedPart(root.actor.system, 'conversationExport', () => ({machine, input}))
  actor.subscribe({complete: release, error: release})
  return actor
}
