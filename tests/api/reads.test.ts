import {expect, test} from 'vitest'
import {batchesOf, type ReadingPace} from '#api/reads.ts'
import {turn} from './fake-fetch.ts'

const text = (batch: readonly Uint8Array[]) => batch.map((chunk) => new TextDecoder().decode(chunk)).join('')

/**
 * A body as a browser hands it over: a read takes one chunk that is there, in a task after it was asked for; bytes that
 * arrive in one rest are one chunk.
 */
function createArrivals() {
  let arrived = ''
  let isClosed = false
  let wake: (() => void) | undefined
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await new Promise<void>((resolve) => setTimeout(resolve))
        if (arrived === '' && !isClosed) await new Promise<void>((resolve) => (wake = resolve))
        if (arrived !== '') controller.enqueue(new TextEncoder().encode(arrived))
        else controller.close()
        arrived = ''
      },
    },
    {highWaterMark: 0},
  )
  return {
    bytes: stream.getReader(),
    arrive: (more: string) => {
      arrived += more
      wake?.()
    },
    close: () => {
      isClosed = true
      wake?.()
    },
  }
}

/** A turn that is longer than the task in which a read is answered. */
const longTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

test('a batch holds what arrived until its rest ended, and nothing waits for another rest', async () => {
  const {bytes, arrive, close} = createArrivals()
  const script = ['b', 'c', 'd', 'e']
  const pace: ReadingPace = {
    turn: longTurn,
    rest: async () => {
      const next = script.shift()
      if (next === undefined) return close()
      arrive(`${next}1`)
      await longTurn()
      arrive(`${next}2`)
    },
  }
  arrive('a')
  const batches: string[] = []
  for await (const batch of batchesOf(bytes, pace)) batches.push(text(batch))
  expect(batches).toEqual(['a', 'b1b2', 'c1c2', 'd1d2', 'e1e2'])
})

test('a flood is cut into batches of a bounded size', async () => {
  const chunk = new Uint8Array(64 * 1024)
  let left = 12
  const stream = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(chunk)
    },
  })
  const sizes: number[] = []
  const pace: ReadingPace = {turn, rest: () => Promise.resolve()}
  for await (const batch of batchesOf(stream.getReader(), pace)) sizes.push(batch.length)
  expect(sizes).toEqual([4, 4, 4])
})

test('without a pace each chunk is a batch', async () => {
  const sizes: number[] = []
  for await (const batch of batchesOf(new Blob(['ab']).stream().getReader(), undefined)) sizes.push(batch.length)
  expect(sizes).toEqual([1])
})
