import {Subject} from 'rxjs'
import {expect} from 'vitest'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import type {FileFault, FileRule} from '#domain/file-rules.ts'
import {draftFilesMachine} from '#machines/draft-files/draft-files.machine.ts'
import type {NewFile} from '#machines/draft-files/draft-files.types.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import type {ChosenFile, Transfer} from '#machines/upload/upload.types.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {eventually} from '../eventually.ts'

export const fileOf = (id: string, size = 3): NewFile => ({
  id,
  name: `${id}.pdf`,
  type: 'application/pdf',
  size,
  isImage: false,
  isPasted: false,
})

/** The files of a draft; the test says how their transfers go. */
export function startDraftFiles(largestFile?: number) {
  const transfers = new Map<string, Subject<Transfer>[]>()
  const transfersOf = (id: string) => transfers.get(id) ?? []
  const machine = draftFilesMachine.provide({
    actors: {
      upload: uploadMachine.provide({
        actors: {
          checkContent: fromPromise<FileFault | undefined, {file: ChosenFile; rule: FileRule}>(() =>
            Promise.resolve(undefined),
          ),
          transfer: fromEventObservable<Transfer, {file: ChosenFile}>(({input: {file}}) => {
            const transfer = new Subject<Transfer>()
            transfers.set(file.id, [...transfersOf(file.id), transfer])
            return transfer
          }),
        },
      }),
    },
  })
  const actor = stopAfterTest(createActor(machine, {input: {largestFile}}).start())
  const sent = async (id: string, count = 1) => {
    await eventually(() => expect(transfersOf(id)).toHaveLength(count))
    const transfer = transfersOf(id)[count - 1]
    if (transfer === undefined) throw new Error('Nothing was sent')
    return transfer
  }
  const finish = (transfer: Subject<Transfer>, url: string) => {
    transfer.next({type: 'upload.finished', url})
    transfer.complete()
  }
  return {actor, sent, finish, started: () => [...transfers.keys()], state: () => actor.getSnapshot().value}
}
