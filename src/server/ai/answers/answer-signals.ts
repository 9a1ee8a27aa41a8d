import type {Database} from '../../store/database.ts'
import {answerChannel} from './answer-store.ts'

/**
 * What the processes of an installation tell each other about answers. A payload is `<answer id>` (it moved) or
 * `<answer id> stop` (its worker shall end it). A lost signal costs time, never truth: readers also look by themselves.
 */
export type AnswerSignals = {
  start: (onStop: (answerId: string) => void) => Promise<void>
  stop: () => Promise<void>
  /** Calls `listener` once when the answer moves in any process. Returns the way to take that back. */
  onceMoved: (answerId: string, listener: () => void) => () => void
}

export const stopPayload = (answerId: string): string => `${answerId} stop`

export function createAnswerSignals(database: Database): AnswerSignals {
  const waiting = new Map<string, Set<() => void>>()
  let stopListening: (() => Promise<void>) | undefined

  const moved = (answerId: string) => {
    const listeners = waiting.get(answerId)
    waiting.delete(answerId)
    for (const listener of listeners ?? []) listener()
  }

  return {
    start: async (onStop) => {
      stopListening = await database.listen(answerChannel, (payload) => {
        const [answerId = '', command] = payload.split(' ')
        if (command === 'stop') onStop(answerId)
        else moved(answerId)
      })
    },
    stop: async () => {
      await stopListening?.()
    },
    onceMoved: (answerId, listener) => {
      const listeners = waiting.get(answerId) ?? new Set()
      waiting.set(answerId, listeners.add(listener))
      return () => {
        listeners.delete(listener)
        if (listeners.size === 0 && waiting.get(answerId) === listeners) waiting.delete(answerId)
      }
    },
  }
}
