import type {AnswerReading} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import type {TaskStatus} from './task-status.ts'

/** A task as the client works with it: read once, where it arrives, by the tool's own reader. */
export type TaskRecord = {
  task: Task
  status: TaskStatus
  reading: AnswerReading
  /** The user's own words, where the tool adds to the prompt of its request. */
  prompt?: string
}
