import type {FeedEvent} from '#domain/answer.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import type {AnswerPiece, AnswerPosition} from '#domain/answer-pieces.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'

export type AnswerFeedInput = {userId: string; environment: EnvironmentActor}

/** A follower and the position in the answer that it has reached. */
export type Follow = AnswerPosition & {follower: string}

/** Messages between the tabs of one browser and user. */
export type PeerEvent =
  /** Another tab opened the stream, for all. */
  | {type: 'peer.opened'}
  /** The stream of another tab broke; that tab opens it again. */
  | {type: 'peer.disconnected'}
  /** Another tab lacks the deltas after these positions. */
  | {type: 'peer.asked'; answers: AnswerPosition[]}
  /** The leader reports what its stream brought. */
  | {type: 'peer.reported'; pieces: AnswerPiece[]}

/** Messages to and from the other tabs arrive from now on. */
export type PeersFact = {type: 'peers.ready'}

export type AnswerFeedEvent =
  | {type: 'answer.follow'; follower: string; answer: AnswerPosition}
  | {type: 'answer.leave'; follower: string}
  | {type: 'connection.restored'}
  | LeadershipFact
  | FeedEvent
  | PeersFact
  | PeerEvent

export type AnswerFeedContext = AnswerFeedInput & {
  follows: Follow[]
  /** All that the open stream of the leader has brought. */
  carried: AnswerPiece[]
  /** Failures of the stream in a row. */
  failures: number
}

export type AnswerFeedEmitted =
  /** The stream was opened again: it lacks the answers that ended before. */
  | {type: 'feed.opened'}
  /** The stream broke, here or in the tab that leads. It is opened again. */
  | {type: 'feed.disconnected'}
  | {type: 'feed.delivered'; follower: string; piece: AnswerPiece}
