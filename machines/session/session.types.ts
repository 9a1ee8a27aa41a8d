import type {User} from '#contract/management.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationListFact} from '#machines/conversation-list/conversation-list.types.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {Crashes} from '#machines/lib/supervision.ts'
import type {KeptSongs} from '#machines/player/player.types.ts'
import type {Provision, ProvisionFact} from '#machines/provisioning/provisioning.types.ts'
import type {TaskListFact, UsedTool} from '#machines/tasks/tasks.types.ts'

export type SessionInput = {
  environment: EnvironmentActor
  user: User
  epoch: number
  /** The page's origin, for credentials. */
  host: string
}

/** What this browser kept for the user; data of another user is not read. */
export type StoredSession = {
  /** Set-up of the chat. */
  provision?: Partial<Provision>
  conversations: ConversationRecord[]
  /** Ids of conversations whose deletion the server has not confirmed. */
  unconfirmed?: string[]
  /** Media tools that have something on its way: their charts are loaded at once, the others' when they are used. */
  tools: UsedTool[]
  /** Of the player, 0 to 100. */
  volume?: number
  /** Songs that were in the player: its chart is loaded at once. */
  songs?: KeptSongs
}

export type SessionChild = 'provisioning/chat' | 'conversations' | 'tasks' | 'player'
export type SessionEvent =
  | ProvisionFact
  | ConversationListFact
  | TaskListFact
  /** A media tool is used: a screen of it is open, or a result is sent to it. */
  | ({type: 'tool.use'} & UsedTool)
  /** A song is to be played: the chart of the player is loaded. */
  | {type: 'player.use'}
  /** What runs elsewhere can be asked for: the chat stands, or what made the question fail may be over. */
  | {type: 'tasks.seek'}
  /** The page is looked at again. */
  | {type: 'page.shown'}
  /** Credits were bought. */
  | {type: 'credits.added'}
  /** The user asks to start a part that broke too often. */
  | {type: 'child.restart'; child: SessionChild}

export type SessionContext = SessionInput & {
  stored: StoredSession
  /** Media tools that are used. */
  tools: UsedTool[]
  /** Crashes since the last calm minute, by part. */
  crashes: Crashes<SessionChild>
}
