import {eq} from 'drizzle-orm'
import type {Database} from '../store/database.ts'
import {tasks} from '../store/schema/media.ts'
import {rowMoves, type RowMovesParts} from '../runs/row-moves.ts'
import type {TaskRow} from './task-store.ts'

export type FollowTaskParts = RowMovesParts & {database: Database}

export const isEnded = ({state}: Pick<TaskRow, 'state'>): boolean => state === 'succeeded' || state === 'failed'

/**
 * The task now and after each change until its end, in whichever process it runs. Ends without a last row if the task
 * is deleted or `signal` aborts.
 */
export async function* followTask(
  parts: FollowTaskParts,
  {taskId, userId}: {taskId: string; userId: string},
  signal: AbortSignal,
): AsyncGenerator<TaskRow> {
  let lastState = ''
  for await (const _move of rowMoves(parts, taskId, signal)) {
    const [row] = await parts.database.asUser(userId, (transaction) =>
      transaction.select().from(tasks).where(eq(tasks.id, taskId)),
    )
    if (row === undefined) return
    const now = `${row.state} ${row.progress} ${row.fence}`
    if (now === lastState) continue
    lastState = now
    yield row
    if (isEnded(row)) return
  }
}
