import type {ImportFileFault} from '#domain/import-file.ts'

/** A file that cannot be imported as a whole. */
export class ImportFileError extends Error {
  constructor(readonly fault: ImportFileFault) {
    super(`The file cannot be imported: ${fault}`)
  }
}
