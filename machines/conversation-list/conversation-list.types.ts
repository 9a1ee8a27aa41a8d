import type {ChatCapability} from '#contract/management.ts'
import type {Ask, ConversationChange, ConversationRecord, RecordMessage} from '#domain/conversation.ts'
import type {CreditsFact} from '#domain/credits.ts'
import type {Failure} from '#domain/failure.ts'
import type {
  ConversationChanged,
  ConversationRejected,
  FollowUpsChanged,
  PromptSubmit,
} from '#machines/conversation/conversation.types.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ConversationLoaded, FindingSettled} from './finding.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {RemovalSettled} from '#machines/lib/removal.machine.ts'
import type {NamingSettled} from './naming.machine.ts'

export type ConversationListInput = {
  userId: string
  environment: EnvironmentActor
  parentRef: ParentRef<ConversationListFact>
  /** Stored conversations: shown at once, running answers are found again. */
  restored?: ConversationRecord[]
  /** Ids of deleted conversations whose deletion the server has not confirmed: not shown, and sent to it again. */
  unconfirmed?: string[]
  /** Ids of conversations whose answer was not seen. */
  unread?: string[]
}

/**
 * Message between the tabs of one browser: the server has another message of a conversation. Ids are the server's.
 * `last`: the answer that began or ended; absent where other messages were changed or deleted.
 */
export type ConversationHeard = {type: 'conversation.heard'; id: string; last?: string | undefined; isSettled: boolean}

/**
 * Message between the tabs of one browser: the questions that wait in a conversation. `was`: those before the change; a
 * tab of the build before does not say them, and its list replaces the own one. `isHeld`: their turn failed or was
 * stopped there.
 */
export type FollowUpsHeard = {
  type: 'followUps.heard'
  key: string
  items: Ask[]
  was?: Ask[] | undefined
  isHeld?: boolean | undefined
}

/**
 * Message between the tabs of one browser: the versions of a conversation that no server has (decision 204), before the
 * change (`was`) and after it.
 */
export type UnsentHeard = {type: 'unsent.heard'; id: string; was: RecordMessage[][]; versions: RecordMessage[][]}

/** Conversations have another title or marks: from `conversationChanges`, or by server ids from another tab. */
export type ConversationsChanged = {type: 'conversations.changed'; changes: ConversationChange[]}

/** The pointer or the focus is on the offer to undo a deletion, or no longer. */
export type OfferHeld =
  | {type: 'removal.hold'; keys: readonly string[]}
  | {type: 'removal.release'; keys: readonly string[]}

/** To the browser's other tabs: these conversations are deleted. Keys are the server's ids, else the client's. */
export type ConversationsRemoved = {type: 'conversations.removed'; keys: string[]}

/** Message between the tabs of one browser: the tab that deletes these closes. Keys as in `conversations.removed`. */
export type RemovalsLeft = {type: 'removals.left'; keys: string[]}

/** To the browser's other tabs: answers not seen yet, or seen now. Keys are the server's ids. */
export type UnreadHeard = {type: 'unread.heard'; keys: string[]; isUnread: boolean}

/**
 * Makes a new conversation and opens it. `key` is a UUID of the client; it is listed with its first question.
 * `prompt` is that question, where it was sent before there was a conversation to ask it in.
 */
export type ConversationCreate = {
  type: 'conversation.create'
  key: string
  model: string
  prompt?: PromptSubmit
} & Beside

/** Keys or ids of conversations that are on screen with the one that is opened, side by side. */
type Beside = {beside?: readonly string[]}

export type ConversationRetry = {type: 'conversation.retry'; key: string; requestKey: string; at: number}

