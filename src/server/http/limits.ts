import {isIP} from 'node:net'
import {eq, sql, type SQL} from 'drizzle-orm'
import {expandIPv6} from 'hono/utils/ipaddr'
import type {ServerDeps} from '../deps.ts'
import type {Database} from '../store/database.ts'
import {rateLimits} from '../store/schema/installation.ts'
import {HttpFailure} from './failure.ts'

/** The subject of a limit: an address, a user, or the tries at one account from one address. */
type Key = {address: string; email?: never} | {userId: string} | {address: string; email: string}

/** How many calls at once and how many a minute after that, for one user; an address gets four times as much. */
const bounds = {
  login: {burst: 10, perMinute: 10},
  token: {burst: 30, perMinute: 60},
  chat: {burst: 40, perMinute: 120},
  /** Import and export of conversations. */
  transfer: {burst: 60, perMinute: 120},
  generate: {burst: 20, perMinute: 60},
  upload: {burst: 40, perMinute: 60},
  pay: {burst: 20, perMinute: 30},
  export: {burst: 5, perMinute: 2},
  share: {burst: 30, perMinute: 60},
  management: {burst: 300, perMinute: 600},
}
export type LimitName = keyof typeof bounds
/** People behind one address (an office, a proxy) share it. */
const addressFactor = 4

/**
 * A node takes this part of a bucket at once and spends it alone (docs/decisions/0076), so that most calls cost no
 * statement. Small buckets are taken from call by call.
 */
const partAtOnce = 1 / 20
/** Milliseconds in which a node spends the tokens that it took; later they are lost. */
const handMilliseconds = 10_000
const mostAtOnce = 1_000_000
const mostHands = 50_000

/** One customer has a whole /64 of IPv6 addresses: they count as one. */
const addressGroup = (address: string): string =>
  isIP(address) === 6 && !address.includes('.') ? `${expandIPv6(address).split(':', 4).join(':')}::/64` : address

type Bucket = {id: string; burst: number; atOnce: number; millisecondsPerCall: number}
/** The state of a bucket as this node knows it. */
type Hand = {left: number; drawnAt: number; emptyUntil: number; drawing: Promise<void> | undefined}

export type Limits = {
  /** Takes one call of `name` from the bucket of `key`. Rejects with 429 and `Retry-After` at none (security R33). */
  take: (name: LimitName, key: Key) => Promise<void>
  /** Undoes one `take`. */
  giveBack: (name: LimitName, key: Key) => Promise<void>
}

type LimitDeps = Pick<ServerDeps, 'config' | 'database' | 'now' | 'secrets'>

/**
 * Token buckets that all nodes of a database share: a row says when its bucket is full again. Without the database
 * nothing is taken, and the call fails as it would anyway.
 */
