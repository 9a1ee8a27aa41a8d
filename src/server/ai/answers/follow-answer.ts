import type {Database} from '../../store/database.ts'
import {rowMoves, type RowMovesParts} from '../../runs/row-moves.ts'
import type {AnswerReader, NumberedText, StoredPart} from './answer-reader.ts'
import type {AnswerEnd, LiveAnswer} from './live-answer.ts'

/** Characters of text in one step, so that a reader who does not read holds no more than this. */
const charactersAtOnce = 16_384

export type FollowParts = RowMovesParts & {
  database: Database
  /** Reads the text that other processes have stored. */
  reader: AnswerReader
  /** The answer in memory, when it runs in this process. */
  live: (answerId: string) => LiveAnswer | undefined
}

export type FollowStep = {deltas: readonly NumberedText[]} | {end: AnswerEnd}

type ResumePosition = {answerId: string; userId: string; lastSeq: number}
type Steps = AsyncIterableIterator<FollowStep>
type StoredSteps = AsyncGenerator<FollowStep, {live: LiveAnswer; seq: number} | undefined>

const over = {done: true, value: undefined} as const

/**
 * The deltas of an answer after `lastSeq`, in order, without gap or double, then its end: from memory when it runs in
 * this process, else from the rows, woken by the other process. Pulled by its reader, so a slow reader holds nothing
 * up. An answer whose conversation was deleted meanwhile ends as interrupted. Ends silently when `signal` aborts. One
 * `next` at a time; `return` may come while it waits.
 */
export function followAnswer(parts: FollowParts, position: ResumePosition, signal: AbortSignal): Steps {
  const storedParts = followStored(parts, position, signal)
  let live: ReturnType<typeof followLive> | undefined
  let isLeft = false
  const nextStored = async (): Promise<IteratorResult<FollowStep, undefined>> => {
    const result = await storedParts.next()
    if (result.done !== true) return result
    if (result.value === undefined || isLeft) return over
    live = followLive(result.value.live, result.value.seq, signal)
    return live.next()
  }
  const steps: Steps = {
    next: () => (live === undefined ? nextStored() : live.next()),
    return: async () => {
      isLeft = true
      live?.leave()
      await storedParts.return(undefined)
      return over
    },
    [Symbol.asyncIterator]: () => steps,
  }
  return steps
}

/** Returns the answer in memory, and how far it was followed, once it runs here. */
async function* followStored(
  parts: FollowParts,
  {answerId, userId, lastSeq}: ResumePosition,
  signal: AbortSignal,
): StoredSteps {
  let seq = lastSeq
  for await (const _move of rowMoves(parts, answerId, signal)) {
    const live = parts.live(answerId)
    if (live !== undefined) return {live, seq}
    let part: StoredPart
    do {
      part = await parts.reader.read({answerId, userId, seq})
      for (const deltas of inSteps(part.deltas)) {
        yield {deltas}
        seq = deltas.at(-1)?.seq ?? seq
      }
      if (part.end !== undefined) {
        yield {end: part.end}
        return undefined
      }
      if (signal.aborted) return undefined
      // what is stored after this look has a notice of its own, for which `rowMoves` listens already
    } while (part.isCut)
  }
  return undefined
}

/** One promise a step and no generator: each word of each answer comes this way (docs/decisions/0096). */
function followLive(live: LiveAnswer, from: number, signal: AbortSignal) {
  let seq = from
  let isOver = signal.aborted
  let give: ((result: IteratorResult<FollowStep, undefined>) => void) | undefined
  let unlisten: () => void = () => undefined

  const leave = () => {
    isOver = true
    signal.removeEventListener('abort', leave)
    unlisten()
    give?.(over)
    give = undefined
  }
  signal.addEventListener('abort', leave)

  /** `undefined`: there is nothing new. */
  const take = (): IteratorResult<FollowStep, undefined> | undefined => {
    if (isOver) return over
    if (seq < live.deltas.length) {
      const deltas = nextOf(live.deltas, seq)
      seq += deltas.length
      return {done: false, value: {deltas}}
    }
    if (live.end === undefined) return undefined
    leave()
    return {done: false, value: {end: live.end}}
  }
  /** Gives the next step to the waiting reader. The change that woke it may have been read already. */
  const onChange = () => {
    const waiting = give
    give = undefined
    const result = take()
    if (result !== undefined) return waiting?.(result)
    give = waiting
    unlisten = live.onceChanged(onChange)
  }
  return {
    leave,
    next: (): Promise<IteratorResult<FollowStep, undefined>> => {
      const result = take()
      if (result !== undefined) return Promise.resolve(result)
      return new Promise((resolve) => {
        give = resolve
        unlisten = live.onceChanged(onChange)
      })
    },
  }
}

function nextOf(deltas: readonly string[], seq: number): NumberedText[] {
  const next: NumberedText[] = []
  let characters = 0
  for (let index = seq; index < deltas.length && characters < charactersAtOnce; index += 1) {
    const text = deltas[index] ?? ''
    next.push({seq: index + 1, text})
    characters += text.length
  }
  return next
}

function* inSteps(deltas: readonly NumberedText[]): Generator<NumberedText[]> {
  let step: NumberedText[] = []
  let characters = 0
  for (const delta of deltas) {
    step.push(delta)
    characters += delta.text.length
    if (characters < charactersAtOnce) continue
    yield step
    step = []
    characters = 0
  }
  if (step.length > 0) yield step
}
