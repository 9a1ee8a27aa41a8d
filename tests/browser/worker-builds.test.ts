import {afterEach, expect, test, vi} from 'vitest'
import {createBuildKeeper, keptFile, keptPage} from '../../src/service-worker/kept-builds.ts'

const build = {
  id: 'foo',
  entry: '/assets/app-1234567.js',
  files: ['/assets/app-1234567.js', ...Array.from({length: 20}, (_, index) => `/assets/part-${index}.js`)],
  messages: {el: ['/assets/el.js']},
}

/** Names of the locks that open pages hold. */
const stubOpenBuilds = (...names: readonly string[]) =>
  vi.stubGlobal('navigator', {locks: {query: async () => ({held: names.map((name) => ({name}))})}})

/** The caches of a browser, of which each file names its build. */
function stubCaches() {
  const stores = new Map<string, Map<string, string>>()
  const response = (text: string | undefined) => (text === undefined ? undefined : new Response(text))
  const open = async (name: string) => {
    const store = stores.get(name) ?? new Map<string, string>()
    stores.set(name, store)
    return {
      keys: async () => [...store.keys()].map((path) => new Request(new URL(path, location.origin))),
      put: async (path: string, answer: Response) => void store.set(path, await answer.text()),
      addAll: async (paths: readonly string[]) => paths.forEach((path) => store.set(path, path)),
    }
  }
  vi.stubGlobal('caches', {
    open,
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    match: async (path: string, {cacheName}: {cacheName: string}) => response(stores.get(cacheName)?.get(path)),
  })
  return {names: () => [...stores.keys()]}
}

const buildOf = (id: string) => ({
  ...{id, entry: `/assets/app-${id}.js`, messages: {}},
  files: [`/assets/app-${id}.js`, `/assets/part-${id}.js`],
})
const [before, current, next] = [buildOf('before'), buildOf('current'), buildOf('next')]
const nameOf = ({entry, id}: typeof before) => `atrium ${entry} ${id}`

/** The server's answers name this build; with another status it does not answer. */
const serve = ({entry}: typeof before, status = 200) =>
  vi.stubGlobal('fetch', async () => new Response(`<script src="${entry}"></script>`, {status}))

afterEach(() => vi.unstubAllGlobals())

test('a build is kept a few files at a time, its page and its script last', async () => {
  const kept: string[] = []
  let running = 0
  let most = 0
  stubOpenBuilds()
  vi.stubGlobal('caches', {
    keys: async () => [],
    open: async () => ({
      keys: async () => [],
      put: async (path: string) => void kept.push(path),
      addAll: async (paths: readonly string[]) => {
        running += paths.length
        most = Math.max(most, running)
        await new Promise((resolve) => setImmediate(resolve))
        running -= paths.length
        kept.push(...paths)
      },
    }),
  })
  vi.stubGlobal('fetch', async () => new Response(`<script src="${build.entry}"></script>`))
  await createBuildKeeper(build)('el')
  expect(kept).toEqual([...build.files.slice(1), '/assets/el.js', '/', build.entry])
  expect(most).toBe(4)
})

test('a build that is kept whole replaces those that no page shows', async () => {
  const {names} = stubCaches()
  stubOpenBuilds(current.entry)
  for (const each of [before, current, next]) {
    serve(each)
    await createBuildKeeper(each)('el')
  }
  expect(names()).toEqual([nameOf(current), nameOf(next)])
})

test.each([
  ['another node answers with its build', before, 200],
  ['the server is away', current, 503],
] as const)('a build that is not kept whole replaces none: %s', async (_, served, status) => {
  const {names} = stubCaches()
  stubOpenBuilds()
  serve(before)
  await createBuildKeeper(before)('el')
  serve(served, status)
  await createBuildKeeper(current)('el')
  expect(names()).toContain(nameOf(before))
  expect(await (await keptPage(current))?.text()).toContain(before.entry)
})

test('pages that ask at once have a build kept one after the other, also after one that failed', async () => {
  stubCaches()
  stubOpenBuilds()
  let running = 0
  let most = 0
  let failures = 2
  vi.stubGlobal('fetch', async () => {
    failures -= 1
    if (failures >= 0) throw new TypeError('Failed to fetch')
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    return new Response(`<script src="${current.entry}"></script>`)
  })
  const keep = createBuildKeeper(current)
  const first = keep('el')
  const others = [keep('el'), keep('en')]
  await expect(first).rejects.toThrow('Failed to fetch')
  await Promise.all(others)
  // the page and its script
  expect(most).toBe(2)
  expect(await keptPage(current)).toBeDefined()
})

test("a file of a build that cannot be read is the server's", async () => {
  vi.stubGlobal('caches', {match: () => Promise.reject(new Error('The disk is full'))})
  expect(await keptFile(new Request(new URL(build.entry, location.origin)))).toBeUndefined()
})
