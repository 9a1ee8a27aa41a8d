import type {FailedEnd} from '../../runs/failed-end.ts'
import type {Beat} from '../../work/beat.ts'

/** How an answer ended. Only `finished` is a success, `truncated` where its length ended it; failures say which. */
export type AnswerEnd = {state: 'finished'; outcome?: 'truncated'} | FailedEnd

/**
 * The deltas of an answer that runs in this process. Delta `n` (from 1) is `deltas[n - 1]`; listeners read from their
 * own position in it, so that a slow one costs no memory. They hear of it with the beat of the process, of the first
 * delta and of the end at once.
 */
export class LiveAnswer {
  readonly deltas: string[] = []
  /** Set once the end is stored. */
  end: AnswerEnd | undefined
  private readonly waiting = new Set<() => void>()

  constructor(private readonly beat: Beat) {}

  push(text: string): void {
    this.deltas.push(text)
    if (this.deltas.length === 1) this.wake()
    else this.beat.next(this.wake)
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

  private readonly wake = (): void => {
    const listeners = [...this.waiting]
    this.waiting.clear()
    for (const listener of listeners) listener()
  }
}
