import {afterEach, expect, test, vi} from 'vitest'
import {pause} from '#browser/streams/pause.ts'
import {timersOf} from '#tests/timers-of.ts'

afterEach(() => vi.useRealTimers())

test('a hidden page, whose timers are held back, does not wait for one', async () => {
  vi.useFakeTimers()
  const ownTimers = timersOf('src/browser/streams/pause.ts')
  await pause(0)
  expect(ownTimers()).toBe(0)
  void pause(82)
  expect(ownTimers()).toBe(1)
})
