import type {AnswerReading} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import type {TaskStatus} from './task-status.ts'

/** A task as the client works with it: read once, where it arrives, by the tool's own reader. */
export type TaskRecord = {
  task: Task
  status: TaskStatus
  reading: AnswerReading
  /** The text of the user, where the tool puts more into the prompt of its request. */
  prompt?: string
}
