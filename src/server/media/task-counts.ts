import {and, eq, gt, lte, sql, type SQL} from 'drizzle-orm'
import type {Transaction} from '../store/database.ts'
import {taskCounts, tasks} from '../store/schema/media.ts'

/** The user's tasks of a tool that a question is about. */
export type TaskFilter = {
  userId: string
  service: string
  type: string | undefined
  createdAtMax: Date | undefined
  /** Whatever else narrows it. */
  others: readonly SQL[]
}

const ofTool = ({userId, service, type}: TaskFilter) =>
  and(eq(tasks.userId, userId), eq(tasks.service, service), type === undefined ? undefined : eq(tasks.type, type))

export const matches = (filter: TaskFilter): SQL | undefined =>
  and(
    ofTool(filter),
    filter.createdAtMax === undefined ? undefined : lte(tasks.createdAt, filter.createdAtMax),
    ...filter.others,
  )

/** A page that lies further down is counted from the other end. */
const mostNewer = 10_000

/**
 * How many tasks a filter matches. The whole list is not counted but read from where a trigger keeps its number, and so
 * is what lies before a moment, less what came after it; all other filters are counted (docs/decisions/0082).
 */
export async function countTasks(transaction: Transaction, filter: TaskFilter): Promise<number> {
  const total = filter.others.length === 0 ? await keptCount(transaction, filter) : undefined
  if (total !== undefined) return total
  return transaction.$count(tasks, matches(filter))
}

/** In one statement, so that both numbers are of one moment. */
async function keptCount(transaction: Transaction, filter: TaskFilter): Promise<number | undefined> {
  const {userId, service, type, createdAtMax} = filter
  const newer =
    createdAtMax === undefined
      ? sql`0`
      : sql`(select count(*) from (
          select from ${tasks} where ${and(ofTool(filter), gt(tasks.createdAt, createdAtMax))}
          order by ${tasks.createdAt} desc limit ${mostNewer + 1}
        ) as newer)`
  const [row] = await transaction
    .select({
      all: sql`coalesce(sum(${taskCounts.tasks}), 0)`.mapWith(Number),
      newer: newer.mapWith(Number),
    })
    .from(taskCounts)
    .where(
      and(
        eq(taskCounts.userId, userId),
        eq(taskCounts.service, service),
        type === undefined ? undefined : eq(taskCounts.type, type),
      ),
    )
  if (row === undefined || row.newer > mostNewer) return undefined
  return row.all - row.newer
}
