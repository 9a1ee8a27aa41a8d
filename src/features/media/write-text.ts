import type {Artifact, ToolRequest} from '#contract/media/media-tool.ts'
import {toFailure} from '#domain/failure.ts'
import {selectKeys, selectPendingOf} from '#machines/task-list/task-list.selectors.ts'
import type {TaskListSnapshot} from '#machines/task-list/task-list.machine.ts'
import type {Media} from './media.context.ts'

/** The outcome of the request with this key: its text, the error, or undefined while there is none yet. */
function outcomeOf(snapshot: TaskListSnapshot, key: string): Artifact | Error | undefined {
  const {context} = snapshot
  const request = selectPendingOf(snapshot, key)
  if (request !== undefined) {
    const isWaiting = request.state === 'sending' || request.state === 'offline' || request.state === 'looking'
    return isWaiting ? undefined : new Error(toFailure(request.failure).detail)
  }
  const keys = selectKeys(snapshot)
  const id = Object.keys(keys).find((task) => keys[task] === key)
  const record = context.items.find(({task}) => task.id === id)
  if (id === undefined || context.gone.includes(id)) return new Error('The request is not there any more')
  if (record === undefined || (record.status !== 'succeeded' && record.status !== 'failed')) return undefined
  return record.reading.artifacts.find(({text}) => text !== undefined) ?? new Error('No text was written')
}

/**
 * Sends a request whose result is a text, and waits for it in the list of tasks: it is a task like any other, so it is
 * charged once and survives a reload. Rejects when there is no text in the end.
 */
export function writeText(
  {actors, identity, newKey, now}: Pick<Media, 'actors' | 'identity' | 'newKey' | 'now'>,
  submission: ToolRequest,
): Promise<Artifact> {
  const key = newKey()
  const {list, requests} = actors
  return new Promise((resolve, reject) => {
    requests.send({type: 'task.submit', intent: {key, tool: identity.id, submission, at: now()}})
    const settle = (outcome: Artifact | Error) => {
      subscription.unsubscribe()
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    const look = (snapshot: TaskListSnapshot) => {
      const outcome = outcomeOf(snapshot, key)
      if (outcome !== undefined) settle(outcome)
    }
    const subscription = list.subscribe({
      next: look,
      error: (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))),
      complete: () => reject(new Error('The list ended')),
    })
  })
}
