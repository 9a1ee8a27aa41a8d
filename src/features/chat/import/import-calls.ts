import type {ImportFileFault, ImportItem} from '#domain/import-file.ts'
import type {ImportPreview} from '#domain/import-preview.ts'

/** Calls from the page to the worker that reads a file of conversations. */
export type ImportCall =
  | {type: 'open'; file: Blob}
  | {type: 'files'; index: number}
  | {type: 'file'; name: string}
  | {type: 'take'; index: number; addresses: [name: string, address: string][]}

type Answers = {open: ImportPreview; files: string[]; file: File; take: ImportItem[]}
export type ImportCallAnswer<Type extends ImportCall['type']> = Answers[Type]

/** The answer to the call with this id, or how far it is. */
export type ImportReply =
  | {id: number; share: number}
  | {id: number; answer: Answers[ImportCall['type']]}
  | {id: number; fault: ImportFileFault | undefined; message: string}
