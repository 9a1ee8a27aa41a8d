import {doneMarker, type AnswerFrame, type FollowFrame} from '#contract/answer-frames.ts'
import type {FailureId} from '../../http/failure.ts'
import type {NumberedText} from './answer-reader.ts'
import type {AnswerRow} from './answer-store.ts'
import type {FollowedStep} from './follow-answers.ts'
import type {AnswerEnd} from './live-answer.ts'

/** How an answer goes over the wire; chosen by `Accept` (docs/architecture.md, "Answers on the wire"). */
export type AnswerForm = 'event-stream' | 'ndjson' | 'json'

export const contentTypes: Record<Exclude<AnswerForm, 'json'>, string> = {
  'event-stream': 'text/event-stream; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
}

/** The form a client asks for: JSON unless it names a stream. */
export function chooseForm(accept: string | null): AnswerForm {
  const acceptedTypes = (accept ?? '').toLowerCase()
  if (acceptedTypes.includes('text/event-stream')) return 'event-stream'
  return acceptedTypes.includes('application/x-ndjson') ? 'ndjson' : 'json'
}

export const ping = ': ping\n\n'

/** Writes one answer from `lastSeq` on. ndjson repeats the whole answer in each line: the text before comes first. */
export type FrameWriter = {
  head: () => string
  deltas: (deltas: readonly NumberedText[]) => string
  end: (end: AnswerEnd) => string
}

export function createFrameWriter(
  form: 'event-stream' | 'ndjson',
  answer: AnswerRow & {question?: string | undefined},
  lastSeq: number,
  before: string,
): FrameWriter {
  const id = answer.conversationId
  const head: AnswerFrame = {
    id,
    message: answer.messageId,
    attempt: answer.attempt,
    question: answer.question,
    provider: answer.provider,
    sandbox: answer.provider === 'sandbox',
    delta_answer: '',
  }
  const verdict = (end: AnswerEnd) =>
    end.state === 'failed' ? {id, error: end.error, outcome: end.outcome} : {id, outcome: end.outcome}
  if (form === 'event-stream') {
    // what is the same in every delta is written once
    const before = `\ndata: ${openObject({id})},"delta_answer":`
    return {
      head: () => `id: ${lastSeq}\ndata: ${JSON.stringify(head)}\n\n`,
      deltas: (deltas) => deltas.map(({seq, text}) => `id: ${seq}${before}${JSON.stringify(text)}}\n\n`).join(''),
      end: (end) =>
        (end.outcome === undefined ? '' : `data: ${JSON.stringify(verdict(end))}\n\n`) +
        (end.state === 'finished' ? `data: ${doneMarker}\n\n` : ''),
    }
  }
  let whole = before
  return {
    head: () => `${JSON.stringify({...head, answer: whole})}\n`,
    // one line for all: with one for each, a reader who joins at the end would be written thousands of answers
    deltas: (deltas) => {
      const text = deltas.map((delta) => delta.text).join('')
      whole += text
      return `${JSON.stringify({id, answer: whole, delta_answer: text})}\n`
    },
    end: (end) => `${JSON.stringify({...verdict(end), answer: whole, delta_answer: '', state: end.state})}\n`,
  }
}

/** A JSON object to which more fields are added. */
const openObject = (fields: Record<string, unknown>): string => JSON.stringify(fields).slice(0, -1)

/** Writes the steps of many answers into one stream: each object names its answer. */
export function createFollowWriter(
  form: 'event-stream' | 'ndjson',
  say: (id: FailureId) => string,
): (step: FollowedStep) => string {
  const [before, after] = form === 'event-stream' ? ['data: ', '\n\n'] : ['', '\n']
  const write = (frame: FollowFrame) => before + JSON.stringify(frame) + after
  const openings = new WeakMap<AnswerRow, string>()
  /** The beginning of every delta of an answer, written once. */
  const openDelta = (answer: AnswerRow): string => {
    const {conversationId: id, messageId: message, attempt} = answer
    const start = openings.get(answer) ?? `${before}${openObject({id, message, attempt})},"seq":`
    openings.set(answer, start)
    return start
  }
  return (row) => {
    if ('gone' in row) {
      const {id, message, attempt, last_seq: seq} = row.gone
      const error = {code: 'not_found', message: say('answerUnfollowed')}
      return write({id, message, attempt, seq, state: 'failed', error})
    }
    const {answer, lastSeq, step} = row
    const name = {id: answer.conversationId, message: answer.messageId, attempt: answer.attempt}
    if (step === 'begin') {
      const {provider} = answer
      return write({...name, seq: lastSeq, provider, sandbox: provider === 'sandbox'})
    }
    if ('deltas' in step) {
      const start = openDelta(answer)
      return step.deltas.map(({seq, text}) => `${start}${seq},"delta_answer":${JSON.stringify(text)}}${after}`).join('')
    }
    const {end} = step
    const error = end.state === 'failed' ? end.error : undefined
    return write({...name, seq: lastSeq, state: end.state, outcome: end.outcome, error})
  }
}
