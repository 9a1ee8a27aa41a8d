import type {Ask} from '#domain/conversation.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'

/** Fact for the conversation: its turn is free, and this question is the next one. `at`: when, in unix seconds. */
export type FollowUpDue = {type: 'followUp.due'; ask: Ask; at?: number | undefined}

/** Fact for the conversation: the list or its hold changed. `isHeld`: a turn failed or was stopped just now. */
export type FollowUpsNoted = {type: 'followUps.noted'; isHeld?: true}

export type FollowUpsEvent =
  /** Asked while the conversation answers: comes last, or `at` a position from 0. */
  | {type: 'followUp.add'; ask: Ask; at?: number}
  /** Asked after Stop and before the answer has ended: goes out next, although the turn was stopped. */
  | {type: 'followUp.promise'; ask: Ask}
  | {type: 'followUp.edit'; key: string}
  /** `references`: the files that it has from now on, by address; without them they stay. Ends its editing. */
  | {type: 'followUp.save'; key: string; question: string; references?: string[]}
  /** The same, and its editing goes on. */
  | {type: 'followUp.keep'; key: string; question: string; references?: string[]}
  | {type: 'followUp.cancel'; key: string}
  /** `to`: its position afterwards, from 0. */
  | {type: 'followUp.move'; key: string; to: number}
  | {type: 'followUp.remove'; key: string}
  /** Sends this one first, although the last answer failed or was stopped. */
  | {type: 'followUp.sendNow'; key: string}
  /** Sends on, although the last answer failed or was stopped. */
  | {type: 'followUps.sendOn'}
  /** Another tab of the browser changed the list. `isHeld`: its turn failed or was stopped there. */
  | {type: 'followUps.heard'; items: Ask[]; isHeld?: boolean | undefined}
  /** This tab stands for the turn before the first one; another has it, or none. */
  | LeadershipFact
  /** From the conversation: something runs. */
  | {type: 'turn.began'}
  /** From the conversation: nothing runs. `isAnswered`: the last answer did not fail and was not stopped. */
  | {type: 'turn.ended'; isAnswered: boolean}

export type FollowUpsInput = {items: Ask[]; parentRef: ParentRef<FollowUpDue | FollowUpsNoted>}

export type FollowUpsContext = FollowUpsInput & {
  /** Key of the follow-up whose text is edited, in the state `editing.one`. */
  edited: string
  /** Key of the follow-up before which this tab has the turn, in the state `holding.first`. */
  holding: string
}

/** `isOurs`: this tab alone sends the question. `at`: when it was claimed, in unix seconds. */
export type Claim = {key: string; isOurs: boolean; at?: number}
