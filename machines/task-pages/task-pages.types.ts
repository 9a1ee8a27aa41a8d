import type {Failure} from '#domain/failure.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {PartInput} from '#machines/task-list/task-list.types.ts'

export type TaskPagesInput = PartInput & {environment: EnvironmentActor}
export type TaskPagesContext = TaskPagesInput & {
  /** Time range of the server's list that is known without a gap; older pages continue at its lower end. */
  range?: {from: number; to: number}
  /** There may be tasks before it. */
  hasOlder: boolean
  failure?: Failure
  olderFailure?: Failure
}

export type TaskPagesEvent =
  /** A screen of the tool is open: the newest page is read. */
  | {type: 'tasks.open'}
  | {type: 'tasks.refresh'}
  /** Older pages, until one shows something new. */
  | {type: 'tasks.older'}
  | {type: 'provision.ready'}
  | {type: 'provision.missing'}
  | {type: 'connection.restored'}
