import {HttpFailure} from '../http/failure.ts'

type Bounds = {
  /** How many work at the same time. */
  concurrency: number
  /** How many may wait. */
  longest: number
}

/**
 * A queue before work that keeps a core busy. A request that would wait for longer than its client does is refused at
 * once: otherwise each turn comes after its client has given up, and no request is served.
 *
 * @throws HttpFailure 503 `busy` where too many wait
 */
export function createHashQueue({concurrency, longest}: Bounds) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running < concurrency) running += 1
    else if (waiting.length < longest) await new Promise<void>((resolve) => waiting.push(resolve))
    else throw new HttpFailure(503, 'busy', 'manySignIns', {retryAfterSeconds: 5})
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
