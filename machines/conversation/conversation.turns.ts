import type {MessageOutcome} from '#contract/chat.ts'

/* The waiting questions and the list hear that an exchange begins and ends. */

/** Nothing runs: those that wait go out after an answer, and are held after a failure. */
export const turnEnded = (isAnswered: boolean) =>
  ({type: 'sendToFollowUps', params: {type: 'turn.ended', isAnswered}}) as const
export const turnBegan = {type: 'sendToFollowUps', params: {type: 'turn.began'}} as const

export const began = {type: 'reportChange', params: {phase: 'running'}} as const

/**
 * The exchange ends without an answer, and the owner hears of it.
 * @param unconfirmed the server did not say so, and may have more of the answer than came
 */
export const settledAs = <const Outcome extends MessageOutcome>(outcome: Outcome, unconfirmed?: true) =>
  [
    {type: 'settleFailed', params: {outcome, unconfirmed}},
    {type: 'reportChange', params: {phase: 'settled', outcome}},
  ] as const
