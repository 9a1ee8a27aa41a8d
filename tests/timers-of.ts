/**
 * The number of running timers that a source file has set from now on: test files share a worker, so a count of all
 * timers may hold those of another file. Call it after `vi.useFakeTimers()`; `vi.useRealTimers()` takes it back.
 */
export function timersOf(sourceFile: string): () => number {
  const running = new Set<unknown>()
  const {setTimeout: set, clearTimeout: clear} = globalThis
  const setTimeout = (run: () => void, milliseconds?: number) => {
    const isOwn = new Error('The stack tells who sets the timer').stack?.includes(sourceFile) === true
    const timer = set(() => {
      running.delete(timer)
      run()
    }, milliseconds)
    if (isOwn) running.add(timer)
    return timer
  }
  const clearTimeout = (timer: Parameters<typeof clear>[0]) => {
    running.delete(timer)
    clear(timer)
  }
  // with the marks by which the fake clock finds its functions when it ends
  Object.assign(globalThis, {
    setTimeout: Object.assign(setTimeout, set),
    clearTimeout: Object.assign(clearTimeout, clear),
  })
  return () => running.size
}
