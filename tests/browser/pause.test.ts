import {afterEach, expect, test, vi} from 'vitest'
import {pause} from '#browser/streams/pause.ts'

afterEach(() => vi.useRealTimers())

test('a hidden page, whose timers are held back, does not wait for one', async () => {
  vi.useFakeTimers()
  await pause(0)
  expect(vi.getTimerCount()).toBe(0)
  void pause(82)
  expect(vi.getTimerCount()).toBe(1)
})
