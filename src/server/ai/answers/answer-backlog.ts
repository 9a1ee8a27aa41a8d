import type {AnswerRun} from './answer-store.ts'

/** Characters of one answer and of all in one statement: text that waited for an absent database comes in parts. */
const charactersOfAnswer = 256 * 1024
const charactersAtOnce = 2 * 1024 * 1024

export type WriterEvents = {
  /** The run was taken away: nothing more will be stored. */
  lost: () => void
  stopRequested: () => void
  /** The store refused for ten seconds. */
  broken: (error: unknown) => void
}

/** The deltas of one running answer that wait to be stored, and how storing them goes. */
export class AnswerBacklog {
  readonly pending: string[] = []
  /** When the oldest of it came. */
  pendingSince = 0
  storedSeq = 0
  failures = 0
  /** Failed by itself, so it is stored by itself until that works. */
  isAlone = false
  /** Waits before it is tried again. */
  isResting = false
  /** The answer is neither closed nor lost. */
  isOpen = true
  storing: Promise<void> | undefined

  constructor(
    readonly run: AnswerRun,
    readonly events: WriterEvents,
  ) {}

  get isReady(): boolean {
    return this.isOpen && !this.isResting && this.pending.length > 0
  }

  add(text: string, now: number): void {
    if (this.pending.length === 0) this.pendingSince = now
    this.pending.push(text)
  }

  /** The deltas of it that go in one statement: at least one. */
  first(): string[] {
    let room = charactersOfAnswer
    const end = this.pending.findIndex((text) => (room -= text.length) < 0)
    return this.pending.slice(0, end < 0 ? undefined : Math.max(1, end))
  }

  /** A row that is behind what we know was stored lost it (a standby took over); what follows keeps its numbers. */
  moveTo(lastSeq: number): void {
    if (lastSeq <= this.storedSeq) return
    this.pending.splice(0, lastSeq - this.storedSeq)
    this.storedSeq = lastSeq
  }
}

/** `restSince`: from when the rest waits: from the backlog's first text if `deltas` are part of it, else now. */
export type Part = {one: AnswerBacklog; deltas: readonly string[]; restSince: number}

/** Takes from the front of those that wait what goes in one statement. One may have closed since. */
export function takeTogether(waiting: AnswerBacklog[], now: number): Part[] {
  const together: Part[] = []
  for (let room = charactersAtOnce; room > 0;) {
    const one = waiting[0]
    if (one === undefined || (one.isAlone && together.length > 0)) break
    waiting.shift()
    if (!one.isReady) continue
    const deltas = one.first()
    together.push({one, deltas, restSince: deltas.length < one.pending.length ? one.pendingSince : now})
    if (one.isAlone) break
    room -= deltas.reduce((sum, {length}) => sum + length, 0)
  }
  return together
}
