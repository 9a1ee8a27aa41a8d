import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
import {defaultsOf, type AnyForm, type AnyScreen} from '#features/media/any-tool.ts'
import type {MediaActors} from '#features/media/media.context.tsx'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {Song} from '#machines/player/player.types.ts'
import type {SelectionActor} from '#machines/selection/selection.machine.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'
import type {TaskRecord} from '#machines/tasks/tasks.types.ts'
import {identities, loadTool} from 'virtual:media-tools'
import type {HeldFiles} from './held-files.ts'
import type {OpenTool} from './tool-actors.ts'

/** The media tools of the page, as the first screen knows them: nothing of them is loaded before the first is opened. */
export type MediaTools = {
  open: (tool: string, signal?: AbortSignal) => Promise<OpenTool>
  files: () => HeldFiles
  /** Before the first file is added to a form; rejects when it cannot be loaded. */
  prepareUploads: () => Promise<void>
  /** Keeps a file on the server; resolves with its address. */
  storeFile: (file: File) => Promise<string>
  /** Unix seconds of the server's clock. */
  now: () => number
  newKey: () => string
  /** What was stored of the last ends of each tool, read by `readEnded`. */
  storedEnds: () => ReadonlyMap<string, readonly unknown[]>
  session: () => SessionActor | undefined
  tasks: () => TasksActor | undefined
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
  openSelection: (tool: string) => Promise<SelectionActor>
  /** The newest tasks that this browser kept of a tool, in use or not; none when they cannot be read. */
  stored: (tool: string) => Promise<TaskRecord[]>
}

export type Renewal = {
  /** Of an own file; undefined of every other address. */
  fileId: (address: string) => string | undefined
  renew: (fileId: string) => Promise<unknown>
}

/** A tool whose screen can be shown. */
export type OpenMedia = {
  identity: ToolIdentity
  identities: readonly ToolIdentity[]
  tool: MediaTool
  screen: AnyScreen
  defaults: AnyForm
  actors: Pick<MediaActors, 'generation' | 'list' | 'provisioning'>
  tools: MediaTools
}

/** Opens a tool: its rules and looks, and the actors of its screen. */
export async function openMedia(tools: MediaTools, id: string, signal: AbortSignal): Promise<OpenMedia> {
  const load = loadTool[id]
  if (load === undefined) throw new Error(`There is no tool "${id}"`)
  const [{identity, tool, actors}, {screen}] = await Promise.all([tools.open(id, signal), load()])
  return {identity, identities, tool, screen, defaults: defaultsOf(tool), actors, tools}
}
