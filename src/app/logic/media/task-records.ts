import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {taskStatus} from '#domain/task-status.ts'
import {promptOf} from '#machines/tasks/tasks.rules.ts'
import type {TaskRecord} from '#machines/tasks/tasks.types.ts'

/** Reads a task as it came, by the rules of its tool. Total: what nobody can read is `checking`. */
export function toTaskRecord({read, reuse}: Pick<MediaTool, 'read' | 'reuse'>, task: Task): TaskRecord {
  const request = task.request ?? {}
  const taskType = task.type ?? undefined
  const reading = read(task.response ?? {}, request, taskType)
  const words = reuse === undefined ? {} : {prompt: promptOf(reuse(request, taskType))}
  return {task, reading, status: taskStatus(task, reading), ...words}
}
