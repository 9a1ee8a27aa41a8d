import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {keepSeenFiles} from '#browser/seen-files.ts'
import {eventually} from '../eventually.ts'

/** The answers that the browser keeps: by address, by the name of their cache. */
let stores = new Map<string, Map<string, Response>>()
const addressOf = (request: RequestInfo | URL) => (request instanceof Request ? request.url : String(request))

function openStore(name: string) {
  const store = stores.get(name) ?? new Map<string, Response>()
  stores.set(name, store)
  return {
    keys: async () => [...store.keys()].map((url) => new Request(url)),
    match: async (request: RequestInfo | URL) => store.get(addressOf(request))?.clone(),
    put: async (request: RequestInfo | URL, answer: Response) => void store.set(addressOf(request), answer),
    delete: async (request: RequestInfo | URL) => store.delete(addressOf(request)),
  }
}

const base = 'https://files.example/api/v1/files/'
const failures: unknown[] = []
/** Bytes of the file under an address: those after its last hyphen. */
const sizeOf = (url: string) => Number(url.slice(url.lastIndexOf('-') + 1))

beforeEach(() => {
  stores = new Map()
  failures.length = 0
  vi.stubGlobal('caches', {
    keys: async () => [...stores.keys()],
    open: async (name: string) => openStore(name),
    delete: async (name: string) => stores.delete(name),
  })
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      observe() {}
    },
  )
  vi.stubGlobal('fetch', async (request: RequestInfo) => new Response(new Uint8Array(sizeOf(addressOf(request)))))
})
afterEach(async () => {
  vi.useRealTimers()
  for (const end of ends) end()
  ends = []
  await eventually(() => expect(stores.size).toBe(0))
  document.body.replaceChildren()
})

let ends: (() => void)[] = []
/** A page that hears clicks until its user is gone. */
function startKeeping() {
  const seenFiles = keepSeenFiles({
    isOwn: (url) => url.startsWith(base),
    onFailure: (error) => failures.push(error),
  })
  ends.push(() => seenFiles.follow(undefined))
  return seenFiles
}

function open(name: string, folder = base) {
  const link = document.createElement('a')
  link.href = `${folder}${name}`
  document.body.append(link)
  link.click()
}
const namesOf = (userId: string) =>
  [...(stores.get(`atrium-files ${userId}`)?.keys() ?? [])].map((url) => url.slice(base.length))

test('files of the user that were opened are kept; no others, and none while nobody is signed in', async () => {
  const seenFiles = startKeeping()
  open('early-1')
  seenFiles.follow('foo')
  open('own-1')
  open('foreign-1', 'https://elsewhere.example/')
  open('large-10000001')
  open('last-1')
  await eventually(() => expect(namesOf('foo')).toEqual(['own-1', 'last-1']))
  expect(failures).toEqual([])
})

test('files of one user go when another one signs in, and when the user signs out', async () => {
  const seenFiles = startKeeping()
  seenFiles.follow('foo')
  open('own-1')
  await eventually(() => expect(namesOf('foo')).toEqual(['own-1']))
  open('on-its-way-1')
  seenFiles.follow('bar')
  open('theirs-1')
  await eventually(() => expect(namesOf('bar')).toEqual(['theirs-1']))
  expect([...stores.keys()]).toEqual(['atrium-files bar'])
  seenFiles.follow(undefined)
  await eventually(() => expect([...stores.keys()]).toEqual([]))
})

test('the files of others are looked for when the user is known and when it is another one', async () => {
  const seenFiles = startKeeping()
  const look = vi.spyOn(caches, 'keys')
  for (const userId of [undefined, undefined, 'foo', 'foo', undefined]) seenFiles.follow(userId)
  await eventually(() => expect(look).toHaveBeenCalledTimes(3))
  expect(failures).toEqual([])
})

test('no more than 50 MB are kept, those that were seen last', async () => {
  vi.useFakeTimers({toFake: ['Date']})
  const seenFiles = startKeeping()
  seenFiles.follow('foo')
  const names = [1, 2, 3, 4, 5, 6, 7].map((number) => `${number}-9000000`)
  for (const [index, name] of names.entries()) {
    vi.setSystemTime(index * 1000)
    open(name)
    await eventually(() => expect(namesOf('foo')).toContain(name))
  }
  await eventually(() => expect(namesOf('foo')).toEqual(names.slice(-5)))
  // a day later the oldest of them is seen again
  vi.setSystemTime(2 * 24 * 60 * 60 * 1000)
  open('3-9000000')
  open('8-9000000')
  await eventually(() =>
    expect(namesOf('foo').toSorted()).toEqual(['3', '5', '6', '7', '8'].map((n) => `${n}-9000000`)),
  )
  expect(failures).toEqual([])
})

test('each of the files that are kept is looked at once, however many come', async () => {
  const kept = Array.from({length: 200}, (_, index): [string, Response] => [
    `${base}kept-${index}`,
    new Response('', {headers: {'x-seen-at': '1', 'content-length': '1'}}),
  ])
  stores.set('atrium-files foo', new Map(kept))
  const looks: string[] = []
  const openCache = caches.open.bind(caches)
  vi.spyOn(caches, 'open').mockImplementation(async (name) => {
    const cache = await openCache(name)
    const look = cache.match.bind(cache)
    const match: Cache['match'] = (request) => {
      looks.push(addressOf(request))
      return look(request)
    }
    return Object.assign(cache, {match})
  })
  const seenFiles = startKeeping()
  seenFiles.follow('foo')
  const names = ['a-1', 'b-1', 'c-1', 'd-1']
  for (const name of names) open(name)
  await eventually(() => expect(namesOf('foo').slice(-4)).toEqual(names))
  await eventually(() =>
    expect(looks.toSorted()).toEqual([...kept.map(([url]) => url), ...names.map((n) => base + n)].toSorted()),
  )
  expect(failures).toEqual([])
})

test('nothing is loaded of a file that says that it is too large', async () => {
  const reads: string[] = []
  const ends: string[] = []
  vi.stubGlobal('fetch', async (request: RequestInfo) => {
    const address = addressOf(request)
    const size = sizeOf(address)
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
      reads.push(address.slice(base.length))
      controller.enqueue(new Uint8Array(1))
      controller.close()
    }
    const cancel = () => void ends.push(address.slice(base.length))
    // the first byte waits for a reader, as those of a slow network do
    const body = new ReadableStream({pull, cancel}, {highWaterMark: 0})
    return new Response(body, {headers: {'content-length': String(size)}})
  })
  const seenFiles = startKeeping()
  seenFiles.follow('foo')
  open('video-900000000')
  open('image-1')
  await eventually(() => expect(namesOf('foo')).toEqual(['image-1']))
  expect(reads).toEqual(['image-1'])
  expect(ends).toEqual(['video-900000000'])
  expect(failures).toEqual([])
})
