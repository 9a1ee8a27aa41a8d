import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {lookInterval, watchBuild, type BuildWatchPorts} from '#browser/new-build.ts'
import {eventually} from '../eventually.ts'

const own = '/assets/app-1234567.js'
const pageOf = (script: string) => `<html><script type="module" src="${script}"></script></html>`

class Timing {
  constructor(
    readonly name: string,
    readonly responseStatus: number,
  ) {}
}
type List = {getEntries: () => Timing[]}

let now = 0
let answer: () => Promise<Response>
/** The browser reports a file that was asked for. */
let report: (...entries: Timing[]) => void
const asked = vi.fn(() => answer())
const ports = {entry: own, onNewBuild: vi.fn(), onFailure: vi.fn()} satisfies BuildWatchPorts

beforeEach(() => {
  vi.clearAllMocks()
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  vi.stubGlobal('fetch', asked)
  vi.stubGlobal('PerformanceResourceTiming', Timing)
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(handle: (list: List) => void) {
        report = (...entries) => handle({getEntries: () => entries})
      }
      observe() {}
    },
  )
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const answers = (text: string, init?: ResponseInit) => {
  answer = async () => new Response(text, init)
}
const part = (status: number) => new Timing(`${location.origin}/assets/part-1234567.js`, status)
/** Looks as after 15 minutes, and waits for what comes of it. */
const lookLater = async (build: ReturnType<typeof watchBuild>) => {
  const before = asked.mock.calls.length
  now += lookInterval
  build.look()
  await eventually(() => expect(asked.mock.calls.length).toBe(before + 1))
  await Promise.allSettled(asked.mock.results.map(({value}) => value as unknown))
}

test('looks at most every 15 minutes, and reports another build once', async () => {
  const build = watchBuild(ports)
  now += lookInterval - 1
  build.look()
  expect(asked).not.toHaveBeenCalled()
  answers(pageOf(own))
  await lookLater(build)
  build.look()
  expect(asked).toHaveBeenCalledTimes(1)
  answers(pageOf('/assets/app-7654321.js'))
  await lookLater(build)
  await eventually(() => expect(ports.onNewBuild).toHaveBeenCalledTimes(1))
  now += lookInterval
  build.look()
  expect(asked).toHaveBeenCalledTimes(2)
})

test('looks at once when a part of this page is gone, and for nothing else', async () => {
  watchBuild(ports)
  answers(pageOf('/assets/app-7654321.js'))
  report(
    part(200),
    new Timing(`${location.origin}/services/api/foo`, 404),
    new Timing('https://foo.example/assets/a.js', 404),
  )
  expect(asked).not.toHaveBeenCalled()
  report(part(404))
  await eventually(() => expect(ports.onNewBuild).toHaveBeenCalledTimes(1))
  report(part(404))
  await eventually(() => expect(asked).toHaveBeenCalledTimes(2))
  expect(ports.onNewBuild).toHaveBeenCalledTimes(1)
})

test('the page of something else, an error and a lost network are no new build', async () => {
  const build = watchBuild(ports)
  answers('<html>Sign in to this network</html>')
  await lookLater(build)
  answers(pageOf('/assets/app-7654321.js'), {status: 502})
  await lookLater(build)
  answer = () => Promise.reject(new TypeError('foo'))
  await lookLater(build)
  await eventually(() => expect(ports.onFailure).toHaveBeenCalledTimes(1))
  expect(ports.onNewBuild).not.toHaveBeenCalled()
})
