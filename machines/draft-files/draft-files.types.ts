import type {ChosenFile, UploadFact} from '#machines/upload/upload.types.ts'

/** A file that was added to an unsent message. Its bytes stay outside the chart; the ports find them under `id`. */
export type NewFile = ChosenFile & {
  isImage: boolean
  /** It was pasted as a long text. */
  isPasted: boolean
}

/** An attachment of an unsent message: uploaded once it has an address. One of the draft has no known type. */
export type DraftFile = {
  id: string
  name: string
  size?: number | undefined
  isImage: boolean
  isPasted: boolean
  /** Its rule or the server refused the file itself: it is shown with the reason, and takes no slot. */
  isRefused: boolean
  /** How its upload stands, until it has an address; one that the draft named has none. */
  upload?: 'queued' | 'running' | 'failed'
  /** Address of an uploaded file, or the name of one that an earlier page has lost. */
  url?: string
  /** The long text that it was pasted as, where its draft says so. */
  text?: string | undefined
}

/**
 * A file as a draft names it: uploaded, or lost with its page. `text`: the long text that it was pasted as. `id`:
 * the name of one that is not uploaded, the same in all tabs; drafts of earlier versions have none.
 */
export type FileReference = {
  url: string
  name: string
  size?: number | undefined
  text?: string | undefined
  id?: string | undefined
}

/** The largest file that the server takes, in bytes, where it says so. */
export type DraftFilesInput = {largestFile: number | undefined}

/** Why something that was added is no attachment; `names` of the files that found no room, in their order. */
export type LeftOut = {why: 'tooMany'; names: readonly string[]} | {why: 'folder'}

export type DraftFilesEvent =
  /** `hasFolders`: something else was dropped with them. */
  | {type: 'files.add'; files: readonly NewFile[]; hasFolders: boolean}
  | {type: 'file.retry'; id: string}
  | {type: 'file.remove'; id: string}
  /** The draft says which files are uploaded: other tabs write it as well. `ids`: for each, if it is new. */
  | {type: 'draft.followed'; references: readonly FileReference[]; ids: readonly string[]}
  /** More files came than a message may have; `names` of those that it does not get. */
  | {type: 'files.refused'; names: readonly string[]}
  /** Send was pressed while something held the message. */
  | {type: 'send.held'}
  /** The text of the message was changed in its field. */
  | {type: 'draft.edited'}
  /** The message was sent, or its files went to those of another draft. */
  | {type: 'draft.closed'}
  | UploadFact
