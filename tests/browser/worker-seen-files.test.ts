import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createSeenFiles, seenFile} from '../../src/service-worker/seen-files.ts'

const folder = `${location.origin}/api/v1/files/foo/`
const foreign = 'https://files.example/api/v1/files/foo/kept.png'

/** Caches with these addresses, by name. */
const stubCaches = (addresses: Record<string, readonly string[]>) =>
  vi.stubGlobal('caches', {
    keys: async () => Object.keys(addresses),
    open: async (name: string) => ({keys: async () => (addresses[name] ?? []).map((url) => new Request(url))}),
  })

type Init = {mode?: RequestMode; range?: boolean; method?: string}
/** Parts of a request: a navigation cannot be constructed. */
const request = (name: string, {mode = 'no-cors', range = false, method = 'GET'}: Init = {}) => ({
  url: new URL(name, folder).href,
  method,
  mode,
  headers: new Headers(range ? {range: 'bytes=0-'} : {}),
})

beforeEach(() => vi.stubGlobal('navigator', {onLine: true}))
afterEach(() => vi.unstubAllGlobals())

test('a worker answers for the files that are kept, and leaves all others to the browser', async () => {
  stubCaches({'atrium build': [`${folder}other.png`], 'atrium-files bar': [`${folder}kept.png`, foreign]})
  const seenFiles = createSeenFiles()
  await seenFiles.read()
  const isTaken = (...args: Parameters<typeof request>) => seenFiles.has(request(...args))
  expect(isTaken('kept.png')).toBe(true)
  expect(isTaken('kept.png', {mode: 'navigate'})).toBe(true)
  expect(isTaken('kept.png', {range: true})).toBe(false)
  expect(isTaken('kept.png', {method: 'HEAD'})).toBe(false)
  expect(isTaken('new.png')).toBe(false)
  expect(isTaken('other.png')).toBe(false)
  expect(isTaken(foreign)).toBe(false)
  vi.stubGlobal('navigator', {onLine: false})
  expect(isTaken(foreign)).toBe(true)
  expect(isTaken('new.png')).toBe(false)
})

test('a worker that has just started takes files that open as pages, and without a network all', () => {
  const seenFiles = createSeenFiles()
  const isTaken = (...args: Parameters<typeof request>) => seenFiles.has(request(...args))
  expect(isTaken('new.png')).toBe(false)
  expect(isTaken('new.png', {mode: 'navigate'})).toBe(true)
  vi.stubGlobal('navigator', {onLine: false})
  expect(isTaken('new.png')).toBe(true)
})

test("a file that was seen and cannot be read is the server's", async () => {
  vi.stubGlobal('caches', {keys: async () => ['atrium-files bar'], match: () => Promise.reject(new Error('no disk'))})
  expect(await seenFile(new Request(`${folder}kept.png`))).toBeUndefined()
})