export type ConversationListEvent =
  /** A credential stands (again): the list is read. */
  | {type: 'credential.ready'}
  /** There is no credential token: nothing can be read (spec §4). */
  | {type: 'credential.missing'}
  /** The user has more credits: questions refused for want of them go out. `at` in unix seconds. */
  | CreditsFact
  | {type: 'conversations.refresh'}
  | ConversationCreate
  /** Opens by key or by the server's id; starts its actor and clears its unread mark. */
  | ({type: 'conversation.open'; key: string} & Beside)
  /** No conversation is on screen. A running answer goes on. */
  | {type: 'conversation.close'}
  /** Asks the last question of a failed answer again, on screen or not. `requestKey`: a new UUID; `at`: seconds. */
  | ConversationRetry
  | ConversationsChanged
  | {type: 'conversations.remove'; keys: readonly string[]}
  | {type: 'conversations.restore'; keys: readonly string[]}
  /** The time to take deletions back is over. */
  | {type: 'removals.due'}
  | OfferHeld
  | {type: 'service.changed'; capabilities: ChatCapability[]}
  | {type: 'connection.restored'}
  | {type: 'page.shown'}
  /** Pending deletions are sent now. */
  | {type: 'page.leaving'}
  | ConversationChanged
  | ConversationRejected
  | FollowUpsChanged
  | ConversationHeard
  | FollowUpsHeard
  /** Another tab has opened: what waits here may not be stored. */
  | {type: 'followUps.asked'}
  | UnsentHeard
  | UnreadHeard
  | ConversationsRemoved
  | RemovalsLeft
  | RemovalSettled
  | FindingSettled
  | ConversationLoaded
  | NamingSettled
  /** A child broke; the list lives on (security R59). */
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}

export type ConversationListContext = {
  userId: string
  environment: EnvironmentActor
  parentRef: ParentRef<ConversationListFact>
  /** Newest first is the view's order; here a settled conversation replaces itself or is put first (spec §4). */
  items: ConversationRecord[]
  /** Keys of what is on screen: none, one conversation, or several side by side (`compare`). */
  shown: string[]
  /** Keys whose answer arrived while they were not on screen, or while no page was open. */
  unread: string[]
  /** Conversations whose actor runs, by key, and whether their answer does. */
  phases: Record<string, ConversationChanged['phase']>
  /** Keys whose deletion can still be taken back or is on its way. */
  removing: string[]
  /** Keys whose deletion can still be taken back: all by one offer, at one time. */
  undoable: string[]
  /** Deletions that failed and are not told yet: they are told together. */
  failed: {key: string; failure: Failure}[]
  /**
   * Keys and ids that were deleted, some twice, and keys that gave way to a twin: a list that was on its way cannot bring
   * them back. Only added to.
   */
  removed: string[]
  /** Keys and ids whose copy is being read from the server. */
  finding: string[]
  /** Titles and marks that were changed since the last reading of the list began, by ids: its copies may be older. */
  changed: Record<string, ConversationChange>
  /** Names that the server said it does not have, since the last reading of the list began. */
  absent: string[]
  /** Reports of other tabs that wait: until the answer of this tab has ended, or the copy of the server has come. */
  missed: ConversationHeard[]
  /** Questions that wait in conversations of other tabs, by their ids, until these are listed here. */
  queues: Record<string, Ask[]>
  /** Keys of conversations without an actor whose questions are held in another tab. */
  held: string[]
  capabilities: ChatCapability[]
  failure?: Failure
}

/** Parameters of an action or a guard of one event. */
export type On<Type extends ConversationListEvent['type']> = {
  context: ConversationListContext
  event: Extract<ConversationListEvent, {type: Type}>
}

/** Facts for the session: what a notice is shown for, and when the balance may have changed. */
export type ConversationListFact =
  /** `count` conversations were deleted, which the event takes back. Replaces the fact before. */
  | {
      type: 'list.undoable'
      about: 'removals'
      count: number
      undo: {type: 'conversations.restore'; keys: string[]}
    }
  | {type: 'conversation.settled'; key: string; id: string | undefined; isOnScreen: boolean}
  /** `restore`: an undo came too late, which no call failed for. */
  | {type: 'list.failed'; kind: 'restore' | 'retry'; failure?: Failure | undefined; again?: undefined}
  | {
      type: 'list.failed'
      kind: 'remove'
      /** How many were not deleted. */
      count: number
      /** The first. */
      failure: Failure
      /** Deletes those once more whose deletion the server did not refuse. */
      again?: {type: 'conversations.remove'; keys: string[]}
    }
  /** The page is looked at again, and a question waits for credits: they may have come in another tab. */
  | {type: 'balance.check'}

/** Child ids. */
export const conversationId = (key: string) => `conversation/${key}` as const
export const findingId = (key: string) => `finding/${key}` as const
export const namingId = (key: string) => `naming/${key}` as const
export const removalId = (key: string) => `removal/${key}` as const
