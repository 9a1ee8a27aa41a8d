/** An uploaded attachment. */
export type UploadedReference = {url: string; name: string; size: number | undefined}

/**
 * Text that was typed but not sent. `isAsked`: Send was pressed before the chat was ready; the question is sent as soon
 * as it is, unless it is changed or withdrawn first.
 */
export type Draft = {text: string; references: readonly UploadedReference[]; isAsked?: boolean}

/** Read synchronously, written while typing. */
export type DraftStore = {
  read: (key: string) => Draft | undefined
  write: (key: string, draft: Draft | undefined) => void
}
