import type {Intent} from '#domain/intent.ts'
import type {SubmissionActor, SubmissionSnapshot} from './submission.machine.ts'
import {submissionId, type PendingState, type PendingTask, type TaskListContext} from './tasks.types.ts'

/** A list, as far as its requests go. */
type Listed = {
  context: Pick<TaskListContext, 'requests' | 'keys'>
  children: Partial<Record<string, unknown>>
}

const states: readonly PendingState[] = ['sending', 'offline', 'looking', 'unsure', 'rejected', 'usedUp']

const stateOf = (snapshot: SubmissionSnapshot): PendingState => {
  const isUnsent = snapshot.matches('saving') || snapshot.matches('preparing')
  if (isUnsent && !snapshot.context.isOnline) return 'offline'
  // a request that was accepted or discarded is not shown any more
  return states.find((state) => snapshot.hasTag(state)) ?? 'sending'
}

const shown = new WeakMap<Intent, PendingTask>()

/** A request as it is shown. The same object while nothing of it changes. */
export function selectRequest(snapshot: SubmissionSnapshot): PendingTask {
  const {intent, failure} = snapshot.context
  const state = stateOf(snapshot)
  const last = shown.get(intent)
  if (last?.state === state && last.failure === failure) return last
  const request = {...intent, state, failure}
  shown.set(intent, request)
  return request
}

/**
 * The requests of a list that have no task yet, oldest first, read from their submissions.
 * @param context where the list is between two snapshots, its context as it will be
 */
export function selectPending({children, ...listed}: Listed, context = listed.context): PendingTask[] {
  const joined = new Set(Object.values(context.keys))
  return context.requests.flatMap(({key}) => {
    // as: children are typed by id, and these ids are made at run time by the actions that spawn submissions
    const submission = children[submissionId(key)] as SubmissionActor | undefined
    return submission === undefined || joined.has(key) ? [] : [selectRequest(submission.getSnapshot())]
  })
}

/** The request with this key, while it has no task. */
export const selectPendingOf = (listed: Listed, key: string) => selectPending(listed).find((each) => each.key === key)
