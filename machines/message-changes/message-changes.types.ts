import type {ModelGroup} from '#contract/models.ts'
import type {Ask} from '#domain/conversation.ts'
import type {Failure} from '#domain/failure.ts'
import type {RemovalSettled} from '#machines/lib/removal.machine.ts'

/** `message` is the server's id. */
export type MessageChange =
  | {action: 'select'; message: string}
  /** The path through a message is shown here, and stays unchosen where the server can read it so. */
  | {action: 'visit'; message: string}
  /** Another text for a question, or other files, without a new answer. Without `references` its files stay. */
  | {action: 'edit'; message: string; question: string; references?: string[] | undefined}
  /** `key`: idempotency key, made with the choice; a retry has the same. */
  | {action: 'branch'; message: string; title: string; key: string}
  | AskInBranch

/**
 * A question of this conversation is asked of another group's model, in a branch that has the messages `upTo` this one,
 * or none. `message`: the answer below which that was chosen. `at` in unix seconds.
 */
export type AskInBranch = {
  action: 'askInBranch'
  message: string
  upTo: string | undefined
  title: string
  group: ModelGroup
  model: string
  ask: Ask
  at: number
}

export type MessageChangesEvent =
  /** Follows the change that is on its way, and those that wait. */
  | {type: 'change.request'; change: MessageChange}
  /** The conversation changed while the path through a message of it is visited, which is read again. */
  | {type: 'path.listed'; message: string}
  /** Others are to get the server's copy: deletions go first, once the running change has ended. */
  | {type: 'deletions.request'}
  /** The user has read what failed. */
  | {type: 'failure.dismiss'}
  | {type: 'message.remove'; message: string}
  | {type: 'message.restore'; message: string}
  /** Pending deletions are sent now. */
  | {type: 'page.leaving'}
  /** There is a network (again), or the conversation changed: deletions that the server did not take are sent. */
  | {type: 'connection.restored'}
  /** All messages that the conversation has now: a question that was asked takes deletions with it. */
  | {type: 'messages.listed'; messages: readonly string[]}
  /** A thread shows the conversation. */
  | {type: 'view.opened'}
  | {type: 'view.closed'}
  | RemovalOurs
  /** The record says so: another tab took its deletion back, or the server refused it there. */
  | {type: 'message.restored'; message: string}
  | RemovalSettled

/** Fact of `removalHold`: no other tab of the browser has this deletion in hand, or none any more. */
export type RemovalOurs = {type: 'removal.ours'; message: string}

/**
 * The change happened, or it failed. `branch`: the server's id of the conversation that was made; `group`: of its
 * model, where that is another group's.
 */
export type ChangeSettled = {
  type: 'change.settled'
  change: MessageChange
  isDone: boolean
  branch?: string | undefined
  group?: ModelGroup | undefined
}
/** The server has none of what was deleted before the last request, or it failed. */
export type DeletionsSettled = {type: 'deletions.settled'; failure?: Failure}
export type MessageChangesEmitted = ChangeSettled | DeletionsSettled

export type Message = {message: string}
/** `unconfirmed`: messages that another page deleted: an earlier one without hearing of it, or one open beside. */
export type MessageChangesInput = {unconfirmed: readonly string[]}
/** The outcome of the deletions of messages. */
export type Deletions = {
  /** Deletions that can be taken back or are on their way. */
  removing: readonly string[]
  /** Deletions that wait for a network, or for the answer of another page. */
  unconfirmed: readonly string[]
  /** Those of them that another tab may have in hand: there they can still be taken back. */
  elsewhere: readonly string[]
  /** Deleted in this page: a copy from before does not bring them back. */
  removed: readonly string[]
}

export type MessageChangesContext = Deletions & {
  /** The change that is on its way. */
  change?: MessageChange | undefined
  /** Changes that were asked for meanwhile, in order. */
  waiting: readonly MessageChange[]
  /** Threads that show the conversation. */
  views: number
  /** The last change that did not happen; without a `change` it was a deletion. */
  failed?: (Message & {failure: Failure; change?: MessageChange}) | undefined
  /** Branches that may be there without their question: the answer to their call was lost. */
  unheard: readonly AskInBranch[]
}

export type RemovalFailed = Extract<RemovalSettled, {type: 'removal.failed'}>

export const removalId = (message: string) => `removal/${message}` as const
export const holdId = (message: string) => `hold/${message}` as const
