import type {ActorRefFrom} from 'xstate'
import type {removalMachine} from '#machines/lib/removal.machine.ts'
import type {MessageChangesSnapshot} from './message-changes.machine.ts'
import {requestedChanges} from './message-changes.rules.ts'
import {removalId} from './message-changes.types.ts'

export const selectIsChanging = (snapshot: MessageChangesSnapshot) =>
  snapshot.matches('changing') || snapshot.matches('deleting')
/** The model that is about to be asked in a branch, chosen below this message. */
export const selectBranchModel = ({context}: MessageChangesSnapshot, message: string) =>
  requestedChanges(context).flatMap((change) =>
    change.action === 'askInBranch' && change.message === message ? change.model : [],
  )[0]
/** One of these versions of a message is about to be shown. */
export const selectIsPaging = ({context}: MessageChangesSnapshot, versions: readonly string[]) =>
  requestedChanges(context).some(
    ({action, message}) => (action === 'select' || action === 'visit') && versions.includes(message),
  )
/** A branch up to this message is being made. */
export const selectIsBranching = ({context}: MessageChangesSnapshot, message: string) =>
  requestedChanges(context).some((change) => change.action === 'branch' && change.message === message)
/** The failed change of this message, to be asked for again: a text, or the choice of a model, included. */
export const selectRetry = ({context: {failed}}: MessageChangesSnapshot, message: string) =>
  failed?.message === message && failed.change?.action !== 'edit' && failed.change?.action !== 'askInBranch'
    ? failed.change
    : undefined
/** The deletion that can be taken back or is on its way. */
export const selectRemovalActor = ({children}: MessageChangesSnapshot, message: string) =>
  // as: children are typed by id, and these ids are made at run time by the one action that spawns removals
  children[removalId(message)] as ActorRefFrom<typeof removalMachine> | undefined
/** How a message stands: deleted but to be taken back, on its way out or gone, or as it was. */
export function selectRemoval(snapshot: MessageChangesSnapshot, message: string): 'undoable' | 'gone' | undefined {
  const {removing, unconfirmed, removed} = snapshot.context
  if (removed.includes(message) || unconfirmed.includes(message)) return 'gone'
  if (!removing.includes(message)) return undefined
  if (snapshot.matches('deleting')) return 'gone'
  return selectRemovalActor(snapshot, message)?.getSnapshot().matches('undoable') === true ? 'undoable' : 'gone'
}
/** The last change failed below this message, and may have made a branch without its question. */
export const selectIsUnheard = ({context: {failed, unheard}}: MessageChangesSnapshot, message: string) =>
  failed?.message === message && failed.failure.lost === true && unheard.some((each) => each.message === message)
export const selectFailure = ({context: {failed}}: MessageChangesSnapshot, message: string) =>
  failed?.message === message ? failed.failure : undefined
