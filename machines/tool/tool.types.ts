import type {ActorRef, Snapshot} from 'xstate'
import type {CreditsFact} from '#domain/credits.ts'
import type {Intent} from '#domain/intent.ts'
import type {UsedResult} from '#domain/use-targets.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {Crashes} from '#machines/lib/supervision.ts'
import type {CreditsBought, Provision, ProvisionFact} from '#machines/provisioning/provisioning.types.ts'
import type {SelectionEvent} from '#machines/selection/selection.types.ts'
import type {TaskListFact, NamedTask, TaskFact} from '#machines/task-list/task-list.types.ts'
import type {ToolRef} from '#domain/tool-ref.ts'

/** System id of a tool, and child id in `tasks`. */
export const toolId = (tool: string) => `tool/${tool}` as const

/** Parts that are started again when they break. */
export type ToolPart = 'list' | 'provisioning' | 'form'

/** The input that `tasks` gives to every tool. */
export type ToolOwner = {
  /** `tasks`: gets the number of running tasks, and reports of added credits. */
  parentRef: ParentRef<ToolFact>
  /** Shows notices. */
  session: ParentRef<SessionFact>
  environment: EnvironmentActor
  userId: string
  /** The page's origin, for credentials. */
  host: string
}

/** `provision`: what this browser kept of the tool's set-up. */
export type ToolInput = ToolOwner & {ref: ToolRef; provision?: Partial<Provision>}

export type ToolEvent =
  /** The screen of the tool is open, or a result goes into its form: the form is loaded, and exists from then on. */
  | {type: 'form.open'; use?: UsedResult}
  /** Several results are chosen; the first event loads the chart of the choice. */
  | {type: 'selection.send'; event: SelectionEvent}
  /** Sends a request. `from`: key of the card whose button was pressed, or `fromForm`. */
  | {type: 'task.submit'; intent: Intent; from?: string}
  /** The server says that these run. */
  | {type: 'tasks.named'; tasks: NamedTask[]}
  | CreditsBought
  /** The user asks to start a part that broke too often. */
  | {type: 'child.restart'; child: ToolPart}
  | ProvisionFact
  | TaskListFact
  | {type: 'connection.restored'}
  /** Calls carry another token of the same user. */
  | {type: 'token.renewed'}
  /** Raised by the tool itself: a part runs and can be sent to. */
  | {type: 'list.started'}
  | {type: 'form.started'}
  | {type: 'selection.started'}

/** Facts for `tasks`. */
export type ToolFact = Extract<TaskListFact, {type: 'list.changed'}> | Extract<CreditsFact, {type: 'credits.added'}>

/** Facts that the session shows. */
export type SessionFact =
  | TaskFact
  | Extract<ProvisionFact, {type: 'application.applied' | 'application.present'}>
  /** The form or selection of a press could not be loaded. */
  | {type: 'tool.unopened'; tool: string}

export type ToolContext = ToolInput & {
  /** Results that go into the form once it runs. */
  uses: UsedResult[]
  /** Events for the choice of results once it runs. */
  choices: SelectionEvent[]
  /** Crashes since the last calm minute, by part. */
  crashes: Crashes<ToolPart>
}

/** The tool as its form sees it: it takes a request. */
export type FormOwner = ActorRef<Snapshot<unknown>, Extract<ToolEvent, {type: 'task.submit'}>>
