import {expect, test} from 'vitest'
import {createHashQueue} from '#server/auth/hash-queue.ts'
import {HttpFailure} from '#server/http/failure.ts'

/** Work that ends when it is let go. */
const held = () => {
  const ends: (() => void)[] = []
  return {ends, work: () => new Promise<string>((resolve) => ends.push(() => resolve('done')))}
}
const rest = () => new Promise((resolve) => setImmediate(resolve))

test('two limits bound the queue: some work, some wait, and a later one is asked to come again', async () => {
  const takeTurn = createHashQueue({concurrency: 2, longest: 1})
  const {ends, work} = held()
  const taken = [takeTurn(work), takeTurn(work), takeTurn(work)]
  await expect(takeTurn(work)).rejects.toEqual(new HttpFailure(503, 'busy', 'manySignIns', {retryAfterSeconds: 5}))
  expect(ends).toHaveLength(2)
  ends[0]?.()
  await rest()
  expect(ends).toHaveLength(3)
  const next = takeTurn(work)
  await rest()
  expect(ends).toHaveLength(3)
  for (const position of [1, 2]) ends[position]?.()
  await rest()
  ends[3]?.()
  expect(await Promise.all([...taken, next])).toEqual(['done', 'done', 'done', 'done'])
})

test('work that fails makes room as well', async () => {
  const takeTurn = createHashQueue({concurrency: 1, longest: 1})
  const failed = takeTurn(() => Promise.reject(new Error('foo')))
  const waiting = takeTurn(async () => 'bar')
  await expect(failed).rejects.toThrow('foo')
  expect(await waiting).toBe('bar')
  expect(await takeTurn(async () => 'baz')).toBe('baz')
})
