import type {FailedEnd} from '../../runs/failure-end.ts'

/** How an answer ended. Only `finished` is a success, `truncated` where its length ended it; a failure says which it is. */
export type AnswerEnd = {state: 'finished'; outcome?: 'truncated'} | FailedEnd

/**
 * The deltas of an answer that runs in this process. Delta `n` (from 1) is `deltas[n - 1]`; listeners read from their
 * own place in it, so that a slow one costs no memory.
 */
export class LiveAnswer {
  readonly deltas: string[] = []
  /** Set once the end is stored. */
  end: AnswerEnd | undefined
  private readonly waiting = new Set<() => void>()

  push(text: string): void {
    this.deltas.push(text)
    this.wake()
  }

  finish(end: AnswerEnd): void {
    this.end = end
    this.wake()
  }

  /** Calls `listener` once, at the next delta or at the end. Returns the way to take that back. */
  readonly onceChanged = (listener: () => void): (() => void) => {
    this.waiting.add(listener)
    return () => this.waiting.delete(listener)
  }

  private wake(): void {
    const listeners = [...this.waiting]
    this.waiting.clear()
    for (const listener of listeners) listener()
  }
}
