import type {ChatCapability} from '#contract/management.ts'
import type {MessageOutcome} from '#contract/chat.ts'
import type {Delta, Exchange} from './exchange.ts'
import type {AnswerPiece} from './answer-pieces.ts'
import type {Failure} from './failure.ts'

/** A report of the stream of an answer. The end of the stream itself says nothing about the answer. */
export type AnswerEvent =
  /** The server accepted the request (headers of a 200); the first delta may take a while. */
  | {type: 'answer.connected'}
  /** The stream that all tabs share broke. It is opened again by itself: `answer.connected`. */
  | {type: 'answer.disconnected'}
  /** Bytes without content arrived (a `: ping`): the connection works. At most one every few seconds. */
  | {type: 'answer.pinged'}
  /** Names the answer; deltas before it are dropped. A server that names nothing gets our key and attempt 1. */
  | {
      type: 'answer.started'
      conversation?: string
      message: string
      attempt: number
      /** The server's name of the question. */
      question?: string
      provider?: string
      sandbox?: boolean
    }
  | ({type: 'answer.received'} & Delta)
  /** `[DONE]`, the last ndjson line or a whole JSON answer. `truncated`: it reached the longest length it may have. */
  | {type: 'answer.completed'; outcome?: MessageOutcome}
  /** The server said in the stream that the answer failed, and how. */
  | {type: 'answer.failed'; failure: Failure; outcome?: MessageOutcome}

/** A question, or an answer to resume. */
export type AnswerInput = {
  request: 'ask' | 'resume'
  /** The server's id; absent in a new conversation. */
  conversation?: string
  model: string
  /** Instructions of a new conversation. */
  preset?: string | undefined
  capabilities: readonly ChatCapability[]
  /** The message that the question or its answer is a new version of. */
  versionOf?: string | undefined
  /** The message that the question follows, where the server has chosen another path. */
  after?: string | undefined
  /** The question without an answer that is answered as it stands. */
  answerTo?: string | undefined
  exchange: Pick<Exchange, 'question' | 'references' | 'key' | 'attempt' | 'lastSeq'> & {message: string}
}

/** An event of the stream of all running answers. Frames of one read are one event. */
export type FeedEvent =
  | {type: 'feed.connected'}
  | {type: 'feed.pinged'}
  | {type: 'feed.received'; pieces: AnswerPiece[]}
