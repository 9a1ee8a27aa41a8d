import type {SlotEvent} from '#domain/stream-slot.ts'
import type {ChatCapability} from '#contract/management.ts'
import type {Conversation, MessageOutcome, MessageState} from '#contract/chat.ts'
import type {Ask, ConversationRecord, QuestionContent, RecordMessage} from '#domain/conversation.ts'
import type {AnswerEvent} from '#domain/answer.ts'
import type {CreditsFact} from '#domain/credits.ts'
import type {Exchange} from '#domain/exchange.ts'
import type {Failure} from '#domain/failure.ts'
import type {Truncation} from '#domain/truncation.ts'
import type {FollowUpsActor} from '#machines/follow-ups/follow-ups.machine.ts'
import type {FollowUpDue, FollowUpsNoted} from '#machines/follow-ups/follow-ups.types.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'

/** Events that the port of an answer's stream reports. */
export type AnswerStreamEvent =
  | AnswerEvent
  | SlotEvent
  /** This session has not loaded the part that sends questions: it has sent none. */
  | {type: 'answer.unsent'}

/** `at` in unix seconds. */
type At = {at: number}

/** `model` answers this once; the conversation keeps its own. Without `at` the question keeps its own time. */
export type Again = {key: string; model?: string | undefined; at?: number | undefined}

type Repeat = Again & At

/** `end`: index behind the answer that is given again; without it the last. */
export type RepeatPosition = {end?: number | undefined}

/** Asks, or lets the question wait for its turn. `key`: a new UUID of the click; the question needs a text. */
export type PromptSubmit = {type: 'prompt.submit'} & Ask & At

export type ConversationEvent =
  | PromptSubmit
  /** The path through a message, which is shown and not chosen. */
  | {type: 'path.show'; message: string; messages: RecordMessage[]}
  /** Shows the path that the server has chosen. */
  | {type: 'path.leave'}
  | {type: 'answer.stop'}
  /** Asks the last question again after a failure, with a new key. */
  | ({type: 'answer.retry'} & Repeat)
  /** Asks a question again after its answer, with a new key. What followed stays with the version before. */
  | ({type: 'answer.regenerate'} & Repeat & RepeatPosition)
  /** Replaces the user's message at `index`, drops all after it, and asks. */
  | ({type: 'message.edit'; index: number} & Ask & At)
  | FollowUpDue
  | FollowUpsNoted
  /** Another tab of the browser changed the questions that wait. */
  | {type: 'followUps.heard'; items: Ask[]; isHeld?: boolean | undefined}
  | {type: 'model.choose'; model: string}
  | {type: 'title.changed'; title: string | undefined}
  /** The list read this conversation from the server. */
  | {type: 'history.loaded'; record: ConversationRecord}
  /** A credential stands: what was asked without one goes out. */
  | {type: 'credential.ready'}
  /** The user has more credits than before. */
  | CreditsFact
  | {type: 'service.changed'; capabilities: ChatCapability[]}
  /** The browser is online again: a waiting reconnect goes at once. */
  | {type: 'connection.restored'}
  /** An answer that was given up is looked for. */
  | {type: 'page.shown'}
  | AnswerStreamEvent

/** While the environment is offline, reconnecting waits instead of counting. */
export type ConversationInput = {
  record: ConversationRecord
  capabilities: ChatCapability[]
  environment: EnvironmentActor
  parentRef: ParentRef<ConversationFact>
}

/** A question on its way: `cut` is how many messages of the history stay. */
export type Plan = Ask & {
  /** When it was asked, where that is known. */
  at?: number | undefined
  cut: number
  /** The model of this answer alone. */
  model?: string | undefined
  /** The versions that it joins on the server: no history has to be cut. */
  versions?: string[] | undefined
  /** The question is the last message that stays, and is answered again. */
  isStanding?: boolean
}

export type ConversationContext = {
  key: string
  id?: string
  title?: string
  model: string
  /** Instructions of a conversation that the server does not have yet. */
  preset?: string | undefined
  /** Settled history, with the question that is being answered. */
  messages: RecordMessage[]
  /** While `messages` are those of the path through `message`: the ones that the server has chosen. */
  visit?: {message: string; chosen: RecordMessage[]} | undefined
  updatedAt: number
  capabilities: ChatCapability[]
  environment: EnvironmentActor
  parentRef: ParentRef<ConversationFact>
  /** How often the server was told in vain to stop. */
  stops: number
  exchange?: Exchange
  /** Model of the answer that failed, where the conversation has another. */
  failedModel?: string | undefined
  plan?: Plan | undefined
  /** The state before the question that is announced while something goes before it. */
  before?: (Pick<ConversationContext, 'messages' | 'updatedAt' | 'visit'> & {plan: Plan}) | undefined
  /** The questions that wait for their turn. */
  followUps: FollowUpsActor
  /** How often the conversation was occupied in a row without an answer that runs. */
  yields: number
  /** How the stream of the running exchange ended, or (`isStored`) what the server's copy says, until it is judged. */
  ended?: {failure?: Failure; outcome?: MessageOutcome; isStored?: boolean}
  /**
   * Why nothing was asked; a question that does not stand in the thread is kept for who shows the conversation, with
   * its files. `index`: the message that it was to replace.
   */
  rejection?: (QuestionContent & {failure: Failure; index: number}) | undefined
}

export type StopInput = {conversation: string; message?: string}
export type RetrieveInput = {conversation: string}
export type TruncateInput = Truncation & {conversation: string; capabilities: ChatCapability[]}
export type RetrievedConversation = Conversation
/** The server's copy after a deletion. */
export type TruncatedConversation = Conversation | undefined
export type StoppedAnswer = {state: MessageState}

/** Fact for the actor that owns the conversation: an answer began, was named by the server, or settled. */
export type ConversationChanged = {
  type: 'conversation.changed'
  phase: 'running' | 'settled'
  outcome?: MessageOutcome
  record: ConversationRecord
}

/** Fact for the owner: a question that replaces messages did not go out, since the history could not be cut. */
export type ConversationRejected = {type: 'conversation.rejected'; key: string; failure: Failure}

/** Fact for the owner: the questions that wait changed, or may go out now. */
export type FollowUpsChanged = {
  type: 'followUps.changed'
  phase: ConversationChanged['phase']
  /** They are on hold from now on. */
  isHeld?: true | undefined
  record: ConversationRecord
}

export type ConversationFact = ConversationChanged | ConversationRejected | FollowUpsChanged

/**
 * `busy`: something of this conversation runs. `streaming`: an answer is expected or arrives. `waiting`: asked, no
 * word yet. `writing`: words arrive. `reconnecting`: contact was lost. `stopped`: the user stopped it (at once,
 * before the server confirms). `settled`: a new question may be asked.
 */
export type ConversationTag = 'busy' | 'streaming' | 'waiting' | 'writing' | 'reconnecting' | 'stopped' | 'settled'
