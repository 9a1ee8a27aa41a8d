import {Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import type {FileFault, FileRule} from '#domain/file-rules.ts'
import type {ElsewhereFact} from '#domain/lost-file.ts'
import type {SendFile} from '#features/chat/attachment.ts'
import {draftFilesMachine, type DraftFilesLogic} from '#machines/draft-files/draft-files.machine.ts'
import {lostFileMachine} from '#machines/lost-file/lost-file.machine.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile, Transfer} from '#machines/upload/upload.types.ts'

const transfer$ = (upload: SendFile, file: File) =>
  new Observable<Transfer>((subscriber) => {
    const leaving = new AbortController()
    const onProgress = (share: number) => subscriber.next({type: 'upload.progressed', percent: share * 100})
    let isOver = false
    const end = (tell: () => void) => {
      isOver = true
      tell()
    }
    upload(file, {signal: leaving.signal, onProgress}).then(
      ({url}) =>
        end(() => {
          subscriber.next({type: 'upload.finished', url})
          subscriber.complete()
        }),
      (error: unknown) => end(() => subscriber.error(error)),
    )
    return () => {
      if (!isOver) leaving.abort()
    }
  })

/**
 * Fills the ports of a draft's files, over the bytes that the page holds. What is in a file the server checks.
 * `elsewhere$`: how an upload of another tab stands.
 */
export const createDraftFilesLogic =
  (upload: SendFile, elsewhere$: (id: string) => Observable<ElsewhereFact>) =>
  (fileOf: (id: string) => File): DraftFilesLogic =>
    draftFilesMachine.provide({
      actors: {
        lostFile: lostFileMachine.provide({
          actors: {
            followElsewhere: fromEventObservable<ElsewhereFact, {id: string}>(({input}) => elsewhere$(input.id)),
          },
        }),
        upload: uploadMachine.provide({
          actors: {
            checkContent: fromPromise<FileFault | undefined, {file: ChosenFile; rule: FileRule}>(() =>
              Promise.resolve(undefined),
            ),
            transfer: fromEventObservable<Transfer, {file: ChosenFile}>(({input}) =>
              transfer$(upload, fileOf(input.file.id)),
            ),
          },
        }),
      },
    })
