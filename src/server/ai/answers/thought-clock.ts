const [opening, closing] = ['<think>', '</think>'] as const

/** Measures the thought with which an answer begins: reasoning arrives as text in `<think>…</think>`. */
export function createThoughtClock(now: () => Date) {
  /** `before` its first characters are there, `within` it, or `after` it: also where there is none. */
  let position: 'before' | 'within' | 'after' = 'before'
  let from = 0
  let tail = ''
  let took: number | undefined
  return {
    push: (text: string) => {
      if (position === 'after') return
      tail += text
      const start = tail.trimStart()
      if (position === 'before' && start.startsWith(opening)) {
        position = 'within'
        from = now().getTime()
      } else if (position === 'before' && !opening.startsWith(start)) position = 'after'
      if (position !== 'within') return
      if (tail.includes(closing)) {
        position = 'after'
        took = Math.max(0, now().getTime() - from)
      }
      tail = tail.slice(1 - closing.length)
    },
    /** Milliseconds; undefined for an answer without a thought, and while it lasts. */
    took: () => took,
  }
}
