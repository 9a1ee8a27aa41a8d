import type {ChatMessage, Conversation, MessageOutcome} from '#contract/chat.ts'
import {
  messageFiles,
  messageText,
  namedFiles,
  userContent,
  type Ask,
  type FileSizes,
  type RecordMessage,
} from './conversation.ts'
import type {Failure} from './failure.ts'

/** One question and the answer in progress. */
export type Exchange = {
  question: string
  references: string[]
  sizes?: FileSizes | undefined
  /** Idempotency key, made with the click (security R45). */
  key: string
  /** The server's name of the answer. Absent until the server gave it: before, no delta is applied. */
  message?: string
  attempt: number
  lastSeq: number
  answer: string
  provider?: string | undefined
  sandbox?: boolean | undefined
  /** When it was asked, in unix seconds. */
  at?: number | undefined
  /** The model that was asked: the one that is chosen meanwhile is for the next question. */
  model: string
  /** The other versions of the answer, oldest first. */
  versions?: string[] | undefined
  /** Reconnects since the last delta. */
  reconnects: number
  /** Asked without a network, and there was none since: no server has the question. */
  isHeld?: boolean | undefined
}

export const startExchange = ({question, references, sizes, key}: Ask, model: string): Exchange => ({
  question,
  references,
  sizes,
  key,
  model,
  attempt: 1,
  lastSeq: 0,
  answer: '',
  reconnects: 0,
})

/** Id of the answer in the history: its key until the server has named it. */
export const answerId = ({message, key}: Pick<Exchange, 'message' | 'key'>) => message ?? key

export const userMessage = (ask: Ask): RecordMessage => ({role: 'user', content: userContent(ask)})

const versionsIn = ({versions}: Pick<Exchange, 'versions'>) => (versions === undefined ? {} : {versions})

export type DeltaAddress = {conversation?: string; message: string; attempt: number}
export type Delta = DeltaAddress & {
  seq: number
  text: string
  /** First sequence number of a batch; `seq` is its last. */
  from?: number
}

const isAddressed = (exchange: Exchange, conversation: string | undefined, address: DeltaAddress) =>
  address.message === exchange.message &&
  address.attempt === exchange.attempt &&
  (address.conversation === undefined || conversation === undefined || address.conversation === conversation)

/** A delta is applied only to its conversation, message and attempt, and only once (security R43). */
export const isNextDelta = (exchange: Exchange | undefined, conversation: string | undefined, delta: Delta) =>
  exchange !== undefined &&
  isAddressed(exchange, conversation, delta) &&
  (delta.from === undefined ? delta.seq > exchange.lastSeq : delta.from === exchange.lastSeq + 1)

/** Deltas between the last one and this one are missing: the text cannot be continued. */
export const isDeltaGap = (exchange: Exchange | undefined, conversation: string | undefined, delta: Delta) =>
  exchange !== undefined &&
  isAddressed(exchange, conversation, delta) &&
  delta.from !== undefined &&
  delta.from > exchange.lastSeq + 1

/** A text without a sequence number came from a copy: the first delta replaces it. */
export const appendDelta = (exchange: Exchange, {seq, text}: Delta): Exchange => ({
  ...exchange,
  answer: exchange.lastSeq === 0 ? text : exchange.answer + text,
  lastSeq: seq,
  reconnects: 0,
})

type Verdict =
  | {state: 'finished'; outcome?: MessageOutcome | undefined}
  | {state: 'failed'; outcome: MessageOutcome; unconfirmed?: true | undefined; failure?: Failure}

/** Without an answer the detail is a browser's words, in no language of ours: they are not kept. */
const errorOf = ({code, detail, lost, field, needed, available}: Failure) => ({
  code,
  ...(lost ? {} : {message: detail}),
  ...(field === undefined ? {} : {field}),
  ...(needed === undefined ? {} : {needed, available}),
})

/** The message of a settled exchange. Its partial text is always kept (security R42). */
export const settledMessage = (exchange: Exchange, verdict: Verdict): RecordMessage => ({
  role: 'assistant',
  content: exchange.answer,
  id: answerId(exchange),
  attempt: exchange.attempt,
  model: exchange.model,
  ...versionsIn(exchange),
  ...(exchange.at === undefined ? {} : {created_at: exchange.at}),
  ...(exchange.provider === undefined ? {} : {provider: exchange.provider}),
  ...(exchange.sandbox === undefined ? {} : {sandbox: exchange.sandbox}),
  state: verdict.state,
  ...(verdict.state === 'failed'
    ? {
        outcome: verdict.outcome,
        ...(verdict.failure ? {error: errorOf(verdict.failure)} : {}),
        ...(exchange.message === undefined ? {unsent: true} : {}),
        ...(verdict.unconfirmed ? {unconfirmed: true} : {}),
      }
    : verdict.outcome === undefined
      ? {}
      : {outcome: verdict.outcome}),
})

/** The server has the question no more that was to be answered as it stands. */
const isQuestionGone = (verdict: Verdict) => verdict.state === 'failed' && verdict.failure?.field === 'answer_to'

/**
 * The history after an exchange: a question that no server accepted is marked, like its failure. One that was deleted
 * on another page is such a question from then on.
 */
export const settledHistory = (
  messages: readonly RecordMessage[],
  exchange: Exchange,
  verdict: Verdict,
): RecordMessage[] => {
  const settledAnswer = settledMessage(exchange, verdict)
  const question = lastUserIndex(messages)
  const history = messages.map((message, index) =>
    settledAnswer.unsent === true && index === question && (message.id == null || isQuestionGone(verdict))
      ? unsentQuestion(message)
      : message,
  )
  return [...history, settledAnswer]
}

