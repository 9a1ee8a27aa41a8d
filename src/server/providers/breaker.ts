import {ProviderFailure, type Provider} from './provider.ts'

const failuresToOpen = 5
const shortestPause = 15_000
const longestPause = 60_000

/**
 * A provider that fails five times in a row is left alone for a while (security R53): calls are refused at once, one
 * probe is let through after 15 s, and each failed probe doubles the pause up to 60 s. Only faults of the server count;
 * a refusal of the question, a full quota or a stop proves that it is alive.
 */
export function withBreaker(provider: Provider, now: () => Date): Provider {
  let failures = 0
  let pause = shortestPause
  let closedUntil = 0
  let probing = false

  async function* chat(input: Parameters<Provider['chat']>[0]) {
    const time = now().getTime()
    const open = failures >= failuresToOpen
    if (open && (time < closedUntil || probing)) {
      const wait = Math.max(1, Math.ceil((closedUntil - time) / 1000))
      throw new ProviderFailure(
        'busy',
        `${provider.name} has failed several times in a row. It is tried again in ${wait} s.`,
        {
          retryAfterSeconds: wait,
        },
      )
    }
    probing = open
    let isAlive = true
    try {
      for await (const event of provider.chat(input)) {
        if (event.type === 'delta') recover()
        yield event
      }
    } catch (error) {
      isAlive = !isServerFault(error)
      throw error
    } finally {
      probing = false
      if (isAlive) recover()
      else {
        failures += 1
        if (open) pause = Math.min(longestPause, pause * 2)
        closedUntil = now().getTime() + pause
      }
    }
  }
  const recover = () => {
    failures = 0
    pause = shortestPause
  }
  return {...provider, chat}
}

const isServerFault = (error: unknown): boolean =>
  error instanceof ProviderFailure ? ['api_error', 'timeout', 'busy', 'unknown'].includes(error.code) : true
