import {expect, test} from 'vitest'
import {keepLoad} from '#app/kept-loads.ts'
import {openLayer} from '#app/shell/open-layer.ts'

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
  openLayer.set('palette')
  const first = load()
  expect(await first).toBe('without')
  // a render of the same view has the same promise: it does not wait anew
  expect(load()).toBe(first)
  openLayer.set(undefined)
  const second = load()
  expect(await second).toBe('there')
  openLayer.set('palette')
  expect(load()).toBe(second)
})

test('a part that fails after its view was closed is asked for when the view opens again', async () => {
  const loads = new Map<string, Promise<string>>()
  let fail = (_: Error) => {}
  const failing = () => new Promise<string>((_, reject) => (fail = reject))
  openLayer.set('palette')
  const first = keepLoad(loads, 'menus', failing, 'without')
  openLayer.set(undefined)
  fail(new Error('foo'))
  expect(await first).toBe('without')
  openLayer.set('palette')
  expect(await keepLoad(loads, 'menus', async () => 'there', 'without')).toBe('there')
})
