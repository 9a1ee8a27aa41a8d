import {Readable} from 'node:stream'
import type {ReadableStream} from 'node:stream/web'
import type {OutboundPorts, Sending} from '#server/providers/outbound.ts'
import type {Timers} from '#server/providers/timers.ts'

/** Deadlines that never come. */
export const quietTimers: Timers = {
  after: () => () => undefined,
  every: () => () => undefined,
  silence: () => ({heard: () => undefined, stop: () => undefined}),
}

/** Deadlines that come when the test says so. */
export function manualTimers() {
  const waiting = new Set<{milliseconds: number; run: () => void; repeats: boolean}>()
  let heard = 0
  const add = (repeats: boolean) => (milliseconds: number, run: () => void) => {
    const entry = {milliseconds, run, repeats}
    waiting.add(entry)
    return () => void waiting.delete(entry)
  }
  const run = (entries: {run: () => void; repeats: boolean; milliseconds: number}[]) => {
    for (const entry of entries) {
      if (!entry.repeats) waiting.delete(entry)
      entry.run()
    }
  }
  return {
    timers: {
      after: add(false),
      every: add(true),
      silence: (milliseconds, run) => {
        let stop = add(false)(milliseconds, run)
        return {
          heard: () => {
            heard += 1
            stop()
            stop = add(false)(milliseconds, run)
          },
          stop: () => stop(),
        }
      },
    } satisfies Timers,
    /** Runs everything that waits for exactly this long. */
    fire: (milliseconds: number) => run([...waiting].filter((waiter) => waiter.milliseconds === milliseconds)),
    /** Runs whatever waits, but for what repeats. */
    fireDeadlines: () => run([...waiting].filter(({repeats}) => !repeats)),
    waiting: () => [...waiting].map((entry) => entry.milliseconds),
    /** How often a watch for silence was restarted. */
    heard: () => heard,
  }
}

/** Sends by what answers with a `Response`. */
export const sendBy =
  (answer: (address: string, request: Sending) => Response | Promise<Response>): OutboundPorts['send'] =>
  async (address, request) => {
    const {status, headers, body} = await answer(address, request)
    // as: the DOM and Node describe one class in two ways
    const bytes = body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream)
    return {status, headers, body: bytes}
  }
