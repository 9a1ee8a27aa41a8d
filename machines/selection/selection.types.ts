import type {PackedFile, PackFact} from '#domain/packed-file.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import type {RemovalSettled} from '#machines/lib/removal.machine.ts'

/** A task as it is named to the user. */
export type SelectedTask = {id: string; title: string}

export type SelectionInput = {ref: ToolRef}

/** The tasks of the tool that there are. `gone`: those that the server does not know any more. */
export type ListedFact = {type: 'tasks.listed'; ids: string[]; gone: string[]}

export type SelectionEvent =
  /** Begins with nothing chosen. */
  | {type: 'selection.enter'}
  | {type: 'selection.leave'}
  | {type: 'task.toggle'; id: string}
  /** All from the one that was chosen last to this one. `order`: the tasks as they are shown. */
  | {type: 'task.extend'; id: string; order: string[]}
  | {type: 'tasks.choose'; ids: string[]}
  | {type: 'tasks.drop'}
  | {type: 'delete.ask'}
  | {type: 'delete.cancel'}
  | {type: 'delete.confirm'; tasks: SelectedTask[]}
  | {type: 'download.start'; files: PackedFile[]}
  | {type: 'download.cancel'}
  | RemovalSettled
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}
  | PackFact
  | ListedFact

export type SelectionContext = SelectionInput & {
  /** Ids of tasks, in the order in which they were chosen. */
  chosen: string[]
  /** The one from which a range begins. */
  anchor: string | undefined
  /** Ids of tasks that the server does not know any more. */
  gone: string[]
  /** Tasks that are being deleted, and those of them that could not be. */
  deleting: SelectedTask[]
  kept: SelectedTask[]
  files: PackedFile[]
  /** Names of the files that could not be loaded. */
  failed: string[]
  /** How many of the tasks or files are done. */
  done: number
}

/** Child and system id. */
export const selectionId = (tool: string) => `selection/${tool}` as const
