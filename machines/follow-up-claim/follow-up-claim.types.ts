import type {LeadershipFact} from '#domain/leadership.ts'

/** The question that waits, by its key. */
export type FollowUpClaimInput = {key: string}

export type FollowUpClaimEvent =
  /** This tab is about to send the question. */
  | {type: 'claim.request'}
  /** The question waits again behind a turn of the conversation: this tab does not send it now. */
  | {type: 'claim.giveUp'}
  /** An editor of its text opens in this tab. */
  | {type: 'edit.begin'}
  | {type: 'edit.end'}
  | LeadershipFact

/** The sender of the request hears who sends the question: this tab alone, or another one. */
export type ClaimDecided = {type: 'claim.decided'; isOurs: boolean}
/** The browser does not say which tab is first. */
export type ClaimFailed = {type: 'claim.failed'; error: unknown}
