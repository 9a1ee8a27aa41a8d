import type {IncomingMessage} from 'node:http'
import {setTimeout as pause} from 'node:timers/promises'
import {sandboxLine} from '#sandbox/reply.ts'
import {numberedText} from '#sandbox/word-stream.ts'
import {textFor} from '../server/kill-loop.provider.ts'
import {framesOf, jsonOf, Unexpected, type Frame} from './client.ts'
import {newKey, type User} from './user.ts'
import type {QuestionRecord} from './records.ts'

const path = '/aichat/conversations'
const streamed = {accept: 'text/event-stream'}

/** How a question is read to its end. */
export type Manner = 'read' | 'leave' | 'stop' | 'follow'

type Asked = {model: string; question: string; expected: string}

/** A question that no other one of the run equals, with what its answer will be. */
function newQuestion(user: User): Asked {
  if (user.whole(2) === 0) {
    const question = `${20 + user.whole(40)} ${user.next('words')}`
    return {model: 'foo-model', question, expected: textFor(question)}
  }
  const [words, pace] = [20 + user.whole(180), 40 + user.whole(60)]
  const question = `/stream ${words} ${pace} ${user.next('stream')}`
  return {
    model: 'sandbox-chatgpt',
    question,
    expected: `${sandboxLine}\n\n${numberedText(words)}`.trimEnd(),
  }
}

type Head = {id: string; message: string; attempt: number}

/** Asks in the conversation, or a new one, and reads in the manner. Gives the conversation to go on in. */
export async function ask(user: User, conversation: string | undefined, manner: Manner) {
  const {model, question, expected} = newQuestion(user)
  const record: QuestionRecord = {...user.note(`${manner} "${question}"`), question, expected, text: '', lastSeq: 0}
  user.records.questions.push(record)
  const body = {question, model, stateful: true, ...(conversation === undefined ? {} : {id: conversation})}
  const key = newKey()
  const head = await begin(user, record, () =>
    user.client.stream(user.apiWish(path, body, {...streamed, 'idempotency-key': key})),
  )
  if (head === undefined) return conversation
  const {frames, ...named} = head
  if (manner === 'follow') {
    await frames.return(undefined)
    await follow(user, record, named)
  } else {
    const limit = manner === 'read' ? Infinity : 5 + user.whole(30)
    await hear(user, record, frames, limit)
    if (manner === 'stop' && record.end === undefined) await stop(user, record, named)
    if (manner === 'leave' && record.end === undefined) await pause(user.whole(2_000))
  }
  await resumeToEnd(user, record, named)
  // after an answer of which no word is stored both questions are asked together, and what is expected would be another
  // one; what was heard of a stopped one need not be stored, where its node died with it
  return record.end?.state === 'finished' ? named.id : undefined
}

/** Until the first frame of the answer was heard: from there on the question is acknowledged. */
async function begin(user: User, record: QuestionRecord, send: () => Promise<IncomingMessage>) {
  for (;;) {
    const response = await send()
    if (response.statusCode !== 200) {
      const text = await bodyOf(response)
      // the answer before it has not ended yet on all nodes
      if (response.statusCode === 409 && !user.parts.isOver()) {
        await pause(500)
        continue
      }
      record.refused = `${response.statusCode} ${text.slice(0, 200)}`
      if (response.statusCode !== 403) user.fault(record.request, `refused: ${record.refused}`)
      return undefined
    }
    const frames = framesOf(response)
    const first = await frames.next().catch(() => undefined)
    if (first?.value !== undefined && first.value.data !== '[DONE]') {
      const {id, message, attempt} = first.value.data
      const head: Head = {id: String(id), message: String(message), attempt: Number(attempt)}
      Object.assign(record, {conversation: head.id, message: head.message})
      return {...head, frames}
    }
    user.client.count('cut before its head', path)
    if (user.parts.isOver()) throw new Unexpected('a question is never answered')
  }
}

const bodyOf = async (response: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const piece of response) text += String(piece)
  return text
}

/** Hears a stream, up to `most` deltas or its end. A broken one is left as it is. */
async function hear(user: User, record: QuestionRecord, frames: AsyncGenerator<Frame>, most: number): Promise<void> {
  let heard = 0
  try {
    for await (const {seq, data} of frames) {
      if (data === '[DONE]') {
        record.end = {state: 'finished', outcome: record.end?.outcome}
        return
      }
      takeDelta(user, record, seq, data['delta_answer'])
      if (typeof data['outcome'] === 'string')
        record.end = {state: data['error'] === undefined ? 'finished' : 'failed', outcome: data['outcome']}
      if (record.end?.state === 'failed') return
      heard += 1
      if (heard > most) return
    }
  } catch {
    user.client.count('cut stream', path)
  }
}

/** Deltas are numbered: a gap or a double is a fault of the server. The head repeats the last number with no text. */
function takeDelta(user: User, record: QuestionRecord, seq: number | undefined, delta: unknown): void {
  if (typeof delta !== 'string' || delta === '' || seq === undefined) return
  if (seq !== record.lastSeq + 1)
    user.fault(record.request, `delta ${seq} came after ${record.lastSeq} (message ${record.message})`)
  record.lastSeq = seq
  record.text += delta
}

/** Resumes, at whatever node the proxy chooses, until the answer has ended. */
async function resumeToEnd(user: User, record: QuestionRecord, {id, message, attempt}: Head): Promise<void> {
  while (record.end === undefined) {
    const body = {action: 'resume', id, message, attempt, last_seq: record.lastSeq}
    const response = await user.client.stream(user.apiWish(path, body, streamed))
    if (response.statusCode !== 200) {
      user.fault(record.request, `resume: ${response.statusCode} ${(await bodyOf(response)).slice(0, 200)}`)
      return
    }
    await hear(user, record, framesOf(response), Infinity)
    if (record.end === undefined && user.parts.isOver()) return
  }
}

async function stop(user: User, record: QuestionRecord, {id, message}: Head): Promise<void> {
  const answer = await user.api(path, {action: 'stop', id, message})
  if (answer.status !== 200) return user.fault(`stop ${message}`, `${answer.status} ${answer.body.toString()}`)
  const state = jsonOf(answer)['state']
  if (state !== 'failed' && state !== 'finished') user.fault(`stop ${message}`, `answered with ${String(state)}`)
  record.stoppedAt = Date.now()
}

/** Hears the answer in the stream of all answers; where that ends or says that it is gone, the rest is resumed. */
async function follow(user: User, record: QuestionRecord, {id, message, attempt}: Head): Promise<void> {
  for (let turn = 0; turn < 5 && record.end === undefined; turn += 1) {
    const answers = [{id, message, attempt, last_seq: record.lastSeq}]
    const response = await user.client.stream(user.apiWish(path, {action: 'follow', answers}, streamed))
    if (response.statusCode !== 200)
      return user.fault(record.request, `follow: ${response.statusCode} ${(await bodyOf(response)).slice(0, 200)}`)
    try {
      for await (const {data} of framesOf(response)) {
        if (data === '[DONE]' || data['message'] !== message) continue
        takeDelta(user, record, Number(data['seq']), data['delta_answer'])
        const {state, outcome, error} = data
        if (state !== 'finished' && state !== 'failed') continue
        const isUnknown = typeof error === 'object' && error !== null && 'code' in error && error.code === 'not_found'
        if (!isUnknown) record.end = {state, outcome: typeof outcome === 'string' ? outcome : undefined}
        return
      }
    } catch {
      user.client.count('cut follow', path)
    }
  }
}
