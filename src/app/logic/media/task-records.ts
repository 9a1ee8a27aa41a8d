import type {MediaTool, AnswerReading} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {resultAddress} from '#domain/result-address.ts'
import {taskStatus} from '#domain/task-status.ts'
import {promptOf} from '#machines/tasks/tasks.rules.ts'
import type {TaskRecord} from '#domain/task-record.ts'

const addressKeys = ['url', 'previewUrl', 'videoUrl'] as const

/** Without the addresses that must not be loaded: they are not offered to other tools and chats either. */
function withSafeAddresses(reading: AnswerReading): AnswerReading {
  const isUnsafe = (address: string | undefined) =>
    address !== undefined && resultAddress(address, globalThis.location?.href ?? 'http://localhost') === undefined
  if (!reading.artifacts.some((artifact) => addressKeys.some((key) => isUnsafe(artifact[key])))) return reading
  const artifacts = reading.artifacts.map((artifact) => {
    const safe = {...artifact}
    for (const key of addressKeys) if (isUnsafe(safe[key])) delete safe[key]
    return safe
  })
  return {...reading, artifacts}
}

/** Parses a task by the rules of its tool. Total: an unreadable task is `checking`. */
export function toTaskRecord({read, reuse}: Pick<MediaTool, 'read' | 'reuse'>, task: Task): TaskRecord {
  const request = task.request ?? {}
  const taskType = task.type ?? undefined
  const reading = withSafeAddresses(read(task.response ?? {}, request, taskType))
  const words = reuse === undefined ? {} : {prompt: promptOf(reuse(request, taskType))}
  return {task, reading, status: taskStatus(task, reading), ...words}
}
