import {randomBytes} from 'node:crypto'
import {and, eq, inArray} from 'drizzle-orm'
import type {ChatMessage, ContentItem, MessageContent} from '#contract/chat.ts'
import {messageReferences, messageText} from '#domain/conversation.ts'
import type {SharedMessage} from '#contract/shares.ts'
import {filesPath} from '../platform/addresses.ts'
import {present} from '../platform/fields.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'
import type {SharedFile} from '../store/schema/shares.ts'

/*
 * The address of a file is a capability, so no snapshot holds one: shared files are named by marks, which become
 * addresses below the share when it is read, and end with it.
 */

const mark = 'atrium-share:'
const marks = /atrium-share:(?=[\w-]{22}\/)/g
/** Instead of a file that is not shared: no link and no image for any reader. */
const withheldMark = 'attachment:not-shared'
/** The beginning of an address of a file, whatever its origin: an installation has several. */
const beforeId = String.raw`(?:https?://[^\s/"'()<>[\]]+)?(?:/services/platform)?${filesPath}`
/** An address of a file up to its name. */
const fileAddresses = new RegExp(String.raw`${beforeId}([\w-]{22})/`, 'gi')
/** An address of a file, also one that a shortened title ends with. Other paths of that name are words of a question. */
const addressesInTitle = new RegExp(
  String.raw`${beforeId}(?:[\w-]{22}(?![\w-])[^\s"'()<>[\]\\]*|[\w-]{16,21}…?$)`,
  'gi',
)
const nameEnd = /[\s"'()<>[\]\\]|(?<![.,;:!?])[.,;:!?]+(?:\s|$)|$/

type SnapshotFile = {id: string; storedAs: string; name: string}
export type Snapshot = {messages: SharedMessage[]; files: SharedFile[]}

/**
 * The messages of a conversation for readers. Only files of the owner stay, and only with `attachments`; all other
 * addresses of files are removed.
 */
export async function takeSnapshot(
  transaction: Transaction,
  {userId, messages, attachments}: {userId: string; messages: readonly ChatMessage[]; attachments: boolean},
): Promise<Snapshot> {
  const own = attachments
    ? await ownFiles(transaction, userId, JSON.stringify(messages))
    : new Map<string, SnapshotFile>()
  const sharedFiles = new Map<string, SharedFile>()
  const share = ({id, storedAs, name}: SnapshotFile) => {
    const file = sharedFiles.get(id) ?? {handle: randomBytes(16).toString('base64url'), storedAs, name}
    sharedFiles.set(id, file)
    return `${mark}${file.handle}/${encodeURIComponent(name)}`
  }
  const withMarks = (text: string) => replaceAddresses(text, own, share)
  return {
    messages: messages
      .filter(({role}) => role !== 'system')
      .map((message) => toShared(message, attachments, withMarks)),
    files: [...sharedFiles.values()],
  }
}

/** A file in a text: its address in a conversation, and in a snapshot what stands for that. */
const fileInText = new RegExp([fileAddresses.source, marks.source, withheldMark].join('|'), 'i')

/**
 * Whether messages name a file, in a conversation or in its snapshot, shown or not. A snapshot does not tell a withheld
 * file of the owner from one that is gone or of another user, so these count everywhere.
 */
export const nameFiles = (
  messages: readonly (Pick<ChatMessage, 'role' | 'content'> & Pick<SharedMessage, 'withheld'>)[],
) =>
  messages.some(
    ({role, content, withheld}) =>
      role !== 'system' &&
      ((withheld ?? 0) > 0 || messageReferences(content).length > 0 || fileInText.test(messageText(content))),
  )

/** Whether a snapshot shows a file that is not of this installation: how long those are there it cannot know. */
export const showsForeignFiles = (messages: readonly Pick<SharedMessage, 'content'>[]) =>
  messages.some(({content}) => messageReferences(content).some((address) => !fileInText.test(address)))

function toShared(message: ChatMessage, attachments: boolean, withMarks: (text: string) => string): SharedMessage {
  const {role, content, state, outcome, model, sandbox, thought_ms} = message
  const withheld = attachments || typeof content === 'string' ? 0 : content.filter(({type}) => type !== 'text').length
  return {
    role,
    content: mapContent(content, attachments, withMarks),
    ...present({state, outcome, model, sandbox, thought_ms}),
    ...(withheld === 0 ? {} : {withheld}),
  }
}

function mapContent(content: MessageContent, attachments: boolean, change: (text: string) => string): MessageContent {
  if (typeof content === 'string') return change(content)
  return content.filter(({type}) => attachments || type === 'text').map((item) => mapItem(item, change))
}

function mapItem(item: ContentItem, change: (text: string) => string): ContentItem {
  const address = (url: string | {url: string}) => change(typeof url === 'string' ? url : url.url)
  switch (item.type) {
    case 'text':
      return {type: 'text', text: change(item.text)}
    case 'image_url':
      return {...item, image_url: address(item.image_url)}
    case 'file_url':
      return {...item, file_url: address(item.file_url)}
  }
}

async function ownFiles(transaction: Transaction, userId: string, text: string): Promise<Map<string, SnapshotFile>> {
  const ids = [...new Set([...text.matchAll(fileAddresses)].map(([, id = '']) => id))]
  if (ids.length === 0) return new Map()
  const rows = await transaction
    .select({id: files.id, storedAs: files.storedAs, name: files.name})
    .from(files)
    .where(and(eq(files.userId, userId), inArray(files.id, ids)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** The name behind an id ends where that of the file does; brackets may belong to it. */
function replaceAddresses(text: string, own: Map<string, SnapshotFile>, share: (file: SnapshotFile) => string): string {
  let [newText, end] = ['', 0]
  for (const match of text.matchAll(fileAddresses)) {
    // an address within the name of the one before it
    if (match.index < end) continue
    const after = match.index + match[0].length
    const file = own.get(match[1] ?? '')
    const rest = text.slice(after)
    const name = file && [encodeURIComponent(file.name), encodeURI(file.name)].find((each) => rest.startsWith(each))
    newText += text.slice(end, match.index) + (file === undefined ? withheldMark : share(file))
    end = after + (name?.length ?? rest.search(nameEnd))
  }
  return newText + text.slice(end)
}

/** A text as a title for readers, or its source: without addresses of files, which a line has no use for. */
export const titleForReaders = (text: string): string => text.replace(addressesInTitle, '').trim()

/** The messages with addresses of their files, which stand below `base`. */
export function withFileAddresses(messages: readonly SharedMessage[], base: string): SharedMessage[] {
  const change = (text: string) => text.replace(marks, () => `${base}/`)
  return messages.map((message) => ({...message, content: mapContent(message.content, true, change)}))
}