export function createLimits({config, database, now, secrets}: LimitDeps): Limits {
  const hands = new Map<string, Hand>()

  const bucketOf = (name: LimitName, key: Key): Bucket => {
    const [widening, whose] =
      'userId' in key
        ? [1, `user ${key.userId}`]
        : key.email === undefined
          ? [addressFactor, `address ${addressGroup(key.address)}`]
          : [1, `account ${addressGroup(key.address)} ${key.email}`]
    const factor = widening * config.limitFactor
    const burst = Math.max(1, bounds[name].burst * factor)
    const millisecondsPerCall = 60_000 / (bounds[name].perMinute * factor)
    const atOnce = Math.min(mostAtOnce, Math.max(1, Math.floor(burst * partAtOnce)))
    return {id: `${name} ${whose}`, burst, atOnce, millisecondsPerCall}
  }

  const handOf = (id: string): Hand => {
    const hand = hands.get(id) ?? {left: 0, drawnAt: -Infinity, emptyUntil: -Infinity, drawing: undefined}
    // Re-inserted at the end: the first of the map is the one unused longest.
    hands.delete(id)
    hands.set(id, hand)
    if (hands.size > mostHands) {
      const [oldest] = hands.keys()
      if (oldest !== undefined) hands.delete(oldest)
    }
    return hand
  }

  const draw = async (bucket: Bucket, hand: Hand): Promise<void> => {
    const at = now().getTime()
    const {drawn, debt} = await drawFrom(database, {...bucket, id: secrets.sign('limit', bucket.id)}, at)
    hand.left = drawn
    hand.drawnAt = at
    hand.emptyUntil = drawn > 0 ? -Infinity : at + Math.max(1, debt - (bucket.burst - 1) * bucket.millisecondsPerCall)
  }

  return {
    take: async (name, key) => {
      const bucket = bucketOf(name, key)
      const hand = handOf(bucket.id)
      for (;;) {
        const at = now().getTime()
        // the clock of another database may be behind: then what is in hand is of no time
        const isOfNow = at >= hand.drawnAt && at < hand.drawnAt + handMilliseconds
        if (isOfNow && hand.left >= 1) {
          hand.left -= 1
          return
        }
        if (at >= hand.drawnAt && at < hand.emptyUntil) throw tooMany(hand.emptyUntil - at)
        // calls that come meanwhile wait for the same statement
        hand.drawing ??= draw(bucket, hand).finally(() => (hand.drawing = undefined))
        await hand.drawing
      }
    },
    giveBack: async (name, key) => {
      const {id, millisecondsPerCall} = bucketOf(name, key)
      handOf(id).emptyUntil = -Infinity
      const refund = sql`${millisecondsPerCall}::float8 * interval '1 millisecond'`
      await database.asSystemOnce((transaction) =>
        transaction
          .update(rateLimits)
          .set({fullAt: sql`${rateLimits.fullAt} - ${refund}`})
          .where(eq(rateLimits.bucket, secrets.sign('limit', id))),
      )
    },
  }
}

/**
 * Takes up to `atOnce` calls, in one statement: how many it got, and the milliseconds until the bucket is full. A
 * bucket never lacks more than all of it, whatever clock wrote the row. Nobody waits for the disk: a crash of the
 * database may forgive its last half second.
 */
async function drawFrom(
  database: Database,
  {id, burst, atOnce, millisecondsPerCall}: Bucket,
  at: number,
): Promise<{drawn: number; debt: number}> {
  const time = sql`${new Date(at).toISOString()}::timestamptz`
  const ofCalls = (count: unknown) => sql`${count}::float8 * ${millisecondsPerCall}::float8 * interval '1 millisecond'`
  const millisecondsFrom = (column: SQL) => sql`extract(epoch from ${column} - ${time})::float8 * 1000`
  const {rows} = await database.asSystemOnce((transaction) =>
    transaction.execute<{drawn: number; debt: number}>(sql`
      insert into ${rateLimits} as known (bucket, full_at, drawn)
      values (${id}, ${time} + ${ofCalls(atOnce)}, ${atOnce}::integer)
      on conflict (bucket) do update set (full_at, drawn) = (
        select full_at + ${ofCalls(sql`taken`)}, taken
        from (
          select full_at, least(
            ${atOnce}::integer,
            -- a thousandth for what the rounding of times takes
            floor(${burst}::float8 - ${millisecondsFrom(sql`full_at`)} / ${millisecondsPerCall}::float8 + 0.001)
          )::integer as taken
          from (select least(greatest(known.full_at, ${time}), ${time} + ${ofCalls(burst)}) as full_at) as bounded
        ) as counted
      )
      returning drawn, ${millisecondsFrom(sql`full_at`)} as debt, set_config('synchronous_commit', 'off', true)`),
  )
  const [row] = rows
  if (row === undefined) throw new Error('A bucket was neither made nor changed.')
  return row
}

function tooMany(milliseconds: number): HttpFailure {
  const retryAfterSeconds = Math.max(1, Math.ceil(milliseconds / 1_000))
  return new HttpFailure(429, 'too_many_requests', 'tooManyRequests', {
    values: {seconds: retryAfterSeconds},
    retryAfterSeconds,
  })
}

/** Takes away the rows of buckets that are full again: they say nothing. Any node may, and several at once. */
export async function sweepLimits({database, now}: Pick<ServerDeps, 'database' | 'now'>): Promise<void> {
  await database.asSystemOnce((transaction) =>
    transaction.execute(sql`
      delete from ${rateLimits} where bucket in (
        select bucket from ${rateLimits} where full_at <= ${now().toISOString()}::timestamptz for update skip locked
      )`),
  )
}
