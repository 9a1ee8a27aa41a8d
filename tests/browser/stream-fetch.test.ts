import {describe, expect, test, vi} from 'vitest'
import {serveStreams} from '#browser/streams/serve-streams.ts'
import {createStreamFetch, type StreamWorker} from '#browser/streams/stream-fetch.ts'
import type {PageMessage, WorkerMessage} from '#browser/streams/stream-messages.ts'
import {createBody, createFakeFetch, silence} from '../api/fake-fetch.ts'
import {eventually} from '../eventually.ts'

type FakeFetch = ReturnType<typeof createFakeFetch>
const decoder = new TextDecoder()
const task = () => new Promise((resolve) => setTimeout(resolve))
const url = 'https://api.example.com/answers'
const question = {method: 'POST', headers: {accept: 'text/event-stream'}, body: '{"question":"a"}'}

/** A worker in this thread: messages are copied and take a task, as they do between threads. */
function createWorker({fetch}: FakeFetch, {starts = true} = {}) {
  const asked: PageMessage[] = []
  const terminate = vi.fn()
  const worker: StreamWorker = {
    onmessage: null,
    onerror: null,
    terminate,
    postMessage: (message: PageMessage) => {
      asked.push(structuredClone(message))
      if (starts) setTimeout(() => receive(structuredClone(message)))
    },
  }
  const send = (data: WorkerMessage) => {
    const message = new MessageEvent('message', {data: structuredClone(data)})
    // as: the page reads nothing but `data`
    setTimeout(() => worker.onmessage?.call(worker as Worker, message))
  }
  const receive = serveStreams(fetch, send)
  if (starts) send({type: 'ready'})
  // as: the page reads nothing of the event
  const breakDown = () => worker.onerror?.call(worker as Worker, new Event('error') as ErrorEvent)
  return {worker, asked, terminate, breakDown}
}

const setUp = (
  there: FakeFetch,
  {here = createFakeFetch(new Error('The page sent a request')), starts = true, rest = (): number => 0} = {},
) => {
  const fake = createWorker(there, {starts})
  const startWorker = vi.fn(() => fake.worker)
  return {...fake, startWorker, here, there, streamFetch: createStreamFetch(startWorker, here.fetch, rest)}
}

describe('a stream that a worker reads', () => {
  test('has the request and the response of fetch', async () => {
    const response = () =>
      new Response('text', {status: 201, headers: {'content-type': 'text/event-stream', 'x-trace-id': 't-1'}})
    const {streamFetch, there} = setUp(createFakeFetch(response))
    const read = await streamFetch(url, question)
    expect(there.seen).toEqual([
      {
        url,
        method: 'POST',
        headers: question.headers,
        body: {question: 'a'},
        signal: expect.any(AbortSignal),
        keepalive: false,
      },
    ])
    expect([read.status, read.headers.get('content-type'), read.headers.get('x-trace-id')]).toEqual([
      201,
      'text/event-stream',
      't-1',
    ])
    expect(await read.text()).toBe('text')
  })

  test('brings with each read all that has arrived, and asks for nothing before', async () => {
    const body = createBody()
    const {streamFetch, asked} = setUp(createFakeFetch(() => body.response))
    const bytes = (await streamFetch(url, question)).body?.getReader()
    body.write('a')
    body.write('b')
    await task()
    expect(asked.map(({type}) => type)).toEqual(['open'])
    expect(decoder.decode((await bytes?.read())?.value)).toBe('ab')
    body.close()
    expect(await bytes?.read()).toEqual({done: true, value: undefined})
  })

  test('rests in the worker after a read, as long as the page said when it asked for it', async () => {
    const body = createBody()
    let rest = 0
    const {streamFetch, asked} = setUp(
      createFakeFetch(() => body.response),
      {rest: () => rest},
    )
    const bytes = (await streamFetch(url, question)).body?.getReader()
    const read = async () => decoder.decode((await bytes?.read())?.value)
    body.write('a')
    expect(await read()).toBe('a')
    rest = 1_000_000
    body.write('b')
    expect(await read()).toBe('b')
    body.write('c')
    const third = vi.fn()
    void read().then(third)
    await eventually(() => expect(asked).toHaveLength(4))
    // what the worker would answer takes two tasks
    for (let tasks = 0; tasks < 5; tasks += 1) await task()
    expect(third).not.toHaveBeenCalled()
    expect(asked.flatMap((message) => (message.type === 'take' ? [message.rest] : []))).toEqual([0, rest, rest])
  })

  test('rejects as fetch does when no response comes', async () => {
    const {streamFetch} = setUp(createFakeFetch(new TypeError('The network is gone')))
    await expect(streamFetch(url, question)).rejects.toEqual(new TypeError('The network is gone'))
  })

  test('errors where its body broke, after the bytes before', async () => {
    const body = createBody()
    const {streamFetch} = setUp(createFakeFetch(() => body.response))
    const bytes = (await streamFetch(url, question)).body?.getReader()
    body.write('a')
    expect(decoder.decode((await bytes?.read())?.value)).toBe('a')
    body.break(new TypeError('The network is gone'))
    await expect(bytes?.read()).rejects.toEqual(new TypeError('The network is gone'))
  })

  test('a response without a body has none', async () => {
    const {streamFetch} = setUp(createFakeFetch(() => new Response(null, {status: 204})))
    expect(await streamFetch(url, question)).toMatchObject({status: 204, body: null})
  })

  test('several run beside each other', async () => {
    const bodies = [createBody(), createBody()]
    const {streamFetch, startWorker} = setUp(
      createFakeFetch(
        ...bodies.map(
          ({response}) =>
            () =>
              response,
        ),
      ),
    )
    const [first, second] = await Promise.all([streamFetch(url, question), streamFetch(url, question)])
    bodies[1]?.write('second')
    bodies[1]?.close()
    bodies[0]?.write('first')
    bodies[0]?.close()
    expect(await Promise.all([first?.text(), second?.text()])).toEqual(['first', 'second'])
    expect(startWorker).toHaveBeenCalledOnce()
  })
})

