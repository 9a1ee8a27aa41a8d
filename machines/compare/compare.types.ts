import type {Ask, QuestionContent} from '#domain/conversation.ts'

/**
 * How a column stands. `opening`: its conversation is looked for. `unread`: it is not on this device, and the list could
 * not be read. `unsent`: there is no network, and its question goes out when there is one. `unconfirmed`: stopped here,
 * but the server did not confirm it. `unpaid`: its question waits for credits. `gone`: it was deleted.
 */
export type ColumnPhase =
  | 'opening'
  | 'unread'
  | 'waiting'
  | 'writing'
  | 'reconnecting'
  | 'unsent'
  | 'stopping'
  | 'finished'
  | 'stopped'
  | 'unconfirmed'
  | 'interrupted'
  | 'refused'
  | 'unpaid'
  | 'gone'

/**
 * A conversation as the user sees it. `id`: the server's. `askedAt` in unix milliseconds, while it is answered; `answer`
 * tells the answer that it ends with from any other; `took`: how long that was seen to take when the comparison was on
 * screen before.
 */
export type SeenColumn = {
  name: string
  id?: string
  phase: ColumnPhase
  askedAt?: number
  answer?: string
  took?: number
}

/**
 * One conversation of a comparison, by key or server id. `from`: when its running answer was asked for; `took`: how
 * long `answer`, the last one, was seen to take. In unix milliseconds and milliseconds.
 */
export type Column = {name: string; id?: string; phase: ColumnPhase; from?: number; answer?: string; took?: number}

/** A conversation to be made, with its first question; `key` is that question's. */
export type NewColumn = {name: string; model: string; key: string}

type Question = QuestionContent & {at: number}

/** The address names these conversations. */
export type ComparisonOpen = {type: 'comparison.open'; names: string[]}

export type CompareEvent =
  | {type: 'model.toggle'; model: string}
  /** One question to several models, a new conversation for each. `at` in unix seconds. */
  | ({type: 'comparison.begin'; columns: NewColumn[]} & Question)
  /** The next question, in these conversations; in one that is busy it waits for its turn. */
  | ({type: 'question.ask'; asks: {name: string; key: string}[]} & Question)
  | {type: 'column.stop'; name: string}
  | {type: 'columns.stop'}
  /** Asks the last question of one conversation again, with a new key. */
  | {type: 'column.retry'; name: string; key: string; at: number}
  | ComparisonOpen
  /** Back to the choice of models. */
  | {type: 'comparison.new'}
  /** Watches the conversations again after the watch broke. */
  | {type: 'comparison.resume'}
  | ColumnsSeen

/** `at` in unix milliseconds. */
export type ColumnsSeen = {type: 'columns.seen'; at: number; columns: SeenColumn[]}

export type CompareInput = {
  /** Names of a comparison that was begun before. */
  names: string[]
  /** Names of models that are chosen at first. */
  models: string[]
}

/** A request to a port about one conversation. */
export type ColumnCreate = {column: NewColumn; beside: string[]} & Question
export type ColumnAsk = {name: string} & Ask & {at: number}
export type ColumnRetry = {name: string; key: string; at: number}

/** `answering`: an answer runs. `asked`: there is a comparison. */
export type CompareTag = 'answering' | 'asked'
