import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {taskStatus} from '#domain/task-status.ts'
import type {TaskRecord} from '#machines/tasks/tasks.types.ts'

/** Reads a task as it came, by the rules of its tool. Total: what nobody can read is `checking`. */
export function toTaskRecord(tool: Pick<MediaTool, 'read'>, task: Task): TaskRecord {
  const reading = tool.read(task.response ?? {}, task.request ?? {})
  return {task, reading, status: taskStatus(task, reading)}
}
