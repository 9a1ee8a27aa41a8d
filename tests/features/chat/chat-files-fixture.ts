import {of, type Observable} from 'rxjs'
import {createActor} from 'xstate'
import type {ElsewhereFact} from '#domain/lost-file.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {createDraftFilesLogic} from '#app/chat/draft-files.logic.ts'
import {openFiles} from '#features/chat/draft-files.ts'
import {createFilesPort} from '#features/chat/draft-files-port.ts'
import type {SendFile} from '#features/chat/attachment.ts'
import type {DraftFilesActor} from '#machines/draft-files/draft-files.machine.ts'
import type {DraftFilesEvent} from '#machines/draft-files/draft-files.types.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'

/**
 * Files of these drafts, uploaded so once they can be opened; `endSession` ends the session they belong to, and a fault
 * of the chart is what `breakFiles` makes.
 */
export function createFiles(
  upload: SendFile,
  drafts: ChatPorts['drafts'],
  largestFile?: number,
  canOpen: Promise<unknown> = Promise.resolve(),
  elsewhere$: (id: string) => Observable<ElsewhereFact> = () => of({type: 'elsewhere.gone'}),
) {
  const createLogic = createDraftFilesLogic(upload, elsewhere$)
  const started = new Set<DraftFilesActor>()
  let held = 0
  const known = new Set<string>()
  const ends: (string | undefined)[] = []
  const files = createFilesPort(async (call, opened) => {
    await canOpen
    return openFiles(
      {
        start(fileOf) {
          const actor = stopAfterTest(createActor(createLogic(fileOf), {input: {largestFile}}).start())
          started.add(actor)
          return actor
        },
        drafts,
        opened,
        askBeforeLeaving: () => {
          held += 1
          return () => void (held -= 1)
        },
        beginUpload(id) {
          known.add(id)
          return (url) => {
            known.delete(id)
            ends.push(url)
          }
        },
        groups: () => ['chatgpt', 'grok'],
      },
      call.key,
    )
  })
  return {
    files,
    endSession: () => started.forEach((actor) => actor.stop()),
    // as: no event breaks the chart that has the type of one
    breakFiles: () => started.forEach((actor) => actor.send({type: 'draft.followed'} as DraftFilesEvent)),
    asksBeforeLeaving: () => held > 0,
    /** How many uploads the other tabs know of, and the addresses that they were given at the end of each. */
    knownUploads: () => [known.size, ends] as const,
  }
}
