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
/** Tasks that one tab read from the server, for the other tabs of the same user, and the time of its next poll. */
export type TaskReport = z.infer<typeof report>

export type TaskChannel = {
  tell(report: TaskReport): void
  /** Reports of other tabs. Cold. Invalid messages are dropped. */
  reports$: Observable<TaskReport>
  close(): void
}

const name = 'atrium.tasks'

/**
 * Shares tasks between the tabs of one browser (security R47). Without BroadcastChannel each tab polls for itself:
 * storage events do not suit this amount of data.
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
