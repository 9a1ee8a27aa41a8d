import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {loadPart} from '#ui/load-part.ts'
import {timersOf} from '#tests/timers-of.ts'

let ownTimers: () => number

beforeEach(() => {
  vi.useFakeTimers()
  ownTimers = timersOf('src/ui/load-part.ts')
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
  expect(ownTimers()).toBe(1)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(await failed).toMatch(/dynamically imported/)
})

test('a part that comes, or fails, leaves no timer', async () => {
  expect(await loadPart(async () => 'foo')).toBe('foo')
  await expect(loadPart(() => Promise.reject(new Error('bar')))).rejects.toThrow('bar')
  expect(ownTimers()).toBe(0)
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

test('each file that fails while the server answers is asked for again', async () => {
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

test('two files that one import needs are each asked for again, though browsers name the import for both', async () => {
  vi.stubGlobal('fetch', async () => new Response())
  const lost = ['bar.js', 'baz.js']
  const load = vi.fn(async () => {
    if (lost.shift() !== undefined) throw new TypeError('Failed to fetch dynamically imported module: foo.js')
    return 'foo'
  })
  expect(await loadPart(load)).toBe('foo')
  expect(load).toHaveBeenCalledTimes(3)
})

test('what fails three times by the same message is not asked for again', async () => {
  vi.stubGlobal('fetch', async () => new Response())
  const load = vi.fn(() => Promise.reject(new TypeError('foo.js')))
  await expect(loadPart(load)).rejects.toThrow('foo.js')
  expect(load).toHaveBeenCalledTimes(3)
})

describe('a style sheet that did not come', () => {
  /** How Vite loads: each sheet is asked for once in the life of a page, and one that failed counts as there. */
  const createVite = () => {
    const seen: Record<string, Promise<void> | undefined> = {}
    return (href: string, part: string) => async () => {
      if (!(href in seen)) {
        const link = document.createElement('link')
        link.setAttribute('rel', 'stylesheet')
        link.setAttribute('href', href)
        const coming = new Promise<void>((resolve, reject) => {
          link.addEventListener('load', () => resolve())
          link.addEventListener('error', () => reject(new Error(`Unable to preload CSS for ${link.href}`)))
        })
        seen[href] = coming.finally(() => (seen[href] = undefined))
        document.head.append(link)
      }
      await seen[href]
      return part
    }
  }
  const links = () => [...document.head.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  /** The last request for the sheet ends. */
  const settle = async (type: 'load' | 'error') => {
    await vi.advanceTimersByTimeAsync(1)
    links().at(-1)?.dispatchEvent(new Event(type))
    await vi.advanceTimersByTimeAsync(1)
  }
  const follow = (loaded: Promise<string>) => {
    const state = {is: 'loading'}
    loaded.then(
      (part) => (state.is = part),
      (error: unknown) => (state.is = String(error)),
    )
    return state
  }
  /** The time passes in which a part could do without a sheet that was given up. */
  const giveUp = () => vi.advanceTimersByTimeAsync(3_000)
  const goOffline = (isOffline: boolean) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(!isOffline)
    if (!isOffline) dispatchEvent(new Event('online'))
  }

  beforeEach(() => {
    vi.stubGlobal('fetch', async () => new Response())
    // happy-dom would end each request at once
    vi.spyOn(HTMLLinkElement.prototype, 'getAttribute').mockReturnValue(null)
  })
  afterEach(async () => {
    // no sheet stays lost for the next test
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
    const rest = loadPart(async () => 'foo')
    await settle('load')
    await rest
    for (const link of links()) link.remove()
  })

  test('since the network went is there when the network is back, before its part', async () => {
    const part = follow(loadPart(createVite()('/assets/foo.css', 'foo')))
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('foo')))
    goOffline(true)
    await settle('error')
    vi.stubGlobal('fetch', async () => new Response())
    goOffline(false)
    await vi.advanceTimersByTimeAsync(1)
    expect(part.is).toBe('loading')
    await settle('load')
    expect(part.is).toBe('foo')
  })

  test('for one part is there before another part that shares it', async () => {
    const vite = createVite()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('foo')))
    const first = follow(loadPart(vite('/assets/foo.css', 'foo')))
    await settle('error')
    await giveUp()
    expect(first.is).toMatch(/Unable to preload CSS/)
    vi.stubGlobal('fetch', async () => new Response())
    const second = follow(loadPart(vite('/assets/foo.css', 'bar')))
    await vi.advanceTimersByTimeAsync(1)
    expect(second.is).toBe('loading')
    await settle('load')
    expect(second.is).toBe('bar')
  })

  test('is asked for again once for all parts that wait for it, and there before each', async () => {
    const vite = createVite()
    const parts = ['foo', 'bar'].map((part) => follow(loadPart(vite('/assets/foo.css', part))))
    await settle('error')
    const last = follow(loadPart(vite('/assets/foo.css', 'baz')))
    await vi.advanceTimersByTimeAsync(1)
    expect([...parts, last].map(({is}) => is)).toEqual(['loading', 'loading', 'loading'])
    expect(links()).toHaveLength(1)
    await settle('load')
    expect([...parts, last].map(({is}) => is)).toEqual(['foo', 'bar', 'baz'])
  })

  test('keeps no part away that may do without it: neither failing nor hanging', async () => {
    const vite = createVite()
    const own = follow(loadPart(vite('/assets/foo.css', 'foo')))
    for (let request = 0; request < 3; request++) await settle('error')
    await giveUp()
    expect(own.is).toMatch(/Unable to preload CSS/)
    const other = follow(loadPart(async () => 'bar'))
    await settle('error')
    expect(other.is).toBe('bar')
    const later = follow(loadPart(async () => 'baz'))
    await vi.advanceTimersByTimeAsync(1)
    expect(later.is).toBe('baz')
  })

  test('and is lost again keeps each part away that needs it, until it comes', async () => {
    const vite = createVite()
    const first = follow(loadPart(vite('/assets/foo.css', 'foo')))
    for (let request = 0; request < 3; request++) await settle('error')
    await giveUp()
    expect(first.is).toMatch(/Unable to preload CSS/)
    const second = follow(loadPart(vite('/assets/foo.css', 'bar')))
    await settle('error')
    expect(second.is).toBe('loading')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(second.is).toMatch(/dynamically imported/)
    const third = follow(loadPart(vite('/assets/foo.css', 'baz')))
    await settle('load')
    expect(third.is).toBe('baz')
  })

  test('fails no part that is loaded after it was given up and takes long', async () => {
    const own = follow(loadPart(createVite()('/assets/foo.css', 'foo')))
    for (let request = 0; request < 3; request++) await settle('error')
    await giveUp()
    expect(own.is).toMatch(/Unable to preload CSS/)
    let come: (part: string) => void = () => undefined
    const other = follow(loadPart(() => new Promise<string>((resolve) => (come = resolve))))
    await settle('error')
    await vi.advanceTimersByTimeAsync(20_000)
    come('bar')
    await vi.advanceTimersByTimeAsync(1)
    expect(other.is).toBe('bar')
  })

  test('is asked for again when a request for it hangs', async () => {
    const part = follow(loadPart(createVite()('/assets/foo.css', 'foo')))
    await settle('error')
    const [hanging] = links()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(links()).toHaveLength(1)
    expect(links()[0]).not.toBe(hanging)
    await settle('load')
    expect(part.is).toBe('foo')
    expect(ownTimers()).toBe(0)
  })

  test('does not fail a part whose own files come a moment after it was given up', async () => {
    const own = follow(loadPart(createVite()('/assets/foo.css', 'foo')))
    let come: (part: string) => void = () => undefined
    const other = follow(loadPart(() => new Promise<string>((resolve) => (come = resolve))))
    for (let request = 0; request < 3; request++) await settle('error')
    await vi.advanceTimersByTimeAsync(2_000)
    come('bar')
    await giveUp()
    expect([own.is, other.is]).toEqual([expect.stringMatching(/Unable to preload CSS/), 'bar'])
  })
})
