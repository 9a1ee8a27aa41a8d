import {createValueStore, type ValueStore} from '#browser/value-store.ts'
import type {OpenedFiles} from './draft-files.ts'
import type {Uploads} from './draft-uploads.ts'

/** A call that opens the files of a draft and has not ended. `files`: the new ones that come with it. */
export type FilesOpening = {key: string; files: readonly {name: string}[]}

export type DraftFilesPort = {
  opened: ValueStore<OpenedFiles>
  /** What `open` has not opened yet: its code or the session is missing. */
  opening: ValueStore<readonly FilesOpening[]>
  /** `newFiles` are added then. */
  open: (draftKey: string, newFiles?: FilesOpening['files']) => Promise<Uploads>
}

/** The files of drafts, those that `load` is opening among them: a message waits for its own. Rejects as `load` does. */
export function createFilesPort(
  load: (key: string, opened: ValueStore<OpenedFiles>) => Promise<Uploads>,
): DraftFilesPort {
  const openedFiles = createValueStore<OpenedFiles>(new Map())
  const opening = createValueStore<readonly FilesOpening[]>([])
  return {
    opened: openedFiles,
    opening,
    open(key, files = []) {
      const call = {key, files}
      opening.set([...opening.get(), call])
      return load(key, openedFiles).finally(() => opening.set(opening.get().filter((each) => each !== call)))
    },
  }
}