describe('a page that leaves a stream', () => {
  test('aborts the request that has no response', async () => {
    const {streamFetch, there} = setUp(createFakeFetch(silence))
    const controller = new AbortController()
    const response = streamFetch(url, {...question, signal: controller.signal})
    await eventually(() => expect(there.seen).toHaveLength(1))
    controller.abort()
    await expect(response).rejects.toHaveProperty('name', 'AbortError')
    await eventually(() => expect(there.seen[0]?.signal?.aborted).toBe(true))
  })

  test('aborts the request whose body it reads', async () => {
    const body = createBody()
    const {streamFetch, there} = setUp(createFakeFetch(() => body.response))
    const controller = new AbortController()
    const {body: stream} = await streamFetch(url, {...question, signal: controller.signal})
    const read = stream?.getReader().read()
    controller.abort()
    await expect(read).rejects.toHaveProperty('name', 'AbortError')
    await eventually(() => expect(there.seen[0]?.signal?.aborted).toBe(true))
  })

  test('aborts the request whose body it cancels', async () => {
    const body = createBody()
    const {streamFetch, there} = setUp(createFakeFetch(() => body.response))
    await (await streamFetch(url, question)).body?.cancel()
    await eventually(() => expect(there.seen[0]?.signal?.aborted).toBe(true))
  })

  test('sends nothing once its signal is aborted', async () => {
    const {streamFetch, asked} = setUp(createFakeFetch(silence))
    await expect(streamFetch(url, {...question, signal: AbortSignal.abort()})).rejects.toHaveProperty(
      'name',
      'AbortError',
    )
    expect(asked).toEqual([])
  })
})

describe('a worker that fails', () => {
  const here = () => createFakeFetch(() => new Response('here'))

  test('where none can be made the page reads the stream', async () => {
    const streamFetch = createStreamFetch(
      () => {
        throw new Error('No module workers')
      },
      here().fetch,
      () => 0,
    )
    expect(await (await streamFetch(url, question)).text()).toBe('here')
  })

  test('one whose script does not come has sent nothing: the page sends the request', async () => {
    const {streamFetch, breakDown, terminate, startWorker, there} = setUp(createFakeFetch(silence), {
      here: here(),
      starts: false,
    })
    const response = streamFetch(url, question)
    await task()
    breakDown()
    expect(await (await response).text()).toBe('here')
    expect(there.seen).toEqual([])
    expect(terminate).toHaveBeenCalledOnce()
    void streamFetch(url, question)
    expect(startWorker).toHaveBeenCalledTimes(2)
  })

  test('one that breaks loses contact, and nothing is sent twice', async () => {
    const body = createBody()
    const {streamFetch, breakDown, here, there} = setUp(createFakeFetch(() => body.response, silence))
    const bytes = (await streamFetch(url, question)).body?.getReader()
    const unanswered = streamFetch(url, question)
    await eventually(() => expect(there.seen).toHaveLength(2))
    breakDown()
    await expect(unanswered).rejects.toBeInstanceOf(TypeError)
    await expect(bytes?.read()).rejects.toBeInstanceOf(TypeError)
    expect(here.seen).toEqual([])
  })
})
