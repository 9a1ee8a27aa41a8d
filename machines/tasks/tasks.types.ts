import type {Intent} from '#domain/intent.ts'
import type {UsedResult} from '#domain/use-targets.ts'
import type {CreditsBought} from '#machines/provisioning/provisioning.types.ts'
import type {NamedTask} from '#machines/task-list/task-list.types.ts'
import type {ToolFact, ToolOwner} from '#machines/tool/tool.types.ts'

/** A tool with running tasks on the server. */
export type RunningTool = {tool: string; running: NamedTask[]}

/** `tools`: those that are in use from the start. */
export type TasksInput = Omit<ToolOwner, 'parentRef'> & {tools: string[]}

export type TasksEvent =
  /** The screen of a tool is open, or a result goes into its form. */
  | {type: 'tool.open'; tool: string; use?: UsedResult}
  /** Tools with running tasks that were started elsewhere, or that this browser has forgotten. */
  | {type: 'tasks.found'; tools: RunningTool[]}
  /** Sends a request of any tool. `from`: key of the card whose button was pressed. */
  | {type: 'task.submit'; intent: Intent; from?: string}
  /** The general application was made elsewhere: set-up looks again. */
  | {type: 'applications.changed'}
  /** Calls carry another token of the same user. */
  | {type: 'token.renewed'}
  | CreditsBought
  | ToolFact

export type TasksContext = TasksInput & {
  /** How much is being made without the user, by tool. */
  running: Record<string, number>
}

/** Child and system ids. */
export const taskListId = (tool: string) => `tasks/${tool}` as const
export const toolProvisioningId = (tool: string) => `provisioning/${tool}` as const
export const formId = (tool: string) => `generation/${tool}` as const
