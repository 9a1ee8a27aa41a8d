import {eq} from 'drizzle-orm'
import type {Timers} from '../providers/timers.ts'
import type {Database} from '../store/database.ts'
import {tasks} from '../store/schema/media.ts'
import {nextMove} from '../work/next-move.ts'
import type {RowSignals} from '../work/row-signals.ts'
import type {TaskRow} from './task-store.ts'

export type FollowTaskParts = {database: Database; signals: Pick<RowSignals, 'onceMoved'>; timers: Timers}

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
  while (!signal.aborted) {
    const moved = nextMove(parts, taskId, signal)
    const [row] = await parts.database.asUser(userId, (transaction) =>
      transaction.select().from(tasks).where(eq(tasks.id, taskId)),
    )
    if (row === undefined) return moved.cancel()
    const now = `${row.state} ${row.progress} ${row.fence}`
    if (now === seen) {
      await moved.done
      continue
    }
    moved.cancel()
    seen = now
    yield row
    if (isEnded(row)) return
  }
}
