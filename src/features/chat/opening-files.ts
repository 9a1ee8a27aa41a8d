import type {DraftFilesPort, FilesOpening} from './draft-files-port.ts'

type Opening = DraftFilesPort['opening']

/** Takes a file out that is still being opened; nothing waits for a call that opens none any more. */
export function withdrawFile(opening: Opening, call: FilesOpening, file: FilesOpening['files'][number]): void {
  call.files.splice(call.files.indexOf(file), 1)
  opening.set(opening.get().filter((each) => each !== call || call.files.length > 0))
}

/** How many files are being opened under a key. */
export const openingFiles = (opening: Opening, key: string): number =>
  opening.get().reduce((sum, call) => (call.key === key ? sum + call.files.length : sum), 0)

/** Moves the files that are being opened under one key to another. */
export function moveOpening(opening: Opening, from: string, to: string): void {
  for (const call of opening.get()) if (call.key === from) call.key = to
  opening.set([...opening.get()])
}

/** Nothing that is being opened under this key comes any more. */
export function withdrawFiles(opening: Opening, key: string): void {
  for (const call of opening.get()) if (call.key === key) call.files.splice(0)
  opening.set(opening.get().filter((call) => call.key !== key))
}
