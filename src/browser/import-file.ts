import {unzipRaw, type ZipEntry} from 'unzipit'
import {archivedPrefix, type ImportConversation, type ImportMessage} from '#domain/import-conversation.ts'
import {messageText} from '#domain/conversation.ts'
import {shortText} from '#domain/cut-text.ts'
import {partsOf, readImport, type ImportFileFault, type ImportItem} from '#domain/import-file.ts'
import type {ImportPreview} from '#domain/import-preview.ts'
import type {ImportRead} from '#domain/import-conversation.ts'
import {ImportFileError} from './import-file-error.ts'

/** Bytes of JSON that are read, from a file or unpacked from an archive; a longest text in memory is twice that. */
const mostJson = 256 * 1024 * 1024
/** Bytes of one attachment. */
const mostAttachment = 256 * 1024 * 1024
/** JSON files of an archive that are tried where none has the name of conversations. */
const mostCandidates = 20
const longestTitle = 80

export type OpenedImport = {
  preview: ImportPreview
  /** Names of the attachments that an archive brings along for a conversation. */
  files: (index: number) => string[]
  /** One of them. Rejects where it is damaged or too large. */
  file: (name: string) => Promise<File>
  /** A conversation as it is sent, with the addresses that its attachments have now; others are left out. */
  take: (index: number, addresses: ReadonlyMap<string, string>) => ImportItem[]
}

type Progress = (share: number) => void

/**
 * Opens an export file: JSON, or an archive with JSON and attachments. Nothing but what is asked for is unpacked, and
 * no more than the archive says.
 *
 * @throws {@link ImportFileError}
 */
export async function openImportFile(file: Blob, onProgress: Progress = () => undefined): Promise<OpenedImport> {
  const head = new Uint8Array(await file.slice(0, 4).arrayBuffer())
  const isArchive = head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)
  if (isArchive) return openArchive(file, onProgress)
  if (!mayBeJson(head)) throw new ImportFileError('unknown')
  if (file.size > mostJson) throw new ImportFileError('tooLarge')
  const reading = readImport(toJson(await readText(file.stream(), file.size, onProgress)))
  if ('fault' in reading) throw new ImportFileError(reading.fault)
  return open(reading, () => undefined)
}

/**
 * JSON of an export begins with a brace or a bracket, maybe behind white space or the mark of an encoding. Images, texts
 * and whatever else begins in another way are no damaged export.
 */
