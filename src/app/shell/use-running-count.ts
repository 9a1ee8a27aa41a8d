import {useSelector} from '@xstate/react'
import {selectAnswering} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import {useSessionActor} from '../actors.context.tsx'

const countRunning = (snapshot: TasksSnapshot | undefined) =>
  Object.values(snapshot?.context.running ?? {}).reduce((sum, count) => sum + count, 0)

/** How much is being made, over all tools and chats: what the task tray and the title of the tab tell. */
export function useRunningCount(): number {
  const tasks = useSelector(useSessionActor('tasks'), countRunning)
  const answers = useSelector(useSessionActor('conversations'), (snapshot) =>
    snapshot === undefined ? 0 : selectAnswering(snapshot).length,
  )
  return tasks + answers
}
