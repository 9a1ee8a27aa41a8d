import type {ActorRef, Snapshot} from 'xstate'
import type {Reading} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import type {Failure} from '#domain/failure.ts'
import type {FavouriteMarks} from '#domain/favourites.ts'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import type {Crashes} from '#machines/lib/supervision.ts'
import type {Provision, ProvisionFact} from '#machines/provisioning/provisioning.types.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import type {RemovalSettled} from '#machines/lib/removal.machine.ts'

/** What the lists need of a tool (`ToolIdentity`), as plain data. */
export type ToolRef = {tool: string; service: string; serviceId: string}

/** `checking`: the server says nothing we know; never taken for done. */
export type TaskStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'checking'

/** A task as the client works with it: read once, where it arrives, by the tool's own reader. */
export type TaskRecord = {
  task: Task
  status: TaskStatus
  reading: Reading
  /** What the person wrote, where the tool puts more into the prompt of its request. */
  prompt?: string
}

/**
 * How far a request without a task is. `sending`: on its way, also again. `offline`: it waits for the network. `looking`: its answer was lost and it is looked
 * for in the list. `unsure`: not found; nothing is sent again without the person. `rejected`, `usedUp`: the server said no.
 */
export type PendingState = 'sending' | 'offline' | 'looking' | 'unsure' | 'rejected' | 'usedUp'
/** A request without a task as it is shown: read from the snapshot of its submission, and kept nowhere else. */
export type PendingTask = Intent & {state: PendingState; failure?: Failure | undefined}

/**
 * A request of this list. Its state is held by its submission, the child actor with its key. `from`: key of the card whose
 * button was pressed; the same press again is the same request.
 */
export type ListedRequest = Intent & {from?: string | undefined}

/** What the tray and the tab title tell of one request or task. `at` in unix seconds of the server's clock. */
export type TrayEntry = {
  tool: string
  /** The same before and after the server names the task. */
  key: string
  /** The server's id, and its trace id, once known. */
  id?: string
  traceId?: string
  /** `gone`: the server does not know it any more; `lost`: it runs, and cannot be asked for. */
  state: PendingState | TaskStatus | 'gone' | 'lost'
  prompt: string
  progress?: number
  at: number
}

/** Whether calls can be made: `missing` is a step for the person, not a fault. */
export type SetUp = 'settling' | 'ready' | 'missing'

// ---- the list of one tool: actor `tasks/<tool>` -----------------------------------------------------------------

export type TaskListInput = {
  /** Supervises the lists; nobody where the list is alone (a test). */
  parentRef?: ActorRef<Snapshot<unknown>, TaskListFact>
  userId: string
  ref: ToolRef
  setUp: SetUp
  isHidden: boolean
  isOnline: boolean
}

export type TaskListEvent =
  /** A screen of the tool is open: the newest page is read. */
  | {type: 'tasks.open'}
  | {type: 'tasks.refresh'}
  /** Older pages, until one shows something new. */
  | {type: 'tasks.older'}
  /** What was asked for between two times, in unix seconds; then, page by page, what is older of it. */
  | {type: 'tasks.find'; from: number | undefined; to: number | undefined}
  | {type: 'tasks.findMore'}
  /** Tasks that run, whoever started them. */
  | {type: 'tasks.named'; tasks: NamedTask[]}
  /** A task that the person goes to and that is not listed: it is asked for by its id. */
  | {type: 'task.find'; id: string}
  /** What the server says of it has changed, though it has ended. */
  | {type: 'task.reread'; id: string}
  /** The task that is looked at (spec §3, `active`). */
  | {type: 'task.select'; id: string | undefined}
  /** Marks a result as a favourite, or takes the mark off. `at` in unix milliseconds. */
  | {type: 'favourite.set'; id: string; isOn: boolean; at: number}
  /** What another tab of this person marked. */
  | {type: 'favourites.merged'; marks: FavouriteMarks}
  /** The person looks at favourites: those that are not listed are asked for. */
  | {type: 'favourites.find'}
  /** Asks for running tasks now: after lost contact, a stalled task, a vanished one. */
  | {type: 'task.check'; id?: string}
  /** Takes a task off the list; it can be taken back for a while. */
  | {type: 'task.remove'; id: string}
  | {type: 'task.restore'; key: string}
  /** Sends a new request. */
  | {type: 'task.submit'; intent: Intent; from?: string}
  /** The same request with the same key: after a refusal, a lost answer, or bought credits. */
  | {type: 'submission.retry'; key: string}
  | {type: 'submission.discard'; key: string}
  | {type: 'provision.ready'}
  | {type: 'provision.missing'}
  | {type: 'credits.added'}
  | {type: 'page.hidden'}
  | {type: 'page.shown'}
  | {type: 'page.leaving'}
  | {type: 'connection.lost'}
  | {type: 'connection.restored'}
  | SubmissionFact
  | PollFact
  | ({type: 'peer.polled'} & PeerReport)
  | RemovalSettled
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}

/**
 * What this browser kept of one tool: tasks, and requests that had no task yet when the page was left. `now`: when it was
 * read, in unix seconds of the server's clock.
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
/** Both times belong to the page. */
export type PageInput = {
  ref: ToolRef
  userId: string
  createdAtMin?: number | undefined
  createdAtMax?: number | undefined
}

