import {waitFor} from 'xstate'
import {askBeforeLeaving} from '#browser/ask-before-leaving.ts'
import {largestFileOf} from '#browser/files-config.ts'
import type {ValueStore} from '#browser/value-store.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {openFiles, type OpenedFiles} from '#features/chat/draft-files.ts'
import {enabledTools} from '#features/shell/tools.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {loadPart} from '#ui/load-part.ts'
import {openPart} from '../logic/open-part.ts'
import type {Root} from '../logic/root.ts'
import {createDraftFilesLogic} from './draft-files.logic.ts'

type DraftFilesWiring = Pick<ChatPorts, 'drafts'> & {
  root: Pick<Root, 'actor' | 'actors' | 'services'>
  opened: ValueStore<OpenedFiles>
}
type System = Root['actor']['system']

/** The first name that no draft with files has: a draft may change its key. */
function freeId(system: System, number = 1): string {
  const id = `draftFiles/${number}`
  return findActor(system, id) === undefined ? id : freeId(system, number + 1)
}

/**
 * The files of a draft in this session: the next user gets none of them. Before there is a session, they wait for it.
 * Rejects where the part breaks at once.
 */
export async function openDraftFiles({root, drafts, opened}: DraftFilesWiring, key: string) {
  const {system} = root.actor
  await waitFor(root.actor, () => root.actors.session() !== undefined)
  const createLogic = createDraftFilesLogic(async (...input) =>
    (await loadPart(() => import('./upload-file.ts'))).uploadFile(root.services.files)(...input),
  )
  return openFiles(
    {
      drafts,
      opened,
      askBeforeLeaving,
      start(fileOf) {
        const input = {largestFile: largestFileOf(document)}
        const files = openPart(system, freeId(system), () => ({machine: createLogic(fileOf), input}))
        if (files === undefined) throw new Error('No session has the files of this draft')
        return files
      },
      groups: () => {
        const site = root.actors.site()?.getSnapshot()
        const features = site && selectSite(site)?.features
        return enabledTools(features).flatMap((tool) => (tool.group === 'chat' ? [tool.id] : []))
      },
    },
    key,
  )
}
