import type {FileReference} from '#machines/draft-files/draft-files.types.ts'

/**
 * Text that was typed but not sent. `isAsked`: Send was pressed before the chat was ready; the question is sent as soon
 * as it is, unless it is changed or withdrawn first.
 */
export type Draft = {text: string; references: readonly FileReference[]; isAsked?: boolean}

/** Read synchronously, written while typing. */
export type DraftStore = {
  read: (key: string) => Draft | undefined
  write: (key: string, draft: Draft | undefined) => void
}
