import type {Database} from '../../store/database.ts'
import {rowMoves, type RowMovesParts} from '../../runs/row-moves.ts'
import {createWaits} from '../../work/races.ts'
import type {AnswerReader, Numbered, StoredPart} from './answer-reader.ts'
import type {AnswerEnd, LiveAnswer} from './live-answer.ts'

/** Of text in one step, so that a reader who does not read holds no more than this. */
const charactersAtOnce = 16_384

export type FollowParts = RowMovesParts & {
  database: Database
  /** What other processes have stored. */
  reader: AnswerReader
  /** The answer in memory, when it runs in this process. */
  live: (answerId: string) => LiveAnswer | undefined
}

export type FollowStep = {deltas: readonly Numbered[]} | {end: AnswerEnd}

/**
 * The deltas of an answer after `lastSeq`, in order, without gap or double, then its end: from memory when it runs in
 * this process, else from the rows, woken by the other process. Pulled by its reader, so a slow reader holds nothing up.
 * An answer whose conversation was deleted meanwhile ends as interrupted. Ends silently when `signal` aborts.
 */
export async function* followAnswer(
  parts: FollowParts,
  {answerId, userId, lastSeq}: {answerId: string; userId: string; lastSeq: number},
  signal: AbortSignal,
): AsyncGenerator<FollowStep> {
  let seq = lastSeq
  let live: LiveAnswer | undefined
  for await (const _move of rowMoves(parts, answerId, signal)) {
    live = parts.live(answerId)
    if (live !== undefined) break
    let part: StoredPart
    do {
      part = await parts.reader.read({answerId, userId, seq})
      for (const deltas of inSteps(part.deltas)) {
        yield {deltas}
        seq = deltas.at(-1)?.seq ?? seq
      }
      if (part.end !== undefined) {
        yield {end: part.end}
        return
      }
      if (signal.aborted) return
      // what is stored after this look has a notice of its own, for which `rowMoves` listens already
    } while (part.isCut)
  }
  if (live === undefined) return
  // Here and no generator of its own: handing its steps on would take longer than making them.
  const waits = createWaits(live.onceChanged, signal)
  try {
    while (!signal.aborted) {
      if (seq < live.deltas.length) {
        const deltas = nextOf(live.deltas, seq)
        seq += deltas.length
        yield {deltas}
      } else if (live.end !== undefined) {
        yield {end: live.end}
        return
      } else await waits.next()
    }
  } finally {
    waits.end()
  }
}

function nextOf(deltas: readonly string[], seq: number): Numbered[] {
  const next: Numbered[] = []
  let characters = 0
  for (let index = seq; index < deltas.length && characters < charactersAtOnce; index += 1) {
    const text = deltas[index] ?? ''
    next.push({seq: index + 1, text})
    characters += text.length
  }
  return next
}

function* inSteps(deltas: readonly Numbered[]): Generator<Numbered[]> {
  let step: Numbered[] = []
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
