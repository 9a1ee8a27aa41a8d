import {afterEach, expect, test, vi} from 'vitest'
import {loadPart} from '#ui/load-part.ts'

afterEach(() => vi.unstubAllGlobals())

/** The browser says that it is offline, and its server cannot be reached. */
function goOffline() {
  vi.stubGlobal('navigator', {onLine: false})
  vi.stubGlobal('location', {origin: 'http://127.0.0.1:1'})
  const listeners: (() => void)[] = []
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => void listeners.push(listener))
  return () => {
    vi.stubGlobal('navigator', {onLine: true})
    listeners.forEach((listener) => listener())
  }
}

test('a part that is there comes without a network; another waits for it', async () => {
  const loadFoo = async () => 'foo'
  const loadBar = vi.fn(async () => 'bar')
  await loadPart(loadFoo)
  const goOnline = goOffline()
  const bar = loadPart(loadBar)
  expect(await loadPart(loadFoo)).toBe('foo')
  expect(loadBar).not.toHaveBeenCalled()
  await vi.waitFor(() => {
    goOnline()
    expect(loadBar).toHaveBeenCalled()
  })
  expect(await bar).toBe('bar')
})
