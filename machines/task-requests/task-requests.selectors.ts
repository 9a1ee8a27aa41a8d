import {weakMapMemoize} from 'reselect'
import type {Failure} from '#domain/failure.ts'
import type {Intent} from '#domain/intent.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import type {SubmissionSnapshot} from '#machines/submission/submission.machine.ts'
import type {PendingState} from '#machines/submission/submission.types.ts'
import {formRequest, pendingOf} from './task-requests.rules.ts'
import type {PendingTask} from './task-requests.types.ts'
import type {TaskRequestsSnapshot} from './task-requests.machine.ts'

const states: readonly PendingState[] = ['sending', 'offline', 'looking', 'unsure', 'rejected', 'usedUp']

const stateOf = (snapshot: SubmissionSnapshot): PendingState => {
  if (snapshot.hasTag('unsent') && !selectIsOnline(snapshot.context.environment.getSnapshot())) return 'offline'
  // a request that was accepted or discarded is not shown any more
  return states.find((state) => snapshot.hasTag(state)) ?? 'sending'
}

const pendingTask = weakMapMemoize(
  (intent: Intent, state: PendingState, failure: Failure | undefined): PendingTask => ({...intent, state, failure}),
)

/** A request for the views. The same object while its content does not change. */
export const selectRequest = (snapshot: SubmissionSnapshot): PendingTask =>
  pendingTask(snapshot.context.intent, stateOf(snapshot), snapshot.context.failure)

/** The actor of a request that has no task yet: what the user does about the request is sent there. */
export const selectSubmission = ({context}: TaskRequestsSnapshot, key: string) => pendingOf(context, key)?.submission

/** Requests that have no task yet, oldest first, read from their submissions. */
export function selectPendingRequests({context: {requests, keys}}: TaskRequestsSnapshot): PendingTask[] {
  const joinedKeys = new Set(Object.values(keys))
  return requests.filter(({key}) => !joinedKeys.has(key)).map(({submission}) => selectRequest(submission.getSnapshot()))
}

/** The last request of the form, while it has no task and the form made no other. */
export function selectFormRequest({context}: TaskRequestsSnapshot): PendingTask | undefined {
  const request = pendingOf(context, formRequest(context)?.key ?? '')
  return request && selectRequest(request.submission.getSnapshot())
}
