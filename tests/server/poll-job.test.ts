import {expect, test} from 'vitest'
import {pollJob} from '#server/providers/poll-job.ts'
import {ProviderFailure} from '#server/providers/provider.ts'
import {manualTimers} from './providers.fixtures.ts'

/** Asks for a job whose answers the test names, and collects the pauses between them. */
async function pausesFor(...answers: (ProviderFailure['options'] | undefined)[]): Promise<number[]> {
  const clock = manualTimers()
  const pauses: number[] = []
  const left = [...answers]
  const asked = pollJob(clock, new AbortController().signal, async () => {
    if (left.length === 0) return 'foo'
    const options = left.shift()
    if (options === undefined) return undefined
    throw new ProviderFailure('busy', 'bar', options)
  })
  while (pauses.length < answers.length) {
    await new Promise((resolve) => setImmediate(resolve))
    const [pause] = clock.waiting()
    if (pause === undefined) continue
    pauses.push(pause)
    clock.fire(pause)
  }
  expect(await asked).toBe('foo')
  return pauses
}

test('a job that is made is asked for every three seconds', async () => {
  expect(await pausesFor(undefined, undefined)).toEqual([3_000, 3_000])
})

test('faults make the pauses longer, contact makes them short again', async () => {
  const fault = {status: 503}
  expect(await pausesFor(fault, fault, fault, fault, fault, undefined)).toEqual([
    6_000, 12_000, 24_000, 30_000, 30_000, 3_000,
  ])
})

test('a server is not asked before the time that it names, and is believed for five minutes', async () => {
  const wish = (retryAfterSeconds: number) => ({status: 429, retryAfterSeconds})
  expect(await pausesFor(wish(40), wish(1), wish(0), wish(86_400), undefined)).toEqual([
    40_000, 12_000, 24_000, 300_000, 3_000,
  ])
})

test.each([401, 403])('a key that is answered with %s for five looks in a row loses no job', async (status) => {
  const locked = {status}
  const five = Array<typeof locked>(5).fill(locked)
  const pauses = [6_000, 12_000, 24_000, 30_000, 30_000]
  expect(await pausesFor(...five, undefined, ...five)).toEqual([...pauses, 3_000, ...pauses])
})

test('a key that is not accepted a sixth time in a row ends it in the words of the server', async () => {
  const clock = manualTimers()
  let looks = 0
  const asked = pollJob(clock, new AbortController().signal, async () => {
    looks += 1
    throw new ProviderFailure('api_error', 'bar', {status: 401})
  }).catch((error: unknown) => error)
  for (let pauses = 0; pauses < 5;) {
    await new Promise((resolve) => setImmediate(resolve))
    const [pause] = clock.waiting()
    if (pause === undefined) continue
    pauses += 1
    clock.fire(pause)
  }
  expect(await asked).toEqual(new ProviderFailure('api_error', 'bar', {status: 401}))
  expect(looks).toBe(6)
})
