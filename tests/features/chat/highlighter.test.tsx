import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {createActor, createMachine} from 'xstate'
import {highlight} from '#features/chat/markdown/highlight.ts'
import type {HighlightRequest, HighlightWorker} from '#features/chat/markdown/highlight-worker.ts'
import {createHighlighter, highlighterOf} from '#features/chat/markdown/highlighter.ts'
import {packPieces} from '#features/chat/markdown/packed-pieces.ts'

/** A worker of a test: it answers when it is told to. */
class TestWorker implements HighlightWorker {
  onmessage: HighlightWorker['onmessage'] = null
  onerror: HighlightWorker['onerror'] = null
  readonly requests: HighlightRequest[] = []
  isEnded = false
  postMessage(request: HighlightRequest) {
    this.requests.push(request)
  }
  terminate() {
    this.isEnded = true
  }
  /** Answers the newest request as the real worker does. */
  answer() {
    const request = this.requests.at(-1)
    if (request === undefined) throw new Error('Nothing was asked')
    const pieces = highlight(request.code, request.language)
    const data = {id: request.id, pieces: pieces && packPieces(pieces)}
    // as: handlers of a worker are typed with the worker as `this`
    this.onmessage?.call(this as unknown as Worker, new MessageEvent('message', {data}))
  }
}

const create = () => {
  const workers: TestWorker[] = []
  const highlighter = createHighlighter(() => {
    const worker = new TestWorker()
    workers.push(worker)
    return worker
  })
  return {highlighter, workers}
}
/** An actor that runs until it is stopped. */
const startSession = () => createActor(createMachine({})).start()
const keyword = {text: 'const', scope: 'keyword'}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const createStart = () => {
  const workers: TestWorker[] = []
  const start = () => {
    const worker = new TestWorker()
    workers.push(worker)
    return worker
  }
  return {workers, start}
}

test('the code that was coloured goes with its session, and what waits stays plain', async () => {
  const {workers, start} = createStart()
  const session = startSession()
  const coloured = highlighterOf(start, session).highlight('const foo', 'ts')
  workers[0]?.answer()
  await coloured
  expect(highlighterOf(start, session).stored('const foo', 'ts')?.[0]).toEqual(keyword)
  const waiting = highlighterOf(start, session).highlight('const bar', 'ts')
  session.stop()
  expect(await waiting).toBeUndefined()
  expect(workers.map(({isEnded}) => isEnded)).toEqual([true])
  expect(highlighterOf(start, session).stored('const foo', 'ts')).toBeUndefined()
})

test('a view that outlives its session starts no worker, and the next session has its colours', async () => {
  const {workers, start} = createStart()
  const [session, next] = [startSession(), startSession()]
  const viewHeld = highlighterOf(start, session)
  // the next session is there before the end of this one is told
  const coloured = highlighterOf(start, next).highlight('const foo', 'ts')
  session.stop()
  // a timer of the view fires, and the view is rendered once more before it goes
  expect(await viewHeld.preview('const foo', 'ts')).toBeUndefined()
  expect(await highlighterOf(start, session).highlight('const foo', 'ts')).toBeUndefined()
  workers[0]?.answer()
  expect((await coloured)?.[0]).toEqual(keyword)
  expect(workers).toHaveLength(1)
  expect(vi.getTimerCount()).toBe(0)
})

test('code that a view shows first when its session is over stays plain', async () => {
  const {workers, start} = createStart()
  const session = startSession()
  session.stop()
  expect(await highlighterOf(start, session).highlight('const foo', 'ts')).toBeUndefined()
  expect(workers).toHaveLength(0)
})

test('code that waited when its session ended is kept by nothing', async () => {
  const {highlighter} = create()
  const waiting = highlighter.highlight('const foo', 'ts')
  highlighter.end()
  expect(await waiting).toBeUndefined()
  expect(vi.getTimerCount()).toBe(0)
  expect(await highlighter.highlight('const foo', 'ts')).toBeUndefined()
})

describe('the highlighter', () => {
  test('starts its worker with the first block and asks for one block at a time', async () => {
    const {highlighter, workers} = create()
    expect(workers).toHaveLength(0)
    const first = highlighter.highlight('const foo = 1', 'ts')
    const second = highlighter.highlight('const bar = 2', 'ts')
    expect(workers.map(({requests}) => requests.map(({code}) => code))).toEqual([['const foo = 1']])
    workers[0]?.answer()
    expect((await first)?.[0]).toEqual(keyword)
    workers[0]?.answer()
    expect((await second)?.[0]).toEqual(keyword)
    expect(workers).toHaveLength(1)
  })

  test('a block is coloured once, wherever it is shown again', async () => {
    const {highlighter, workers} = create()
    const [first, second] = [highlighter.highlight('const foo', 'ts'), highlighter.highlight('const foo', 'ts')]
    workers[0]?.answer()
    expect(await first).toEqual(await second)
    expect(highlighter.stored('const foo', 'ts')?.[0]).toEqual(keyword)
    await highlighter.highlight('const foo', 'ts')
    expect(workers[0]?.requests).toHaveLength(1)
  })

  test('a block that takes too long ends the worker and stays plain; the next block has a new worker', async () => {
    const {highlighter, workers} = create()
    const hostile = highlighter.highlight('<a '.repeat(5_000), 'html')
    const next = highlighter.highlight('const foo', 'ts')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await hostile).toBeUndefined()
    expect(workers[0]?.isEnded).toBe(true)
    // the second one took too long as well: nobody answered
    expect(await next).toBeUndefined()
    const third = highlighter.highlight('const bar', 'ts')
    workers.at(-1)?.answer()
    expect((await third)?.[0]).toEqual(keyword)
    expect(workers).toHaveLength(3)
    await highlighter.highlight('<a '.repeat(5_000), 'html')
    expect(workers).toHaveLength(3)
  })

  test('code stays plain where no worker can start', async () => {
    const highlighter = createHighlighter(() => {
      throw new TypeError('foo')
    })
    expect(await highlighter.highlight('const foo', 'ts')).toBeUndefined()
    expect(await highlighter.highlight('const bar', 'ts')).toBeUndefined()
  })

  test('code in an unknown language and code with very many pieces stay plain', () => {
    expect(highlight('foo', 'foo')).toBeUndefined()
    expect(highlight('1 '.repeat(5_000), 'ts')).toBeUndefined()
  })
})
