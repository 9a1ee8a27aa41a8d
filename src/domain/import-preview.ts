import type {ImportSource} from '#contract/imports.ts'
import type {FaultyConversation} from './import-conversation.ts'
import type {ImportFileFault} from './import-file.ts'

/** The content of a file, as far as a user decides by it. A conversation is named by its index from here on. */
export type ImportPreview = {
  source: ImportSource
  conversations: {
    sourceId: string
    /** Empty where nothing names it. */
    title: string
    messages: number
    /** Attachments that the file brings along, and those that it only names. */
    files: number
    lost: number
    /** Parts of messages that have no form here. */
    leftOut?: number
  }[]
  faulty: FaultyConversation[]
}

/** Reports of a file that is read: each one before the last is progress, from 0 to 1. */
export type FileFact =
  | {type: 'file.progressed'; share: number}
  | {type: 'file.read'; preview: ImportPreview}
  | {type: 'file.refused'; fault: ImportFileFault}

/** The outcome of one conversation; `detail` says in the user's language why the server refused it. */
export type ImportResult = {
  index: number
  state: 'imported' | 'present' | 'refused'
  id?: string
  detail?: string
}

export type SendFact =
  | {type: 'conversations.sent'; results: ImportResult[]}
  /** The server has so many messages of a long conversation, and waits for the others. */
  | {type: 'part.sent'; index: number; messages: number}
  | {type: 'attachment.sent'}
  /** The rest of its conversation is imported. `detail`: of the server, empty where the file is damaged. */
  | {type: 'attachment.failed'; name: string; detail: string}
  /** A long upload is alive. */
  | {type: 'attachment.progressed'}
