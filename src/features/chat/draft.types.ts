import type {ValueStore} from '#browser/value-store.ts'
import type {FileReference} from '#machines/draft-files/draft-files.types.ts'

/**
 * Text that was typed but not sent. `isAsked`: Send was pressed before the chat was ready; the question is sent as soon
 * as it is, unless it is changed or withdrawn first.
 */
export type Draft = {text: string; references: readonly FileReference[]; isAsked?: boolean}

/** Another tab changed, sent or emptied a draft that nobody changed here. `keys`: the names of its conversation. */
export type HeardDraft = {keys: readonly string[]; draft: Draft | undefined}

/** Read synchronously, written while typing. */
export type DraftStore = {
  read: (key: string) => Draft | undefined
  write: (key: string, draft: Draft | undefined) => void
  /** The draft was sent: it is removed in every tab that has the same one. */
  close: (key: string) => void
  /** The page is looked at again, or the stored drafts came late: an empty field gets the text that waits for it. */
  look: (key: string) => void
  /** Tells when the stored drafts have been read, or are overdue. */
  subscribe: (listener: () => void) => () => void
  /** The last one of another tab that replaced one here. */
  heard: Pick<ValueStore<HeardDraft | undefined>, 'get' | 'subscribe'>
}
