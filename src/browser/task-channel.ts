import {filter, fromEvent, map, NEVER, type Observable} from 'rxjs'
import {task} from '#contract/task.ts'
import {z} from '#contract/schema.ts'

const report = z.object({
  userId: z.string(),
  tool: z.string(),
  tasks: z.array(task),
  watched: z._default(z.array(z.string()), []),
  gone: z._default(z.array(z.string()), []),
  isHidden: z.boolean(),
  isLost: z.boolean(),
  nextIn: z.number(),
})
/** What one tab asked the server, for the others of the same person: tasks as they came, and when it asks again. */
export type TaskReport = z.infer<typeof report>

export type TaskChannel = {
  tell(report: TaskReport): void
  /** From other tabs. Cold. Anything that is no report does not exist. */
  reports$: Observable<TaskReport>
  close(): void
}

const name = 'atrium.tasks'

/**
 * Tasks between the tabs of one browser (security R47). Without a channel each tab asks for itself: storage events are no
 * way for this much, this often.
 */
export const createTaskChannel = (createChannel: ((name: string) => BroadcastChannel) | undefined): TaskChannel => {
  const channel = createChannel?.(name)
  return {
    tell: (message) => channel?.postMessage(message),
    reports$:
      channel === undefined
        ? NEVER
        : fromEvent<MessageEvent<unknown>>(channel, 'message').pipe(
            map(({data}) => report.safeParse(data).data),
            filter((data) => data !== undefined),
          ),
    close: () => channel?.close(),
  }
}
