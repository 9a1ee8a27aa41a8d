import type {User} from '#contract/management.ts'
import type {CreditsFact} from '#domain/credits.ts'
import type {Intent} from '#domain/intent.ts'
import type {UsedResult} from '#domain/use-targets.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {ConversationChangesFact} from '#machines/conversation-changes/conversation-changes.types.ts'
import type {ConversationListEvent, ConversationListFact} from '#machines/conversation-list/conversation-list.types.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {PartUse} from '#machines/lib/part-use.ts'
import type {Crashes} from '#machines/lib/supervision.ts'
import type {KeptSongs, PlayerEvent, Song} from '#machines/player/player.types.ts'
import type {
  CreditsBought,
  Provision,
  ProvisionFact,
  ProvisioningEvent,
} from '#machines/provisioning/provisioning.types.ts'
import type {TasksEvent} from '#machines/tasks/tasks.types.ts'
import type {SessionFact} from '#machines/tool/tool.types.ts'

export type SessionInput = {
  environment: EnvironmentActor
  user: User
  epoch: number
  /** The page's origin, for credentials. */
  host: string
}

/** The data that this browser kept for the user; data of another user is not read. */
export type StoredSession = {
  /** Set-up of the chat. */
  provision?: Partial<Provision>
  conversations: ConversationRecord[]
  /** Ids of conversations whose deletion the server has not confirmed. */
  unconfirmed?: string[]
  /** Ids of conversations whose answer was not seen. */
  unread?: string[]
  /** Media tools that have something on its way: their charts are loaded at once, the others' when they are used. */
  tools: string[]
  /** Volume of the player, 0 to 100. */
  volume?: number
  /** Songs that were in the player: its chart is loaded at once. */
  songs?: KeptSongs
}

export type SessionChild = 'provisioning/chat' | 'conversations' | 'tasks' | 'player'
export type SessionEvent =
  | PartUse
  /** A part that a view brought along has ended, or broke: its next use starts it again. */
  | {type: `xstate.done.actor.${string}`; actorId: string; output: unknown}
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}
  | ProvisionFact
  | ListFact
  | SessionFact
  /** The screen of a media tool is open, or a result goes into its form. */
  | {type: 'tool.open'; tool: string; use?: UsedResult}
  /** Sends a request of any media tool. `from`: key of the card whose button was pressed. */
  | {type: 'task.submit'; intent: Intent; from?: string}
  /** A song is to be played: the first one loads the chart of the player. */
  | {type: 'player.use'; song: Song}
  /** The session may ask for running tasks again: the chat is loaded, or the reason of the last failure may be gone. */
  | {type: 'tasks.seek'}
  /** Calls carry another token of the same user. */
  | {type: 'token.renewed'}
  | {type: 'connection.restored'}
  /** The page is looked at again. */
  | {type: 'page.shown'}
  /** The credits that there are to pay with, as set-up reports them. */
  | CreditsFact
  /** An order is finished: set-up of all tools looks for what it brought. */
  | CreditsBought
  /** Requests that were refused for want of credits wait, and the page is looked at again. */
  | {type: 'balance.check'}
  /** The user asks to start a part that broke too often. */
  | {type: 'child.restart'; child: SessionChild}

/** Reports of the list of conversations, and of the part that changes titles and marks. */
export type ListFact = ConversationListFact | ConversationChangesFact

/** Reports about the media tools that the session shows. */
export type ShownFact = Exclude<SessionFact, ProvisionFact>

export type QueuedEvent =
  | {to: 'provisioning/chat'; event: CreditsBought}
  | {to: 'tasks'; event: TasksEvent}
  | {to: 'player'; event: PlayerEvent}

/** Reports of one part, or of the session, to another part. */
export type PassedEvent =
  | {to: 'conversations'; event: ConversationListEvent}
  | {to: 'provisioning/chat'; event: ProvisioningEvent}
  | {to: 'tasks'; event: TasksEvent}

export type SessionContext = SessionInput & {
  stored: StoredSession
  /** Media tools that are used. */
  tools: string[]
  /** Events for parts whose chart is not loaded yet. */
  queue: QueuedEvent[]
  /** Crashes since the last calm minute, by part. */
  crashes: Crashes<SessionChild>
}
