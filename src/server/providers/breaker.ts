import type {MediaProvider} from './media-provider.ts'
import {ProviderFailure, type Provider} from './provider.ts'

const failuresToOpen = 5
const shortestPause = 15_000
const longestPause = 60_000

type Breaker = {
  /** Has the provider do something. Throws `busy` while it is left alone, and what it throws. */
  call: <T>(work: () => Promise<T>) => Promise<T>
  /** The provider answers: earlier failures are forgotten. */
  recover: () => void
}

/**
 * A provider that fails five times in a row is left alone for a while (security R53): calls are refused at once, one
 * probe is let through after 15 s, and each failed probe doubles the pause up to 60 s. Only faults of the server count;
 * a refusal of the question, a full quota or a stop proves that it is alive.
 */
function createBreaker(name: string, now: () => Date): Breaker {
  let failures = 0
  let pause = shortestPause
  let closedUntil = 0
  let probing = false
  const recover = () => {
    failures = 0
    pause = shortestPause
  }
  /** Returns whether the call is a probe. */
  const enter = (): boolean => {
    const time = now().getTime()
    const open = failures >= failuresToOpen
    if (open && (time < closedUntil || probing)) {
      const wait = Math.max(1, Math.ceil((closedUntil - time) / 1000))
      throw new ProviderFailure('busy', `${name} has failed several times in a row. It is tried again in ${wait} s.`, {
        retryAfterSeconds: wait,
      })
    }
    if (open) probing = true
    return open
  }
  const fail = (isProbe: boolean) => {
    failures += 1
    if (isProbe) pause = Math.min(longestPause, pause * 2)
    closedUntil = now().getTime() + pause
  }
  return {
    recover,
    call: async (work) => {
      const isProbe = enter()
      try {
        const result = await work()
        recover()
        return result
      } catch (error) {
        if (isServerFault(error)) fail(isProbe)
        else recover()
        throw error
      } finally {
        if (isProbe) probing = false
      }
    },
  }
}

const isServerFault = (error: unknown): boolean =>
  error instanceof ProviderFailure ? ['api_error', 'timeout', 'busy', 'unknown'].includes(error.code) : true

/** A provider of answers behind a breaker. */
export function withBreaker(provider: Provider, now: () => Date): Provider {
  const breaker = createBreaker(provider.name, now)
  return {
    ...provider,
    chat: (input, take) =>
      breaker.call(() =>
        provider.chat(input, (event) => {
          if (event.type === 'delta') breaker.recover()
          return take(event)
        }),
      ),
  }
}

/** A provider of media behind a breaker. A job that is bought already is always asked for. */
export function withMediaBreaker(provider: MediaProvider, now: () => Date): MediaProvider {
  const breaker = createBreaker(provider.name, now)
  return {
    ...provider,
    make: (ask) => (ask.job === undefined ? breaker.call(() => provider.make(ask)) : provider.make(ask)),
  }
}
