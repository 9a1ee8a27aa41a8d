import {expect, test} from 'vitest'
import {unlessAborted} from '#server/work/races.ts'

const reason = new Error('stop')

test('gives what the work gives, or fails as it does', async () => {
  const {signal} = new AbortController()
  expect(await unlessAborted(signal, () => Promise.resolve('foo'))).toBe('foo')
  await expect(unlessAborted(signal, () => Promise.reject(reason))).rejects.toBe(reason)
})

test('an abort throws its reason at once, also when the work does not listen or fails later', async () => {
  const controller = new AbortController()
  let fail: (error: unknown) => void = () => undefined
  const deaf = () => new Promise((_resolve, reject) => (fail = reject))
  const waiting = unlessAborted(controller.signal, deaf)
  controller.abort(reason)
  await expect(waiting).rejects.toBe(reason)
  // what it says later is of no interest
  fail(new Error('late'))
})

test('no work begins after the abort', async () => {
  let hasBegun = false
  const work = () => {
    hasBegun = true
    return Promise.resolve()
  }
  await expect(unlessAborted(AbortSignal.abort(reason), work)).rejects.toBe(reason)
  expect(hasBegun).toBe(false)
})
