import {createValueStore, type ValueStore} from '#browser/value-store.ts'
import type {OpenedFiles} from './draft-files.ts'
import type {Uploads} from './draft-uploads.ts'

/**
 * A call that opens the files of a draft and has not ended. `key`: of the draft, another one once it moved. `files`:
 * the new ones that come with it, in the array of who calls; one that the user takes out goes from it. `presses`: how
 * often Send was pressed since.
 */
export type FilesOpening = {key: string; files: {name: string}[]; presses: number}

export type DraftFilesPort = {
  opened: ValueStore<OpenedFiles>
  /** Files that `open` has not opened yet: its code or the session is missing. */
  opening: ValueStore<readonly FilesOpening[]>
  /** `newFiles` are those that `then` adds. */
  open: (draftKey: string, newFiles?: FilesOpening['files'], then?: (uploads: Uploads) => void) => Promise<Uploads>
  /** Send was pressed while they are being opened. */
  press: (draftKey: string) => void
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
    open(key, files = [], then) {
      const call = {key, files, presses: 0}
      opening.set([...opening.get(), call])
      return load(call, openedFiles)
        .then((uploads) => {
          then?.(uploads)
          if (call.presses > 0) uploads.press()
          return uploads
        })
        .finally(() => opening.set(opening.get().filter((each) => each !== call)))
    },
    press(key) {
      for (const call of opening.get()) if (call.key === key) call.presses += 1
      opening.set([...opening.get()])
    },
  }
}
