import {fromEventObservable, fromPromise, type AnyActorRef} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import {ImportFileError} from '#browser/import-file-error.ts'
import type {Tabs} from '#browser/tabs.ts'
import {importAnswer, importedAnswer, mostImported, mostImportKeys, type ImportAnswer} from '#contract/imports.ts'
import {toFailure} from '#domain/failure.ts'
import type {ImportItem} from '#domain/import-file.ts'
import type {FileFact, ImportPreview, ImportResult, SendFact} from '#domain/import-preview.ts'
import {bytesOf, longestRequest} from '#domain/import-size.ts'
import {
  conversationImportMachine,
  type ConversationImportActor,
  type PresentConversations,
  type SendInput,
} from '#machines/conversation-import/conversation-import.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import {loadPart} from '#ui/load-part.ts'
import {factsOf} from '../logic/reports-of-run.ts'
import {openNumberedPart} from '../logic/open-numbered-part.ts'
import type {Services} from '../logic/services.ts'
import {createImportWorker, type ImportWorker} from './import-worker.ts'

type ImportDeps = {
  system: AnyActorRef['system']
  services: Pick<Services, 'chat' | 'files'>
  scriptUrl: (url: string) => string
  environment: EnvironmentActor
  list: () => ConversationListActor | undefined
  tabs: Pick<Tabs, 'tell'>
}

export type ConversationImport = {
  actor: ConversationImportActor
  /** Reads this file, instead of the one before. */
  choose: (file: File) => void
  end: () => void
}

/**
 * Starts an import, a part of the session, which waits for its file.
 * @throws where there is no session
 */
export function createImport({system, services, scriptUrl, environment, list, tabs}: ImportDeps): ConversationImport {
  const worker = createImportWorker(scriptUrl)
  let file: File | undefined
  // of this file: a second attempt does not upload again
  let addresses = new Map<string, string>()
  const unsent = new Map<string, File>()
  const release = () => {
    file = undefined
    addresses = new Map()
    unsent.clear()
    worker.end('The file is not needed any more')
  }
  const machine = conversationImportMachine.provide({
    actors: {
      readFile: fromEventObservable<FileFact, undefined>(() => factsOf((report) => read(worker, file, report))),
      findPresent: fromPromise<PresentConversations, {preview: ImportPreview | undefined}>(({input, signal}) =>
        findPresent(services, input.preview, signal),
      ),
      sendConversations: fromEventObservable<SendFact, SendInput>(({input: {indices, parts}}) =>
        factsOf((report, signal) => send({services, worker, addresses, unsent, parts, report, signal}, indices)),
      ),
    },
    actions: {
      tellImported: () => {
        list()?.send({type: 'conversations.refresh'})
        tabs.tell({type: 'conversations.refresh'})
      },
      releaseFile: release,
    },
  })
  const actor = openNumberedPart(system, 'conversationImport', () => ({machine, input: {environment}}))
  actor.subscribe({complete: release, error: release})
  return {
    actor,
    choose: (next) => {
      release()
      file = next
      actor.send({type: 'file.choose', name: next.name})
    },
    end: () => {
      if (actor.getSnapshot().status === 'active') actor.send({type: 'dialog.closed'})
    },
  }
}

async function read(worker: ImportWorker, file: File | undefined, report: (fact: FileFact) => void): Promise<void> {
  if (file === undefined) return
  try {
    const preview = await worker.call({type: 'open', file}, (share) => report({type: 'file.progressed', share}))
    report({type: 'file.read', preview})
  } catch (error) {
    // a worker that breaks has run out of memory, or cannot read the disk
    report({type: 'file.refused', fault: error instanceof ImportFileError ? error.fault : 'damaged'})
  }
}

async function findPresent(
  {chat}: ImportDeps['services'],
  preview: ImportPreview | undefined,
  signal: AbortSignal,
): Promise<PresentConversations> {
  const {source, conversations = []} = preview ?? {}
  const keys = conversations.map(({sourceId}) => ({source, source_id: sourceId}))
  const present: [string, string][] = []
  for (let index = 0; index < keys.length; index += mostImportKeys) {
    const body = {action: 'imported', items: keys.slice(index, index + mostImportKeys)}
    const {items} = await chat.command(importedAnswer, body, {isRead: true, signal})
    present.push(...items.map(({source_id: sourceId, id}): [string, string] => [sourceId, id]))
  }
  return Object.fromEntries(present)
}

