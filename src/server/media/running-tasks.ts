import {and, desc, eq} from 'drizzle-orm'
import type {RunningTasks} from '#contract/management.ts'
import type {ServerDeps} from '../deps.ts'
import {managementRoute, type Route} from '../http/route.ts'
import {isOpen} from '../runs/run-store.ts'
import type {Transaction} from '../store/database.ts'
import {tasks} from '../store/schema/media.ts'
import {taskRuns} from './task-store.ts'

/** Five tasks of a user run at once and the others wait in the queue: at most so many are named, newest first. */
const mostNamed = 200

/** Names of tasks only: a client asks their service for the tasks. The index holds nothing that has ended. */
export const findRunning = (transaction: Transaction, userId: string) =>
  transaction
    .select({id: tasks.id, service: tasks.service, createdAt: tasks.createdAt})
    .from(tasks)
    .where(and(eq(tasks.userId, userId), isOpen(taskRuns)))
    .orderBy(desc(tasks.createdAt))
    .limit(mostNamed)

/**
 * Ours, announced as `running` in the page's configuration: names the running tasks of the token's subject over all
 * services, so that a browser that knows of none of it need not ask each service.
 */
export const runningTasksRoute = ({database}: Pick<ServerDeps, 'database'>): Route =>
  managementRoute('GET', '/tasks/running', 'user', {
    handle: async ({identity}) => {
      const {userId} = identity
      const rows = await database.asUser(userId, (transaction) => findRunning(transaction, userId))
      const answer: RunningTasks = {
        items: rows.map(({createdAt, ...item}) => ({...item, created_at: createdAt.getTime() / 1000})),
      }
      return Response.json(answer)
    },
  })