const mayBeJson = (head: Uint8Array): boolean =>
  /^(?:[\s{[]|\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff|$)/.test(String.fromCharCode(...head))

async function readText(stream: ReadableStream<Uint8Array>, size: number, onProgress: Progress): Promise<string> {
  const decoder = new TextDecoder('utf-8', {fatal: true})
  const reader = stream.getReader()
  const pieces: string[] = []
  let readBytes = 0
  try {
    for (;;) {
      const {done, value} = await reader.read()
      if (done) break
      readBytes += value.byteLength
      pieces.push(decoded(decoder, value))
      onProgress(size === 0 ? 1 : Math.min(1, readBytes / size))
    }
    return pieces.join('') + decoded(decoder)
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function decoded(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, {stream: true})
  } catch {
    throw new ImportFileError('notText')
  }
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown // the readers narrow it
  } catch {
    throw new ImportFileError('notJson')
  }
}

// ---- archives ---------------------------------------------------------------------------------------------------

async function openArchive(file: Blob, onProgress: Progress): Promise<OpenedImport> {
  const entries = await entriesOf(file)
  const candidates = candidatesOf(entries)
  const total = candidates.reduce((sum, {size}) => sum + size, 0)
  if (total > mostJson) throw new ImportFileError('tooLarge')
  const reads: {read: ImportRead; folder: string}[] = []
  let fault: ImportFileFault = 'unknown'
  let before = 0
  for (const entry of candidates) {
    const reading = await readEntry(entry, (share) => onProgress((before + share * entry.size) / Math.max(1, total)))
    before += entry.size
    if ('fault' in reading) fault = reading.fault === 'newer' ? reading.fault : fault
    else reads.push({read: reading, folder: entry.name.slice(0, entry.name.lastIndexOf('/') + 1)})
  }
  const [first] = reads
  if (first === undefined) throw new ImportFileError(fault)
  const same = reads.filter(({read}) => read.source === first.read.source).map(({read}) => read)
  return open(joinReads(first.read, same), finderOf(entries, first.folder))
}

async function entriesOf(file: Blob): Promise<ZipEntry[]> {
  try {
    const {entries} = await unzipRaw(file)
    return entries.filter(({isDirectory}) => !isDirectory)
  } catch {
    throw new ImportFileError('damaged')
  }
}

/** ChatGPT's archive holds other JSON too, and a large one its conversations in several files. */
function candidatesOf(entries: readonly ZipEntry[]): ZipEntry[] {
  const json = entries.filter(({name}) => /\.json$/i.test(name))
  const conversationFiles = json.filter(({name}) => /(^|\/)conversations[^/]*\.json$/i.test(name))
  return conversationFiles.length > 0 ? conversationFiles : json.slice(0, mostCandidates)
}

async function readEntry(entry: ZipEntry, onProgress: Progress): Promise<ImportRead | {fault: ImportFileFault}> {
  if (entry.encrypted) throw new ImportFileError('locked')
  try {
    return readImport(toJson(await readText(await entry.stream(), entry.size, onProgress)))
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw new ImportFileError('damaged')
    throw error
  }
}

function joinReads(first: ImportRead, all: readonly ImportRead[]): ImportRead {
  const conversations = new Map(
    all.flatMap((read) => read.conversations).map((conversation) => [conversation.source_id, conversation]),
  )
  return {source: first.source, conversations: [...conversations.values()], faulty: all.flatMap(({faulty}) => faulty)}
}

type Find = (name: string) => ZipEntry | undefined

/** By the name beside the JSON file, or by the id that begins names of ChatGPT's files. Names are never paths. */
function finderOf(entries: readonly ZipEntry[], folder: string): Find {
  const byName = new Map(entries.toReversed().map((entry) => [entry.name, entry]))
  const byId = new Map<string, ZipEntry>()
  for (const entry of entries) {
    const id = /(?:^|\/)(file[-_][A-Za-z0-9]+)/.exec(entry.name)?.[1]
    if (id !== undefined && !byId.has(id)) byId.set(id, entry)
  }
  return (name) => byName.get(folder + name) ?? byName.get(name) ?? byId.get(name)
}

// ---- what is opened ----------------------------------------------------------------------------------------------

type Item = Exclude<ImportMessage['content'], string>[number]

const addressOf = (item: Item) =>
  item.type === 'text' ? undefined : item.type === 'image_url' ? item.image_url : item.file_url

const archivedName = (item: Item): string | undefined => {
  const address = addressOf(item)
  return address?.startsWith(archivedPrefix) === true ? address.slice(archivedPrefix.length) : undefined
}

const itemsOf = ({messages}: ImportConversation): Item[] =>
  messages.flatMap(({content}) => (typeof content === 'string' ? [] : content))

const namesIn = (conversation: ImportConversation): string[] => [
  ...new Set(itemsOf(conversation).flatMap((item) => archivedName(item) ?? [])),
]

function titleOf({title, messages}: ImportConversation): string {
  const question = messages.find(({role}) => role === 'user')
  const text = title ?? (question === undefined ? '' : messageText(question.content))
  return shortText(text.replace(/\s+/g, ' ').trim(), longestTitle)
}

function open({source, conversations, faulty}: ImportRead, find: Find): OpenedImport {
  const at = (index: number): ImportConversation => {
    const conversation = conversations[index]
    if (conversation === undefined) throw new Error(`There is no conversation ${index}`)
    return conversation
  }
  const isThere = (name: string) => find(name) !== undefined
  return {
    preview: {
      source,
      conversations: conversations.map((conversation) => {
        const names = namesIn(conversation)
        const files = names.filter(isThere).length
        return {
          sourceId: conversation.source_id,
          title: titleOf(conversation),
          messages: conversation.messages.length,
          files,
          lost: conversation.lost + names.length - files,
          ...(conversation.leftOut !== undefined && {leftOut: conversation.leftOut}),
        }
      }),
      faulty,
    },
    files: (index) => namesIn(at(index)).filter(isThere),
    async file(name) {
      const entry = find(name)
      if (entry === undefined || entry.encrypted || entry.size > mostAttachment) throw new ImportFileError('tooLarge')
      return new File([await entry.blob()], fileNameOf(entry.name))
    },
    take: (index, addresses) => partsOf(withAddresses(at(index), addresses)),
  }
}

/** Without folders, and without the id that ChatGPT puts before a name. */
function fileNameOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.replace(/^file[-_][A-Za-z0-9]+[-_](?=.*\w)/, '') || 'file'
}

function withAddresses(conversation: ImportConversation, addresses: ReadonlyMap<string, string>): ImportConversation {
  const itemWith = (item: Item): Item[] => {
    const name = archivedName(item)
    if (name === undefined) return [item]
    const address = addresses.get(name)
    if (address === undefined) return []
    return [item.type === 'image_url' ? {type: 'image_url', image_url: address} : {type: 'file_url', file_url: address}]
  }
  const messages = conversation.messages.map((message) =>
    typeof message.content === 'string' ? message : {...message, content: message.content.flatMap(itemWith)},
  )
  return {...conversation, messages}
}
