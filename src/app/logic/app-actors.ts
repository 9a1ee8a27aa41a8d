import type {AppActor} from '#machines/app/app.machine.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {NoticesActor} from '#machines/notices/notices.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import type {PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {SelectionActor} from '#machines/selection/selection.machine.ts'
import {selectionId} from '#machines/selection/selection.types.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import type {StartupActor} from '#machines/startup/startup.machine.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'
import {formId, taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import type {ToolActor} from '#machines/tool/tool.machine.ts'
import {toolId} from '#machines/tool/tool.types.ts'

/** The actors of the system by their id (docs/architecture.md §2); those of a session only while there is one. */
export const appActors = (root: AppActor) => ({
  /** Lives as long as the root. */
  environment: () => root.getSnapshot().context.environment,
  startup: () => findActor<StartupActor>(root.system, 'startup'),
  auth: () => findActor<AuthActor>(root.system, 'auth'),
  site: () => findActor<SiteActor>(root.system, 'site'),
  preferences: () => findActor<PreferencesActor>(root.system, 'preferences'),
  notices: () => findActor<NoticesActor>(root.system, 'notices'),
  session: () => findActor<SessionActor>(root.system, 'session'),
  conversations: () => findActor<ConversationListActor>(root.system, 'conversations'),
  provisioning: () => findActor<ProvisioningActor>(root.system, 'provisioning/chat'),
  tasks: () => findActor<TasksActor>(root.system, 'tasks'),
  player: () => findActor<PlayerActor>(root.system, 'player'),
  /** A media tool, and its parts, while it is used. */
  tool: (tool: string) => findActor<ToolActor>(root.system, toolId(tool)),
  /** Form of one media tool, once its screen was opened. */
  form: (tool: string) => findActor<GenerationActor>(root.system, formId(tool)),
  toolProvisioning: (tool: string) => findActor<ProvisioningActor>(root.system, toolProvisioningId(tool)),
  taskList: (tool: string) => findActor<TaskListActor>(root.system, taskListId(tool)),
  /** The choice of several of its results, once it was begun. */
  selection: (tool: string) => findActor<SelectionActor>(root.system, selectionId(tool)),
})
export type AppActors = ReturnType<typeof appActors>

/** Connects each actor it is shown, once. */
export function createOnce() {
  const connectedActors = new WeakSet<object>()
  return <Actor extends object>(actor: Actor | undefined, connect: (actor: Actor) => void) => {
    if (actor === undefined || connectedActors.has(actor)) return
    connectedActors.add(actor)
    connect(actor)
  }
}
