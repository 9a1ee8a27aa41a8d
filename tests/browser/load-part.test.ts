import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {loadPart} from '#ui/load-part.ts'

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('foo')))
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const hang = () => new Promise<never>(() => undefined)

test('a part that does not come in 30 s has failed, as one whose file could not be had', async () => {
  const failed = loadPart(hang).catch(String)
  await vi.advanceTimersByTimeAsync(29_000)
  expect(vi.getTimerCount()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await failed).toMatch(/dynamically imported/)
})

test('a part that comes, or fails, leaves no timer', async () => {
  expect(await loadPart(async () => 'foo')).toBe('foo')
  await expect(loadPart(() => Promise.reject(new Error('bar')))).rejects.toThrow('bar')
  expect(vi.getTimerCount()).toBe(0)
})

test('one that does not come though the server answers is gone; one that comes from a server that is away is not', async () => {
  const load = () => Promise.reject(new TypeError('bar'))
  vi.stubGlobal('fetch', async () => new Response(null, {status: 404}))
  expect(await loadPart(load).catch((error: unknown) => error)).toMatchObject({message: 'bar', isGone: true})
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('foo')))
  expect(await loadPart(load).catch((error: unknown) => error)).toMatchObject({message: 'bar', isGone: false})
})

test('one that hangs without a network is asked for again when the network is back', async () => {
  const loads = [hang, async () => 'foo']
  const loaded = loadPart(() => (loads.shift() ?? hang)())
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await vi.advanceTimersByTimeAsync(30_000)
  dispatchEvent(new Event('online'))
  expect(await loaded).toBe('foo')
})

test('without a network a part comes from the kept build; what is not there waits, and is not asked for again and again', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  Object.defineProperty(navigator, 'serviceWorker', {value: {controller: {}}, configurable: true})
  vi.stubGlobal('caches', {match: async () => new Response()})
  expect(await loadPart(async () => 'foo')).toBe('foo')
  const load = vi.fn(() => Promise.reject<string>(new TypeError('bar')))
  const loaded = loadPart(load)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(load).toHaveBeenCalledTimes(1)
  load.mockImplementation(async () => 'baz')
  dispatchEvent(new Event('online'))
  expect(await loaded).toBe('baz')
  Reflect.deleteProperty(navigator, 'serviceWorker')
})

test('each file that fails while the server answers is asked for once more', async () => {
  vi.stubGlobal('fetch', async () => new Response())
  const failures = [new TypeError('foo.js'), new TypeError('bar.js')]
  const load = vi.fn(async () => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return 'baz'
  })
  expect(await loadPart(load)).toBe('baz')
  expect(load).toHaveBeenCalledTimes(3)
})

test('a file that fails twice is not asked for again', async () => {
  vi.stubGlobal('fetch', async () => new Response())
  const load = vi.fn(() => Promise.reject(new TypeError('foo.js')))
  await expect(loadPart(load)).rejects.toThrow('foo.js')
  expect(load).toHaveBeenCalledTimes(2)
})
