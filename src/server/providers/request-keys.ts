import {createHash} from 'node:crypto'

/**
 * The header for each request of a run that buys something, so that a server which knows `Idempotency-Key` makes
 * nothing twice (docs/decisions/0107). The same request of the same run has the same key in whichever process and at
 * whichever time it is sent; one that asks for something else, and each further one of the same, has another.
 */
export function createRequestKeys(run: string): (request: unknown) => Record<string, string> {
  const counts = new Map<string, number>()
  return (request) => {
    const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex').slice(0, 16)
    const count = (counts.get(hash) ?? 0) + 1
    counts.set(hash, count)
    return {'idempotency-key': `${run}-${hash}-${count}`}
  }
}
