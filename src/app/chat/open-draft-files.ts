import {waitFor} from 'xstate'
import {sleep} from '#api/deadline.ts'
import {askBeforeLeaving} from '#browser/ask-before-leaving.ts'
import {largestFileOf} from '#browser/files-config.ts'
import {createUploadsElsewhere} from '#browser/uploads-elsewhere.ts'
import type {ValueStore} from '#browser/value-store.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {openFiles, type OpenedFiles} from '#features/chat/draft-files.ts'
import {enabledTools} from '#features/shell/tools.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {loadPart} from '#ui/load-part.ts'
import {openNumberedPart} from '../logic/open-numbered-part.ts'
import type {Root} from '../logic/root.ts'
import {createDraftFilesLogic} from './draft-files.logic.ts'

type DraftFilesWiring = Pick<ChatPorts, 'drafts'> & {
  root: Pick<Root, 'actor' | 'actors' | 'services'>
  opened: ValueStore<OpenedFiles>
}

/**
 * The files of a draft in this session: the next user gets none of them. Before there is a session, they wait for it.
 * Rejects where the part breaks at once.
 */
export async function openDraftFiles({root, drafts, opened}: DraftFilesWiring, call: {readonly key: string}) {
  const {system} = root.actor
  await waitFor(root.actor, () => root.actors.session() !== undefined)
  const elsewhere = createUploadsElsewhere({
    locks: navigator.locks,
    createChannel: typeof BroadcastChannel === 'undefined' ? undefined : (name) => new BroadcastChannel(name),
    sleep,
  })
  const createLogic = createDraftFilesLogic(
    async (...input) => (await loadPart(() => import('./upload-file.ts'))).uploadFile(root.services.files)(...input),
    elsewhere.elsewhere$,
  )
  return openFiles(
    {
      drafts,
      opened,
      askBeforeLeaving,
      beginUpload: elsewhere.begin,
      start(fileOf) {
        const input = {largestFile: largestFileOf(document)}
        // a draft may change its key: a number is no part of it
        return openNumberedPart(system, 'draftFiles', () => ({machine: createLogic(fileOf), input}))
      },
      groups: () => {
        const site = root.actors.site()?.getSnapshot()
        const features = site && selectSite(site)?.features
        return enabledTools(features).flatMap((tool) => (tool.group === 'chat' ? [tool.id] : []))
      },
    },
    call.key,
  )
}