export type TaskListContext = Pick<TaskListInput, 'parentRef'> & {
  userId: string
  ref: ToolRef
  /** Ascending by `created_at`, then id (spec §3). The same array while nothing changes. */
  items: TaskRecord[]
  /** As the server counts (spec §4). */
  total: number
  active?: string
  /** Requests whose submission runs, oldest first: those without a task, and those that were accepted a moment ago. */
  requests: ListedRequest[]
  /** The key of a task that was sent from here, by its id: a card keeps its identity. */
  keys: Record<string, string>
  /** Ids the server does not know any more. */
  gone: string[]
  favourites: FavouriteMarks
  /** Ids whose removal can still be taken back, or is on its way. */
  removing: string[]
  removed: string[]
  /** Times of the part of the server's list that is known without a hole; older pages go on from its lower end. */
  range?: {from: number; to: number}
  /** There may be tasks before it. */
  hasOlder: boolean
  /** The id of the task that the person went to. */
  wanted?: string
  /** The times that were looked through last: what lies between `from` and `to` has not been read yet. */
  days?: {from?: number | undefined; to?: number | undefined; hasMore: boolean}
  setUp: SetUp
  isHidden: boolean
  isOnline: boolean
  /** Running tasks cannot be asked for: what is shown of them is old. */
  isLost: boolean
  /** The poller runs. */
  isPolling: boolean
  /** Ids that the poller asks for. */
  watched: string[]
  failure?: Failure
  olderFailure?: Failure
}

/** Facts of a list for `tasks`. */
export type TaskListFact =
  /** Something that the tray shows may be another. `running`: how much goes on without the person. */
  | {type: 'list.changed'; tool: string; running: number}
  /** The person wants word of what runs, and the tool could not be set up. */
  | {type: 'setUp.missed'; tool: string}
  /** Requests wait for credits, and the person looks: there may be some by now. */
  | {type: 'credits.missed'; tool: string}
  /** A task came to its end while this session looked. */
  | {type: 'task.settled'; tool: string; id: string; key: string; status: TaskStatus}
  | {type: 'task.gone'; tool: string; id: string}
  /** `isDue`: it had started and is charged all the same. */
  | {type: 'task.removed'; tool: string; id: string; isDue: boolean}
  | {type: 'task.removeFailed'; tool: string; id: string; failure: Failure}
  /** It could not be shown: the server does not know it, or could not be asked. */
  | {type: 'task.unfound'; tool: string; id: string; failure: Failure}
  | {type: 'submission.accepted'; tool: string; key: string; id: string}

/** What a `submission` tells its list. */
export type SubmissionFact =
  /** Its state is another. */
  | {type: 'submission.changed'; key: string}
  /** Its answer was lost: its task may be in the list already. */
  | {type: 'submission.lost'; key: string}
  /** A task of the list looks like its own. The list grants each task once. */
  | {type: 'task.claimed'; key: string; task: string}
  /** The server named its task. */
  | {type: 'submission.joined'; key: string; task: string}
  /** It waits for credits, and the person looks: there may be some by now. */
  | {type: 'submission.waiting'; key: string}
  /** It is over: discarded, or accepted a while ago. */
  | {type: 'submission.ended'; key: string}

/** What the poller of a service reports to its list, also from the tab that polls for all. */
export type PollFact =
  | {type: 'tasks.polled'; records: TaskRecord[]}
  | {type: 'tasks.gone'; ids: string[]}
  | {type: 'contact.lost'}
  | {type: 'contact.restored'}

// ---- all lists: actor `tasks` -----------------------------------------------------------------------------------

/** A task of which the server said only that it runs. */
export type NamedTask = Pick<Task, 'id' | 'created_at'>

/** A tool that is used, with what this browser kept of its set-up. `running`: what the server says it makes there. */
export type UsedTool = {ref: ToolRef; provision?: Partial<Provision>; running?: NamedTask[]}

/** `tools`: those that have something on its way. `host`: the page's origin, for credentials. */
export type TasksInput = {userId: string; host: string; tools: UsedTool[]; isHidden: boolean; isOnline: boolean}

export type TasksEvent =
  /** A tool is used: its set-up and its list exist from now on. */
  | ({type: 'tool.use'} & UsedTool)
  /** Tools in which something runs that was started elsewhere, or that this browser forgot. */
  | {type: 'tasks.found'; tools: UsedTool[]}
  /** The screen of a tool that is used is open: its form exists from now on. */
  | {type: 'form.open'; tool: string}
  /** Several results of the tool are to be chosen. */
  | {type: 'selection.open'; tool: string}
  /** Sends a request of any tool whose list exists. */
  | {type: 'task.submit'; intent: Intent}
  /** Credits were bought: what was refused for want of them goes on. */
  | {type: 'credits.added'}
  /** The general application was made elsewhere: set-up looks again. */
  | {type: 'applications.changed'}
  | ProvisionFact
  | {type: 'page.hidden'}
  | {type: 'page.shown'}
  | {type: 'page.leaving'}
  | {type: 'connection.lost'}
  | {type: 'connection.restored'}
  | TaskListFact
  /** A part that broke is started again, after a while. */
  | {type: 'part.restart'; part: ToolPart}
  /** The person asks for a part that broke too often. */
  | {type: 'part.revive'; part: ToolPart}
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}

export type TasksContext = {
  userId: string
  host: string
  tools: UsedTool[]
  /** By service id. */
  setUps: Record<string, SetUp>
  /** How much is being made without the person, by tool. */
  running: Record<string, number>
  isHidden: boolean
  isOnline: boolean
  /** Crashes since the person last started the part. */
  crashes: Crashes<ToolPart>
}

/** Child and system ids. */
export const taskListId = (tool: string) => `tasks/${tool}` as const
export const toolProvisioningId = (tool: string) => `provisioning/${tool}` as const
export const formId = (tool: string) => `generation/${tool}` as const
/** What a tool consists of here. */
export type ToolPart = ReturnType<typeof taskListId> | ReturnType<typeof toolProvisioningId> | ReturnType<typeof formId>
export const submissionId = (key: string) => `submission/${key}` as const
export const taskRemovalId = (id: string) => `removal/${id}` as const
