import {task as taskSchema, type Task} from '#contract/task.ts'
import {z} from '#contract/schema.ts'
import {isRecord} from '#contract/is-record.ts'
import {createRequester, type ApiDeps, type Call} from './request.ts'

export type TasksApiDeps = Omit<ApiDeps, 'fetch'> & {
  /** With the credential of a service, which the first segment of its paths names (`credential-fetch.ts`). */
  fetchFor: (service: string) => ApiDeps['fetch']
}

/** Times in unix seconds with fractions. `type` is omitted for tools without one (contract/media §1.5). */
export type TaskQuery = {
  service: string
  ids?: readonly string[]
  applicationId?: string
  userId?: string
  type?: string
  limit?: number
  offset?: number
  createdAtMax?: number
  createdAtMin?: number
}

export type Asking = {
  signal?: AbortSignal
  /** Disables retries, for callers with their own backoff. Default: retried like any read (`request.ts`). */
  once?: boolean
}

const page = z.object({count: z.catch(z.optional(z.number()), undefined), items: z.array(z.unknown())})

const filled = <T extends string | readonly string[]>(value: T | undefined) =>
  value === undefined || value.length === 0 ? undefined : value

/** A task with an unreadable answer is still a task: its id and time suffice to show and retrieve it. */
function readTask(item: unknown): Task | undefined {
  const whole = z.safeParse(taskSchema, item)
  if (whole.success) return whole.data
  if (!isRecord(item)) return undefined
  const bare = z.safeParse(taskSchema, {id: item.id, created_at: Number(item.created_at), type: undefined})
  if (!bare.success) return undefined
  const response = isRecord(item.response) ? {...item.response, error: undefined, task_id: undefined} : undefined
  const parsing = z.safeParse(taskSchema, {
    ...bare.data,
    ...(isRecord(item.request) ? {request: item.request} : {}),
    ...(response === undefined ? {} : {response}),
  })
  return parsing.success ? parsing.data : bare.data
}

/**
 * Tasks of the generation services: `POST {api}/{service}/tasks` (spec §7, contract/media §1.5). A 401 is an ordinary
 * failure here and starts no login. An unreadable task does not affect the others.
 */
export const createTasksApi = (deps: TasksApiDeps) => {
  const {fetchFor, log, ...others} = deps
  const command = <T>(service: string, body: object, answer: z.core.$ZodType<T>, options: Options) => {
    const request = createRequester({...others, log, fetch: fetchFor(service)})
    const path = `/${encodeURIComponent(service)}/tasks`
    return request({method: 'post', path, body, headers: {'x-record-exempt': 'true'}, answer, ...options})
  }

  return {
    async retrieveBatch(query: TaskQuery, {signal, once}: Asking = {}): Promise<{items: Task[]; count: number}> {
      const {service, ids, applicationId, userId, type, limit, offset, createdAtMax, createdAtMin} = query
      const body = {
        action: 'retrieve_batch',
        ids: filled(ids),
        application_id: filled(applicationId),
        user_id: filled(userId),
        type: filled(type),
        limit,
        offset,
        created_at_max: createdAtMax,
        created_at_min: createdAtMin,
      }
      const {items, count} = await command(service, body, page, {isRead: once !== true, signal})
      const tasks = items.map(readTask).filter((item) => item !== undefined)
      if (tasks.length < items.length) log('Tasks of another shape were left out', {service})
      return {items: tasks, count: count ?? tasks.length}
    },

    /** Rejects with status 404 if the server does not know the task. */
    async retrieve(
      {service, id}: {service: string; id: string},
      {signal, once}: Asking = {},
    ): Promise<Task | undefined> {
      const options = {isRead: once !== true, signal}
      return readTask(await command(service, {action: 'retrieve', id}, z.unknown(), options))
    },

    /**
     * Our extension: only if the service offers `delete`. Sent even while the page closes, since a deletion waits for
     * its undo to expire.
     */
    async remove({service, id}: {service: string; id: string}, signal?: AbortSignal): Promise<void> {
      await command(service, {action: 'delete', id}, z.unknown(), {isRead: false, keepsAlive: true, signal})
    },
  }
}
type Options = Pick<Call<unknown>, 'isRead' | 'keepsAlive' | 'signal'>

export type TasksApi = ReturnType<typeof createTasksApi>
