import type {ConversationChange} from '#domain/conversation.ts'
import type {Failure} from '#domain/failure.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import type {ConversationLoaded, FindingSettled} from '#machines/conversation-list/finding.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {ChangingSettled, PendingChange} from './changing.machine.ts'

export type ConversationChangesInput = {
  /** Has the conversations, and shows at once what is changed. */
  list: ConversationListActor
  parentRef: ParentRef<ConversationChangesFact>
}

type ConversationRename = {type: 'conversation.rename'; key: string; title: string}
/** `textId`: message of a notice that can take it back; `back`: what that sends instead of the old values. */
type ConversationsMark = {
  type: 'conversations.mark'
  changes: readonly ConversationChange[]
  textId?: string
  back?: readonly ConversationChange[]
}

/** Makes changes once more that did not reach the server. */
export type RepeatedChange = ConversationRename | ConversationsMark

export type ConversationChangesEvent =
  | ConversationRename
  /** Pins, archives and labels. */
  | ConversationsMark
  | ChangingSettled
  | ConversationLoaded
  | FindingSettled
  /** The server may be reached (again): what it could not be asked is asked. */
  | {type: 'connection.restored'}
  /** A reading of the list begins. */
  | {type: 'list.reading'}
  | {type: 'list.ended'}
  /** A call broke; later changes of the same go out. */
  | {type: `xstate.error.actor.${string}`; actorId: string; error: unknown}

export type ConversationChangesContext = ConversationChangesInput & {
  /** Changes on their way to the server, by key, each with the change that waits for it: the last one wins. */
  changing: Record<string, PendingChange | null>
  /** Keys of what this tab and another one changed at once: the server is asked which change was the last. */
  crossed: string[]
}

/** Parameters of an action or a guard of one event. */
export type On<Type extends ConversationChangesEvent['type']> = {
  context: ConversationChangesContext
  event: Extract<ConversationChangesEvent, {type: Type}>
}

/** Facts for the session: what a notice is shown for. */
export type ConversationChangesFact =
  /**
   * The event takes the change of `count` conversations back. A failure with the same `about` leaves nothing to take
   * back.
   */
  | {
      type: 'list.undoable'
      about: string
      textId: string
      count: number
      undo: {type: 'conversations.mark'; changes: readonly ConversationChange[]}
    }
  /** `again` makes the change once more, where the server did not refuse it. */
  | {type: 'list.failed'; about: string; kind: 'rename' | 'mark'; failure: Failure; again?: RepeatedChange}

/** Child id, of the keys of all that it changes. */
export const changingId = (keys: string) => `changing/${keys}` as const
