import {eq} from 'drizzle-orm'
import type {Database} from '../../store/database.ts'
import {answers} from '../../store/schema/chat.ts'
import {rowMoves, type RowMovesParts} from '../../runs/row-moves.ts'
import {createWaits} from '../../work/races.ts'
import {endOf, storedDeltas, type Numbered} from './answer-store.ts'
import {interrupted} from './answer-failure.ts'
import type {AnswerEnd, LiveAnswer} from './live-answer.ts'

/** Of text in one step, so that a reader who does not read holds no more than this. */
const charactersAtOnce = 16_384

export type FollowParts = RowMovesParts & {
  database: Database
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
  for await (const _move of rowMoves(parts, answerId, signal)) {
    const live = parts.live(answerId)
    if (live !== undefined) {
      yield* followLive(live, seq, signal)
      return
    }
    for (;;) {
      const step = await look(parts, answerId, userId, seq)
      if (step === undefined) break
      if ('end' in step) {
        yield step
        return
      }
      for (const deltas of inSteps(step.deltas)) {
        yield {deltas}
        seq = deltas.at(-1)?.seq ?? seq
      }
      if (signal.aborted) return
    }
  }
}

async function* followLive(live: LiveAnswer, lastSeq: number, signal: AbortSignal): AsyncGenerator<FollowStep> {
  let seq = lastSeq
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

/** The state is read before the deltas, in one transaction: after a stored end no delta can follow. */
const look = (parts: FollowParts, answerId: string, userId: string, seq: number): Promise<FollowStep | undefined> =>
  parts.database.asUser(userId, async (transaction) => {
    const [row] = await transaction
      .select({state: answers.state, outcome: answers.outcome, error: answers.error})
      .from(answers)
      .where(eq(answers.id, answerId))
    if (row === undefined) return {end: interrupted}
    const deltas = await storedDeltas(transaction, answerId, seq)
    if (deltas.length > 0) return {deltas}
    const end = endOf(row)
    return end && {end}
  })