type Sending = {
  services: ImportDeps['services']
  worker: ImportWorker
  addresses: Map<string, string>
  /** Attachments whose upload was cut off: as the same object, the next attempt is the same upload. */
  unsent: Map<string, File>
  parts: SendInput['parts']
  report: (fact: SendFact) => void
  signal: AbortSignal
}
type Batch = {index: number; item: ImportItem}[]

/** Sends conversations in order, several in a request as long as they are short, a long one in parts. */
async function send(sending: Sending, indices: readonly number[]): Promise<void> {
  let batch: Batch = []
  let bytes = 0
  const flush = async () => {
    if (batch.length > 0) await sendBatch(sending, batch)
    batch = []
    bytes = 0
  }
  for (const index of indices) {
    sending.signal.throwIfAborted()
    const addresses = await upload(sending, index)
    const items = await sending.worker.call({type: 'take', index, addresses})
    const size = items.length > 1 ? longestRequest : bytesOf(items)
    if (bytes + size > longestRequest || batch.length >= mostImported) await flush()
    if (items.length > 1) await sendParts(sending, index, items)
    else batch.push(...items.map((item) => ({index, item})))
    bytes += items.length > 1 ? 0 : size
  }
  await flush()
}

const post = ({services, signal}: Sending, items: readonly ImportItem[]): Promise<ImportAnswer> =>
  services.chat.command(importAnswer, {action: 'import', items}, {signal})

async function sendBatch(sending: Sending, batch: Batch): Promise<void> {
  const {items} = await post(
    sending,
    batch.map(({item}) => item),
  )
  const results = batch.map(({index}, at) => resultOf(index, items[at]))
  sending.report({type: 'conversations.sent', results})
}

/**
 * Sends the parts that the server does not have. The first answer other than `partial` is the result of the
 * conversation; if the server has lost the earlier parts, it starts again.
 */
async function sendParts(sending: Sending, index: number, parts: readonly ImportItem[]): Promise<void> {
  const storedCount = sending.parts[index] ?? 0
  const first = Math.max(
    0,
    parts.findIndex(({from}) => from === storedCount),
  )
  for (const part of parts.slice(first)) {
    const {items} = await post(sending, [part])
    const [answer] = items
    if (answer?.state === 'partial') {
      sending.report({type: 'part.sent', index, messages: part.from + part.messages.length})
      continue
    }
    if (first > 0 && answer?.state === 'refused' && answer.code === 'duplication')
      return sendParts({...sending, parts: {}}, index, parts)
    sending.report({type: 'conversations.sent', results: [resultOf(index, answer)]})
    return
  }
  throw new Error('The server waits for parts of a conversation that there are not')
}

function resultOf(index: number, answer: ImportAnswer['items'][number] | undefined): ImportResult {
  if (answer === undefined || answer.state === 'partial') return {index, state: 'refused'}
  return {
    index,
    state: answer.state,
    ...(answer.id == null ? {} : {id: answer.id}),
    ...(answer.detail == null ? {} : {detail: answer.detail}),
  }
}

/**
 * Uploads the attachments of a conversation that are not there yet, and answers with their addresses. One that is
 * refused is left out, and named.
 */
async function upload(
  {services, worker, addresses, unsent, report, signal}: Sending,
  index: number,
): Promise<[name: string, address: string][]> {
  const names = await worker.call({type: 'files', index})
  if (names.length === 0) return []
  const uploadFile = (await loadPart(() => import('./upload-file.ts'))).uploadFile(services.files)
  for (const name of names) {
    if (addresses.has(name)) continue
    try {
      const file = unsent.get(name) ?? (await worker.call({type: 'file', name}))
      unsent.set(name, file)
      const {url} = await uploadFile(file, {onProgress: () => report({type: 'attachment.progressed'}), signal})
      addresses.set(name, url)
      unsent.delete(name)
      report({type: 'attachment.sent'})
    } catch (error) {
      const failure = toFailure(error)
      const isRefusal = error instanceof ApiError && failure.status !== undefined && failure.status < 500
      const isUnreadable = !(error instanceof ApiError) && !signal.aborted
      if (failure.status === 429 || failure.status === 401 || !(isRefusal || isUnreadable)) throw error
      const shortName = name.slice(name.lastIndexOf('/') + 1)
      report({type: 'attachment.failed', name: shortName, detail: isRefusal ? failure.detail : ''})
    }
  }
  return names.flatMap((name): [string, string][] => {
    const address = addresses.get(name)
    return address === undefined ? [] : [[name, address]]
  })
}
