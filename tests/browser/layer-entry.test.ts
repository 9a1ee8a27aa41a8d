import {afterEach, expect, test, vi} from 'vitest'
import {leaveLayerEntry, openLayerEntry} from '#browser/layer-entry.ts'

/** Waits until the page heard that `act` went back. */
const popped = (act: () => void) =>
  new Promise((resolve) => {
    addEventListener('popstate', resolve, {once: true})
    act()
  })
const ends: (() => void)[] = []
const open = (onBack: () => void) => {
  const end = openLayerEntry(onBack)
  ends.push(end)
  return end
}
afterEach(() => ends.splice(0).forEach((end) => end()))

test('Back leads out of the layer and stays on the page, whose state is kept', async () => {
  history.replaceState({foo: 1}, '')
  const onBack = vi.fn()
  const [address, before] = [location.href, history.length]
  open(onBack)
  expect([location.href, history.length - before]).toEqual([address, 1])
  expect(history.state).toEqual({foo: 1, atriumLayer: true})
  await popped(() => history.back())
  expect(onBack).toHaveBeenCalledOnce()
  expect([location.href, history.state]).toEqual([address, {foo: 1}])
})

test('a layer that is closed otherwise leaves no entry, and one that a reload left is used again', async () => {
  history.replaceState({foo: 2}, '')
  const onBack = vi.fn()
  await popped(open(onBack))
  expect(history.state).toEqual({foo: 2})
  expect(onBack).not.toHaveBeenCalled()
  open(onBack)
  const entries = history.length
  open(onBack)
  expect(history.length).toBe(entries)
})

test('a navigation from the layer waits until its entry is left', async () => {
  history.replaceState({foo: 3}, '')
  const onBack = vi.fn()
  open(onBack)
  await leaveLayerEntry()
  expect([history.state, onBack.mock.calls.length]).toEqual([{foo: 3}, 1])
  await leaveLayerEntry()
  expect(history.state).toEqual({foo: 3})
})
