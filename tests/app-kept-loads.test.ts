import {expect, test} from 'vitest'
import {forgetFailures, keepLoad} from '#app/kept-loads.ts'

test('a part that failed is done without until its view goes, and then asked for again', async () => {
  const loads = new Map<string, Promise<string>>()
  const answers = ['there', 'again']
  const failures = [new Error('foo')]
  const read = async () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return answers.shift() ?? ''
  }
  const load = () => keepLoad(loads, 'menus', read, 'without')
  const first = load()
  expect(await first).toBe('without')
  // a render of the same view has the same promise: it does not wait anew
  expect(load()).toBe(first)
  forgetFailures()
  const second = load()
  expect(await second).toBe('there')
  forgetFailures()
  expect(load()).toBe(second)
})
