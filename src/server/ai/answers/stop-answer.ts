import {and, eq, sql} from 'drizzle-orm'
import {answers} from '../../store/schema/chat.ts'
import {isOpen} from '../../runs/run-store.ts'
import type {Runner} from '../../runs/runner.ts'
import {answerRuns, endOf, type AnswerRow} from './answer-store.ts'
import {rowMoves, type RowMovesParts} from '../../runs/row-moves.ts'
import {notifyRow} from '../../runs/row-signals.ts'
import {takeOver, type TakeOverParts} from './take-over.ts'

/** How long the worker of another process has to end its answer itself, with the deltas it has not stored yet. */
export const stopGraceMilliseconds = 1_000

export type StopParts = TakeOverParts & RowMovesParts & {runner: Pick<Runner<AnswerRow, never>, 'stop'>}

/**
 * Ends an answer of a user as stopped, in any process, and keeps its text; needs no listener (security R40, R42). An
 * answer that has ended stays as it is. Resolves with the row once the end is stored.
 */
export async function stopAnswer(
  parts: StopParts,
  {answerId, userId}: {answerId: string; userId: string},
): Promise<AnswerRow | undefined> {
  const openAnswer = await parts.database.asUser(userId, async (transaction) => {
    const [row] = await transaction
      .update(answers)
      .set({stopRequestedAt: sql`coalesce(${answers.stopRequestedAt}, ${parts.now().toISOString()}::timestamptz)`})
      .where(and(eq(answers.id, answerId), isOpen(answerRuns)))
      .returning()
    return row
  })
  if (openAnswer === undefined) return read(parts, answerId, userId)
  if (!(await parts.runner.stop(answerId, 'stop'))) {
    if (openAnswer.workerId !== null) await stopElsewhere(parts, answerId, userId)
    const row = await read(parts, answerId, userId)
    if (row !== undefined && endOf(row) === undefined) await takeOver(parts, row)
  }
  return read(parts, answerId, userId)
}

/** Tells the other process and waits until it has stored the end, or its grace is over. */
async function stopElsewhere(parts: StopParts, answerId: string, userId: string): Promise<void> {
  const grace = new AbortController()
  const cancel = parts.timers.after(stopGraceMilliseconds, () => grace.abort())
  await parts.database.asUser(userId, (transaction) => notifyRow(transaction, 'answer', answerId, 'stop'))
  try {
    for await (const _move of rowMoves(parts, answerId, grace.signal)) {
      const row = await read(parts, answerId, userId)
      if (row === undefined || endOf(row) !== undefined) return
    }
  } finally {
    cancel()
  }
}

const read = async ({database}: StopParts, answerId: string, userId: string): Promise<AnswerRow | undefined> => {
  const [row] = await database.asUser(userId, (transaction) =>
    transaction.select().from(answers).where(eq(answers.id, answerId)),
  )
  return row
}