/** Whether a server may have some of these: a question stopped or lost before its first delta may have arrived. */
export const mayBeStored = (messages: readonly RecordMessage[]) =>
  messages.some(({unsent, outcome}) => unsent !== true || (outcome != null && outcome !== 'refused'))

/** Beside the versions that are left, if there were others. */
const unsentQuestion = ({id, ...message}: RecordMessage): RecordMessage => ({
  ...message,
  ...(message.versions && {versions: message.versions.filter((version) => version !== id)}),
  unsent: true,
})

/** The message of a running answer, with what a later session needs to find it again. */
export const runningMessage = (exchange: Exchange): RecordMessage => ({
  role: 'assistant',
  content: exchange.answer,
  id: answerId(exchange),
  model: exchange.model,
  state: exchange.lastSeq > 0 ? 'answering' : 'pending',
  seq: exchange.lastSeq,
  ...(exchange.message === undefined ? {held: exchange.isHeld} : {attempt: exchange.attempt}),
  ...versionsIn(exchange),
})

const lastUserIndex = (messages: readonly ChatMessage[]) => messages.findLastIndex(({role}) => role === 'user')

/** Question and attachments of a stored message of the user. */
export const askOf = ({content}: Pick<ChatMessage, 'content'>, key: string): Ask => ({
  question: messageText(content),
  ...namedFiles(messageFiles(content)),
  key,
})

/** The index at which regenerate and retry cut the history: before the last question (contract/chat §4). */
export const lastQuestion = <Message extends ChatMessage>(messages: readonly Message[]) => {
  const index = lastUserIndex(messages)
  const message = messages[index]
  return message === undefined ? undefined : {index, message}
}

/**
 * Splits a stored history whose last answer was running: the settled part, and the exchange to find again. `model` is
 * the conversation's. `isOnline`: there is a network, so that a question without one goes out.
 */
export function reviveExchange(messages: readonly RecordMessage[], model: string, isOnline = true) {
  const last = messages.at(-1)
  const question = lastQuestion(messages)
  if (last?.role !== 'assistant' || question === undefined) return undefined
  if (last.state !== 'pending' && last.state !== 'answering') return undefined
  const key = last.id ?? ''
  const exchange: Exchange = {
    ...startExchange(askOf(question.message, key), last.model ?? model),
    ...(last.attempt != null && last.id != null ? {message: last.id} : {}),
    ...versionsIn(last),
    attempt: last.attempt ?? 1,
    lastSeq: last.seq ?? 0,
    isHeld: isOnline ? undefined : last.held,
    // a text without its sequence number cannot be continued: read it from the start
    answer: last.seq ? messageText(last.content) : '',
  }
  return {messages: messages.slice(0, -1), exchange}
}

/** The exchange of a last answer that was given up, with its text: the first delta, or a copy, replaces it. */
export function reopenExchange(messages: readonly RecordMessage[], model: string) {
  const last = messages.at(-1)
  if (last === undefined) return undefined
  const revived = reviveExchange(messages.with(-1, {...last, state: 'answering'}), model)
  const {created_at: at, provider, sandbox, content} = last
  return revived && {...revived, exchange: {...revived.exchange, at, provider, sandbox, answer: messageText(content)}}
}

/** The longer of two texts of one answer if it continues the other; else the server's. */
export const longerText = (ours: string, theirs: string) => (ours.startsWith(theirs) ? ours : theirs)

export type FoundAnswer = {
  text: string
  state: 'running' | 'finished' | 'failed'
  message?: string
  attempt?: number
  outcome?: MessageOutcome
  failure?: Failure
}

/** An answer that stood there before: one of these messages, or, without names, behind too few questions. */
const isEarlier = ({id}: ChatMessage, messages: readonly ChatMessage[], history: readonly RecordMessage[]) =>
  id
    ? history.some((message) => message.id === id)
    : messages.filter(({role}) => role === 'user').length <=
      history.filter(({role, state, removing}) => role === 'assistant' && state !== 'failed' && removing !== true)
        .length

/**
 * Finds the answer of an exchange in a retrieved conversation: by its id, else as the reply to the last question with
 * the same text. A foreign server names no state; its stored text is a complete answer.
 *
 * @param history what stands in the thread before the answer: the same words may have been asked before
 * @param replacedId the version that the exchange replaces: while it is shown, none of the answers is that of the
 * exchange
 */
export function findAnswer(
  {messages}: Conversation,
  exchange: Exchange,
  history: readonly RecordMessage[],
  replacedId?: string,
): FoundAnswer | undefined {
  const {message} = exchange
  const byId = message === undefined ? undefined : messages.find(({id, role}) => role === 'assistant' && id === message)
  const question = lastQuestion(messages)
  const reply =
    question !== undefined && messageText(question.message.content) === exchange.question
      ? messages.slice(question.index + 1).findLast(({role}) => role === 'assistant')
      : undefined
  const match = byId ?? (reply && !isEarlier(reply, messages, history) ? reply : undefined)
  if (match === undefined) return undefined
  if (replacedId !== undefined && messages.some(({id}) => id === replacedId)) return undefined
  const text = messageText(match.content)
  const base = {
    text,
    ...(match.id ? {message: match.id} : {}),
    ...(match.attempt ? {attempt: match.attempt} : {}),
  }
  if (match.state === 'pending' || match.state === 'answering') return {...base, state: 'running'}
  if (match.state !== 'failed') {
    if (text === '' && !match.state) return undefined
    return {...base, state: 'finished', ...(match.outcome ? {outcome: match.outcome} : {})}
  }
  return {
    ...base,
    state: 'failed',
    outcome: match.outcome ?? (match.error ? 'refused' : 'interrupted'),
    ...(match.error ? {failure: {code: match.error.code, detail: match.error.message ?? ''}} : {}),
  }
}
