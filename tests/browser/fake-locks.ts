/** The Web Locks API of one browser, as far as leadership uses it. */
export function createLocks() {
  type Waiting = {start: () => Promise<void>; reject: (reason: Error) => void; signal?: AbortSignal | undefined}
  const queues = new Map<string, Waiting[]>()
  const holders = new Map<string, (reason: Error) => void>()
  const abort = () => new DOMException('stolen', 'AbortError')
  const next = (name: string) => {
    const waiting = queues.get(name)?.shift()
    if (waiting === undefined) return void holders.delete(name)
    if (waiting.signal?.aborted === true) return next(name)
    void run(name, waiting)
  }
  const run = async (name: string, waiting: Waiting) => {
    holders.set(name, waiting.reject)
    const own = waiting.reject
    await waiting.start()
    if (holders.get(name) === own) next(name)
  }
  type Options = {signal?: AbortSignal; steal?: boolean; ifAvailable?: boolean}
  const request = (name: string, options: Options, work: (lock: object | null) => Promise<void>) =>
    new Promise<void>((resolve, reject) => {
      if (options.ifAvailable === true && holders.has(name)) return void work(null).then(resolve, reject)
      const waiting: Waiting = {start: () => work({}).then(resolve, reject), reject, signal: options.signal}
      options.signal?.addEventListener('abort', () => reject(abort()))
      if (options.steal === true) {
        holders.get(name)?.(abort())
        void run(name, waiting)
      } else if (holders.has(name)) queues.set(name, [...(queues.get(name) ?? []), waiting])
      else void run(name, waiting)
    })
  // as: leadership uses this one function of the LockManager
  return {request} as unknown as LockManager
}
