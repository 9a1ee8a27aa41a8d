import type {CreditsFact} from '#domain/credits.ts'
import type {Failure} from '#domain/failure.ts'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {SubmissionActor} from '#machines/submission/submission.machine.ts'
import type {PendingState, SubmissionFact} from '#machines/submission/submission.types.ts'
import type {PartInput} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'

/** `from` of the request that the form of the tool made last. */
export const fromForm = 'form'

/**
 * A request of the list. All of it is held by its submission. `from`: key of the card whose button was pressed, or
 * `fromForm`; the same press again is the same request. Another object whenever the submission has another state.
 */
export type ListedRequest = {key: string; from?: string | undefined; submission: SubmissionActor}

/** A request without a task as it is shown: read from the snapshot of its submission, and kept nowhere else. */
export type PendingTask = Intent & {state: PendingState; failure?: Failure | undefined}

export type TaskRequestsInput = PartInput & {environment: EnvironmentActor}

export type TaskRequestsContext = TaskRequestsInput & {
  /** Requests whose submission runs, oldest first: those without a task, and those that were accepted a moment ago. */
  requests: ListedRequest[]
  /** The key of a task that was sent from here, by its id: a card keeps its identity. */
  keys: Record<string, string>
  /**
   * Credits to pay with, perhaps known before the stored requests: `added`, if any were added since the page opened.
   */
  credits?: CreditsFact
}

export type TaskRequestsEvent =
  /** Sends a new request. */
  | {type: 'task.submit'; intent: Intent; from?: string}
  /** Requests that the page was left with. `now` in unix seconds of the server's clock. */
  | {type: 'requests.restored'; intents: StoredIntent[]; now: number}
  /** The list read tasks: one of them may be that of a request without an answer. */
  | {type: 'tasks.arrived'; records: readonly TaskRecord[]}
  /** The tool's set-up is ready, or needs the user. */
  | {type: 'provision.ready'}
  | {type: 'provision.missing'}
  | CreditsFact
  /** The user looks at the list, perhaps back from where credits are bought. */
  | {type: 'credits.look'}
  | SubmissionFact
  /** A submission broke. */
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}
