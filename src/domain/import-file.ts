import {isAtriumFile, isNewerAtriumFile, readAtrium} from './import-atrium.ts'
import {isChatgptFile, readChatgpt} from './import-chatgpt.ts'
import type {ImportConversation, ImportRead} from './import-conversation.ts'
import {isLobechatFile, readLobechat} from './import-lobechat.ts'
import {bytesOf, longestRequest} from './import-size.ts'

/** Why a whole file cannot be imported. */
export type ImportFileFault = 'unknown' | 'newer' | 'notJson' | 'notText' | 'tooLarge' | 'damaged' | 'locked'

/** Reads an export file, whichever app made it. It is recognised by what is in it. */
export function readImport(file: unknown): ImportRead | {fault: ImportFileFault} {
  if (isNewerAtriumFile(file)) return {fault: 'newer'}
  if (isAtriumFile(file)) return readAtrium(file)
  if (isLobechatFile(file)) return readLobechat(file)
  if (isChatgptFile(file)) return readChatgpt(file)
  return {fault: 'unknown'}
}

/** One conversation, or a part of a long one, as `import` takes it. */
export type ImportItem = Omit<ImportConversation, 'lost' | 'leftOut'> & {from: number; total: number}

/** A conversation in as few parts as requests can hold. */
export function partsOf({lost: _, leftOut: __, messages, ...facts}: ImportConversation): ImportItem[] {
  const parts: ImportItem[] = []
  let from = 0
  let bytes = 0
  const add = (end: number) => {
    parts.push({...facts, from, total: messages.length, messages: messages.slice(from, end)})
    from = end
    bytes = 0
  }
  for (const [index, message] of messages.entries()) {
    const size = bytesOf(message) + 1
    if (bytes + size > longestRequest && index > from) add(index)
    bytes += size
  }
  add(messages.length)
  return parts
}
