import {eq} from 'drizzle-orm'
import type {Database} from '../store/database.ts'
import {tasks} from '../store/schema/media.ts'
import {rowMoves, type RowMovesParts} from '../runs/row-moves.ts'
import type {TaskRow} from './task-store.ts'

export type FollowTaskParts = RowMovesParts & {database: Database}

export const isEnded = ({state}: Pick<TaskRow, 'state'>): boolean => state === 'succeeded' || state === 'failed'

/**
 * A task whenever it has moved, from how it stands now to its end, whoever runs it. Ends without a word when the task is
 * deleted or `signal` aborts.
 */
export async function* followTask(
  parts: FollowTaskParts,
  {taskId, userId}: {taskId: string; userId: string},
  signal: AbortSignal,
): AsyncGenerator<TaskRow> {
  let seen = ''
  for await (const _move of rowMoves(parts, taskId, signal)) {
    const [row] = await parts.database.asUser(userId, (transaction) =>
      transaction.select().from(tasks).where(eq(tasks.id, taskId)),
    )
    if (row === undefined) return
    const now = `${row.state} ${row.progress} ${row.fence}`
    if (now === seen) continue
    seen = now
    yield row
    if (isEnded(row)) return
  }
}
