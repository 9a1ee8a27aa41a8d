import {map, from, switchMap, type Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import type {FilesApi, UploadStreamEvent as TransferEvent} from '#api/files.ts'
import {contentFault, headLength, typeOfFile, type FileFault, type FileRule} from '#domain/file-rules.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile, Transfer} from '#machines/upload/upload.types.ts'

const missing = () => new ApiError({code: 'unknown', detail: 'The file is not there any more. Choose it again.'})

const toTransfer = (event: TransferEvent): Transfer =>
  event.type === 'upload.progressed' ? event : {type: 'upload.finished', url: event.file.file_url}

/** Fills the ports of an upload with the bytes that are held for it. */
export function createUploadLogic(openFiles: () => Promise<FilesApi>, fileOf: (id: string) => File | undefined) {
  return uploadMachine.provide({
    actors: {
      checkContent: fromPromise<FileFault | undefined, {file: ChosenFile; rule: FileRule}>(async ({input}) => {
        const file = fileOf(input.file.id)
        if (file === undefined) throw missing()
        const head = new Uint8Array(await file.slice(0, headLength).arrayBuffer())
        return contentFault(typeOfFile(input.file), head, input.rule.types)
      }),
      transfer: fromEventObservable<Transfer, {file: ChosenFile}>(({input}): Observable<Transfer> => {
        const file = fileOf(input.file.id)
        if (file === undefined) throw missing()
        return from(openFiles()).pipe(
          switchMap((files) => files.upload$(file)),
          map(toTransfer),
        )
      }),
    },
  })
}
export type UploadLogic = ReturnType<typeof createUploadLogic>
