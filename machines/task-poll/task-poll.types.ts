import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'

/** Reports of the poller of a service to its list. */
export type PollFact =
  | {type: 'tasks.polled'; records: TaskRecord[]}
  | {type: 'tasks.gone'; ids: string[]}
  | {type: 'contact.lost'}

/** `parentRef`: the list of the tool. */
export type TaskPollInput = {
  parentRef: ParentRef<PollFact>
  environment: EnvironmentActor
  userId: string
  ref: ToolRef
}

/**
 * The report of the polling tab after each question. `watched`: the ids that it looks after; `gone`: those the server
 * does not know any more; `nextIn`: milliseconds until its next question.
 */
export type PeerReport = {
  records: TaskRecord[]
  watched: string[]
  gone: string[]
  isHidden: boolean
  isLost: boolean
  nextIn: number
}

export type PeerMessage = {ref: ToolRef; userId: string; report: PeerReport}

export type TaskPollEvent =
  /** The ids of running tasks. None: polling ends. */
  | {type: 'tasks.watch'; ids: string[]}
  /** Ask now. */
  | {type: 'tasks.check'}
  /** This tab polls for all tabs of the browser, or no longer does. */
  | {type: 'leader.won'}
  | {type: 'leader.lost'}
  /** Another tab polled. */
  | ({type: 'peer.polled'} & PeerReport)
  | {type: 'page.hidden'}
  | {type: 'page.shown'}
  | {type: 'connection.lost'}
  | {type: 'connection.restored'}

export type TaskPollContext = TaskPollInput & {
  /** Ids of running tasks. */
  watched: string[]
  /** Failures in a row. */
  failures: number
  /** Milliseconds that a full server asked to be left alone for. */
  leastRest: number
  /** Seconds since the youngest running task was made, when it was last asked for. */
  age: number
  /** How often a task was missing, by id. */
  misses: Record<string, number>
  /** Milliseconds until the other tab's next question, as it said. */
  peerNextIn: number
  /** The tasks that the other tab watches, once it reported them. */
  peerWatched?: string[] | undefined
}

export type PollInput = {ref: ToolRef; userId: string; ids: string[]}
/** `missing`: the server was asked for the task by its own id and does not know it. */
export type PollOutput = {records: TaskRecord[]; missing: string[]; age: number}
export type LeadershipInput = {ref: ToolRef; userId: string; isClaiming: boolean}
