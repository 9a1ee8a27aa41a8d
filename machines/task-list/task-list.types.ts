import type {ActorRef, Snapshot} from 'xstate'
import type {Task} from '#contract/task.ts'
import type {Failure} from '#domain/failure.ts'
import type {FavouriteMarks} from '#domain/merge-favourites.ts'
import type {StoredIntent} from '#domain/intent.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {TaskStatus} from '#domain/task-status.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {RemovalSettled} from '#machines/lib/removal.machine.ts'
import type {PeerReport, PollFact} from '#machines/task-poll/task-poll.types.ts'

/** A task of which the server said only that it runs. */
export type NamedTask = Pick<Task, 'id' | 'created_at'>

export type TaskListInput = {
  /** The tool of the list. */
  parentRef: ParentRef<TaskListFact>
  /** Shows what became of tasks. */
  session: ParentRef<TaskFact>
  environment: EnvironmentActor
  userId: string
  ref: ToolRef
}

export type TaskListEvent =
  /** A part of the list read tasks from the server. `total`: as the server counts all of them, when asked. */
  | {type: 'tasks.read'; records: readonly TaskRecord[]; total?: number}
  /** The task that is looked at (spec §3, `active`). */
  | {type: 'task.select'; id: string | undefined}
  /** Asks for running tasks now: after lost contact, a stalled task, a vanished one. */
  | {type: 'task.check'; id?: string}
  /** Takes a task off the list; its removal can be taken back for a while. */
  | {type: 'task.remove'; id: string}
  | {type: 'provision.ready'}
  | {type: 'provision.missing'}
  | {type: 'page.leaving'}
  | RequestsFact
  | PollFact
  | ({type: 'peer.polled'} & PeerReport)
  | RemovalSettled
  /** Raised by the list itself: other tasks run, or fewer. */
  | {type: 'running.changed'}
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}

/**
 * The tasks of one tool that this browser kept, and requests that had no task yet when the page was left. `now`: when
 * it was read, in unix seconds of the server's clock.
 */
export type CachedTasks = {
  records: TaskRecord[]
  total: number
  active?: string
  intents: StoredIntent[]
  favourites?: FavouriteMarks
  now: number
}

/** Tasks by their ids; `missing`: those that the server does not know. */
export type NamedTasks = {records: TaskRecord[]; missing: string[]}

/** One page of the server's list. */
export type TaskPage = {records: TaskRecord[]; total: number}
/** Tasks made exactly at either time belong to the page. */
export type PageInput = {
  ref: ToolRef
  userId: string
  createdAtMin?: number | undefined
  createdAtMax?: number | undefined
}

export type TaskListContext = TaskListInput & {
  /** Ascending by `created_at`, then id (spec §3). The same array while nothing changes. */
  items: TaskRecord[]
  /** As the server counts (spec §4). */
  total: number
  active?: string
  /** Ids the server does not know any more. */
  gone: string[]
  /** Ids of deletions that can be undone, or are on their way. */
  removing: string[]
  /** Those that cannot be taken back, and whose answer this page may not hear: it or an earlier one was left. */
  unconfirmed: string[]
  removed: string[]
}

/** The list as its parts see it: its tasks, whether calls can be made, and where they send results. */
export type ListRef = ActorRef<
  Snapshot<unknown> & {
    context: Pick<TaskListContext, 'items' | 'removing' | 'removed'>
    hasTag: (tag: 'ready' | 'missing') => boolean
  },
  RequestsFact | {type: 'tasks.read'; records: readonly TaskRecord[]; total?: number}
>
/** The input of each part of a list. */
export type PartInput = {list: ListRef; ref: ToolRef; userId: string}

/** Facts of `requests` and its submissions for the list. */
export type RequestsFact =
  /** A request has another state, or there is one more or less. */
  | {type: 'requests.changed'}
  /** The server named the task of the request with this key. */
  | {type: 'request.joined'; key: string; task: NamedTask & {request: Record<string, unknown>}}
  /** The answer to a request was lost: its task may be in the server's list already. */
  | {type: 'request.lost'}
  /** A request waits for credits, and the user looks: there may be some by now. */
  | {type: 'request.waiting'}

/** Facts of a list for its tool. */
export type TaskListFact =
  /** The tray may have to change. `running`: number of tasks and requests that proceed without the user. */
  | {type: 'list.changed'; tool: string; running: number}
  /** Something was charged, or the user waits for credits or set-up: there may be others by now. */
  | {type: 'balance.check'}

/** Reports about tasks that the session shows. */
export type TaskFact =
  /** A task came to its end during this session. */
  | {type: 'task.settled'; tool: string; id: string; status: TaskStatus}
  | {type: 'task.gone'; tool: string; id: string}
  /** `isDue`: it had started and is charged all the same. */
  | {type: 'task.removed'; tool: string; id: string; isDue: boolean}
  | {type: 'task.removeFailed'; tool: string; id: string; failure: Failure}
  /** A task could not be shown: the server does not know it, or could not be asked. */
  | {type: 'task.unfound'; tool: string; id: string; failure: Failure}

/** Child id and system id: the undo of a notice finds it. */
export const taskRemovalId = (tool: string, id: string) => `removal/${tool}/${id}` as const
