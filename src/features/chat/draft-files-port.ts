import {createValueStore, type ValueStore} from '#browser/value-store.ts'
import type {OpenedFiles} from './draft-files.ts'
import type {Uploads} from './draft-uploads.ts'

/**
 * A call that opens the files of a draft and has not ended. `key`: of the draft, another one once it moved. `files`:
 * the new ones that come with it, in the array of who calls; one that the user takes out goes from it.
 */
export type FilesOpening = {key: string; files: {name: string}[]}

export type DraftFilesPort = {
  opened: ValueStore<OpenedFiles>
  /** Files that `open` has not opened yet: its code or the session is missing. */
  opening: ValueStore<readonly FilesOpening[]>
  /** `newFiles` are added then. */
  open: (draftKey: string, newFiles?: FilesOpening['files']) => Promise<Uploads>
}

/** The files of drafts, also those being opened: a message waits for its own. `load` reads the key, and may reject. */
export function createFilesPort(
  load: (call: {readonly key: string}, opened: ValueStore<OpenedFiles>) => Promise<Uploads>,
): DraftFilesPort {
  const openedFiles = createValueStore<OpenedFiles>(new Map())
  const opening = createValueStore<readonly FilesOpening[]>([])
  return {
    opened: openedFiles,
    opening,
    open(key, files = []) {
      const call = {key, files}
      opening.set([...opening.get(), call])
      return load(call, openedFiles).finally(() => opening.set(opening.get().filter((each) => each !== call)))
    },
  }
}
