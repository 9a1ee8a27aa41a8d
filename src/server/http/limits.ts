import {isIP} from 'node:net'
import {expandIPv6} from 'hono/utils/ipaddr'
import {HttpFailure} from './failure.ts'
import type {LimitName} from './route.ts'

type Key = {address: string} | {userId: string}
type Bucket = {tokens: number; at: number}

/** How many calls at once and how many a minute after that, for one user; an address gets four times as much. */
const bounds: Record<LimitName, {burst: number; perMinute: number}> = {
  login: {burst: 10, perMinute: 10},
  token: {burst: 30, perMinute: 60},
  chat: {burst: 40, perMinute: 120},
  transfer: {burst: 60, perMinute: 120},
  generate: {burst: 20, perMinute: 60},
  upload: {burst: 40, perMinute: 60},
  pay: {burst: 20, perMinute: 30},
  export: {burst: 5, perMinute: 2},
  share: {burst: 30, perMinute: 60},
  management: {burst: 300, perMinute: 600},
}
/** People behind one address (an office, a proxy) share it. */
const addressFactor = 4

/** One customer has a whole /64 of IPv6 addresses: they count as one. */
export const addressGroup = (address: string): string =>
  isIP(address) === 6 && !address.includes('.') ? `${expandIPv6(address).split(':', 4).join(':')}::/64` : address

const mostBuckets = 50_000

export type Limits = {
  /** Takes one call of `name` from the bucket of `key`. Throws 429 with `Retry-After` when it is empty (security R33). */
  take: (name: LimitName, key: Key) => void
  /** Throws as `take` does, and takes nothing. */
  check: (name: LimitName, key: Key) => void
  /** Undoes one `take`. */
  giveBack: (name: LimitName, key: Key) => void
}

/** Token buckets in memory. A process that answers alone is the usual case; several each allow as much. */
export function createLimits(now: () => Date, factor: number): Limits {
  const buckets = new Map<string, Bucket>()
  const count = (name: LimitName, key: Key, taken: 1 | 0 | -1) => {
    const bound = bounds[name]
    const widening = ('address' in key ? addressFactor : 1) * factor
    const burst = Math.max(1, bound.burst * widening)
    const perMillisecond = (bound.perMinute * widening) / 60_000
    const id = 'address' in key ? `${name} address ${addressGroup(key.address)}` : `${name} user ${key.userId}`
    const at = now().getTime()
    const known = buckets.get(id) ?? {tokens: burst, at}
    const tokens = Math.min(burst, known.tokens + Math.max(0, at - known.at) * perMillisecond)
    // Re-inserted at the end: the first of the map is the one unused longest.
    buckets.delete(id)
    buckets.set(id, {tokens: tokens >= taken ? Math.min(burst, tokens - taken) : tokens, at})
    if (buckets.size > mostBuckets) {
      const [oldest] = buckets.keys()
      if (oldest !== undefined) buckets.delete(oldest)
    }
    if (tokens >= 1 || taken < 0) return
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / perMillisecond / 1000))
    throw new HttpFailure(429, 'too_many_requests', 'tooManyRequests', {
      values: {seconds: retryAfterSeconds},
      retryAfterSeconds,
    })
  }
  return {
    take: (name, key) => count(name, key, 1),
    check: (name, key) => count(name, key, 0),
    giveBack: (name, key) => count(name, key, -1),
  }
}
