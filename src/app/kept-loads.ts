const failures = new Set<() => void>()

/**
 * The same promise for each render. One that fails gives what is done without it, until the view that needed it goes
 * (`forgetFailures`): the next one tries again.
 */
export function keepLoad<Result>(
  loads: Map<string, Promise<Result>>,
  key: string,
  load: () => Promise<Result>,
  without: Result,
): Promise<Result> {
  const promise =
    loads.get(key) ??
    load().catch(() => {
      failures.add(() => loads.delete(key))
      return without
    })
  loads.set(key, promise)
  return promise
}

export function forgetFailures(): void {
  for (const forget of failures) forget()
  failures.clear()
}
