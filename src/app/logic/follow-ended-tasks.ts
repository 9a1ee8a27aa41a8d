import type {EndedTask} from '#domain/ended-task.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'
import {selectEnded} from '#machines/tasks/tasks.selectors.ts'
import type {EndedWork} from './ended-work.ts'

const endedTask = (tool: string, {id, prompt, status}: EndedTask): EndedWork => ({
  kind: 'task',
  tag: `task/${id}`,
  title: prompt,
  isFailed: status === 'failed',
  tool,
  id,
})

/** Tasks that had ended before their tool was opened are old. */
export function followEndedTasks(tasks: TasksActor, onEnd: (end: EndedWork) => void) {
  const reportedIds = new Map<string, Set<string>>()
  const look = () => {
    for (const [tool, ends] of Object.entries(selectEnded(tasks.getSnapshot()))) {
      const reportedOfTool = reportedIds.get(tool)
      if (reportedOfTool !== undefined) {
        for (const end of ends) if (!reportedOfTool.has(end.id)) onEnd(endedTask(tool, end))
      }
      reportedIds.set(tool, new Set([...(reportedOfTool ?? []), ...ends.map(({id}) => id)]))
    }
  }
  look()
  tasks.subscribe(look)
}
