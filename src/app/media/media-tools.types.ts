import type {UsedResult} from '#domain/use-targets.ts'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {Song} from '#machines/player/player.types.ts'
import type {SelectionActor} from '#machines/selection/selection.machine.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolActor} from '#machines/tool/tool.machine.ts'
import type {LoadedTool} from '../logic/media/forms.logic.ts'
import type {HeldFiles} from './held-files.ts'

/** The media tools of the page, as the first screen knows them: nothing is loaded before the first is opened. */
export type MediaTools = {
  /** The screen of a tool is open, or a result goes into its form. */
  open: (tool: string, use?: UsedResult) => void
  /** Rules and screen of a tool; undefined until they are loaded. */
  loaded: (tool: string) => LoadedTool | undefined
  files: () => HeldFiles
  /** Before the first file is added to a form; rejects when it cannot be loaded. */
  prepareUploads: () => Promise<void>
  /** Keeps a file on the server; resolves with its address. */
  storeFile: (file: File) => Promise<string>
  /** Unix seconds of the server's clock. */
  now: () => number
  newKey: () => string
  /** The stored last ends of each tool, read by `readEnded`. */
  storedEnds: () => ReadonlyMap<string, readonly unknown[]>
  session: () => SessionActor | undefined
  tasks: () => TasksActor | undefined
  tool: (tool: string) => ToolActor | undefined
  /** Undefined until the first song. */
  player: () => PlayerActor | undefined
  /** Before the first song is played. Never rejects: who plays one hears of it. */
  preparePlayer: () => Promise<void>
  play: (song: Song) => void
  /** As it was remembered, 0 to 100. */
  storedVolume: () => number | undefined
  form: (tool: string) => GenerationActor | undefined
  list: (tool: string) => TaskListActor | undefined
  provisioning: (tool: string) => ProvisioningActor | undefined
  /** New addresses of own files; undefined where the server gives none. */
  renewal: Renewal | undefined
  /** Undefined until several results of the tool were chosen. */
  selection: (tool: string) => SelectionActor | undefined
  /** The newest tasks that this browser kept of a tool, in use or not; none when they cannot be read. */
  stored: (tool: string) => Promise<TaskRecord[]>
  /**
   * Sends the task again as its card does, in use or not. False: no operation takes it as it was. Rejects when the
   * rules of the tool cannot be loaded.
   */
  repeat: (tool: string, id: string) => Promise<boolean>
}

export type Renewal = {
  /** The id of an own file; undefined of every other address. */
  fileId: (address: string) => string | undefined
  renew: (fileId: string) => Promise<unknown>
}
