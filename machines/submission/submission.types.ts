import type {CreditsFact} from '#domain/credits.ts'
import type {Failure} from '#domain/failure.ts'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {ListRef} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'

export const submissionId = (key: string) => `submission/${key}` as const

/**
 * How far a request without a task is. `sending`: on its way, also again. `offline`: it waits for the network.
 * `looking`: its answer was lost and it is looked for in the list. `unsure`: not found; nothing is sent again without
 * the user. `rejected`, `usedUp`: the server said no.
 */
export type PendingState = 'sending' | 'offline' | 'looking' | 'unsure' | 'rejected' | 'usedUp'

/**
 * `origin`: a `new` request, one `stored` by a page that was left, or one whose submission is `broken`. `now`: when a
 * stored one was read, in unix seconds of the server's clock.
 */
export type SubmissionInput = {
  parentRef: ParentRef<SubmissionFact>
  /** Takes the tasks that were read when the request was looked for, and reads the balance again. */
  list: ListRef
  environment: EnvironmentActor
  ref: ToolRef
  userId: string
  intent: StoredIntent
  origin: 'new' | 'stored' | 'broken'
  now?: number | undefined
}
export type SubmissionEvent =
  /** The user: the same request again, with the same key. */
  | {type: 'submission.retry'}
  | {type: 'submission.discard'}
  /** Tasks of the list that no request has become. */
  | {type: 'tasks.arrived'; records: readonly TaskRecord[]}
  /** The claimed task is this request's. */
  | {type: 'task.granted'}
  | CreditsFact
  /** The user looks at the list: there may be credits by now. */
  | {type: 'credits.look'}
  /** The tool's set-up is ready, or needs the user. */
  | {type: 'provision.ready'}
  | {type: 'provision.missing'}
  | {type: 'page.shown'}
  | {type: 'connection.lost'}
  | {type: 'connection.restored'}

/** Facts for the owner of a submission. */
export type SubmissionFact =
  /** Its state is another. */
  | {type: 'submission.changed'; key: string}
  /** Its answer was lost: its task may be in the list already. */
  | {type: 'submission.lost'; key: string}
  /** A task of the list looks like its own. The owner grants each task once. */
  | {type: 'task.claimed'; key: string; task: string}
  /** The server named its task. */
  | {type: 'submission.joined'; key: string; task: string}
  /** The submission has ended: discarded, or accepted a while ago. */
  | {type: 'submission.ended'; key: string}

/**
 * Facts of the tool's set-up, once it is ready. `repeats`: the server recognises a repeated key, so that sending twice
 * makes one task. `isHeld`: the call stays open until the task is done, since the server cannot answer earlier.
 * `isOld`: so old that the server may have forgotten its key. `now`: unix seconds of the server's clock.
 */
export type Preparation = {repeats: boolean; isHeld: boolean; isOld: boolean; now?: number}
export type TaskAcceptance = {task?: string}
export type FindInput = {ref: ToolRef; userId: string; intent: Intent}
export type PostInput = {ref: ToolRef; intent: Intent}

/** The first state of a submission; a stored one that was refused begins as refused. */
export type SubmissionOrigin = SubmissionInput['origin'] | NonNullable<StoredIntent['state']>

export type SubmissionContext = Omit<SubmissionInput, 'intent' | 'origin'> &
  Omit<Preparation, 'isOld'> & {
    intent: Intent
    origin: SubmissionOrigin
    /** Calls since the user last asked. */
    tries: number
    looks: number
    failure?: Failure | undefined
  }
