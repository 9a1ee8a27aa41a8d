import {once} from 'node:events'
import {createServer, type RequestListener, type ServerResponse} from 'node:http'
import {createServer as createSilentServer} from 'node:net'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {setImmediate as turn} from 'node:timers/promises'
import {brotliCompressSync, gzipSync} from 'node:zlib'
import {afterEach, expect, test, vi} from 'vitest'
import {answerDeadlines, callUpstream, readAll} from '#server/providers/call-upstream.ts'
import {realOutboundPorts} from '#server/providers/outbound.ts'
import {manualTimers} from './providers.fixtures.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void // the flag above puts it there

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

async function serverOf(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  return `http://127.0.0.1:${address.port}`
}

/** A server that writes the first bytes of an answer at once and then nothing, and tells when its reader hangs up. */
async function stalledServer(pieces = ['data: foo']) {
  const hungUp: Promise<unknown>[] = []
  const baseUrl = await serverOf((_, response) => {
    hungUp.push(once(response, 'close'))
    response.cork()
    for (const piece of pieces) response.write(piece)
    response.uncork()
  })
  return {baseUrl, hungUp}
}

const ask = (
  baseUrl: string,
  body: unknown = {},
  ports = realOutboundPorts,
  signal: AbortSignal = new AbortController().signal,
) =>
  callUpstream(
    {
      upstream: {name: 'foo', baseUrl, apiKey: 'secret-key'},
      path: '/chat',
      method: 'POST',
      body,
      signal,
      deadlines: answerDeadlines,
    },
    ports,
  )

/** Lets memory be collected until an object that nobody holds is gone and the callback of its finalization has run. */
async function collectMemory() {
  let isGone = false
  const finalization = new FinalizationRegistry(() => (isGone = true))
  finalization.register({}, undefined)
  while (!isGone) {
    // a reference that was made or read in this turn holds until its end
    await turn()
    collectGarbage()
  }
  for (let time = 0; time < 2; time += 1) {
    await turn()
    collectGarbage()
  }
}

const ways = ['pieces handed on', 'an iterator'] as const

/** Reads the first bytes, waits for more, and lets memory be collected meanwhile. */
async function waitForMore(way: (typeof ways)[number], signal: AbortSignal) {
  const {baseUrl, hungUp} = await stalledServer()
  const clock = manualTimers()
  const {bytes, read} = await callUpstream(
    {
      upstream: {name: 'foo', baseUrl, apiKey: undefined},
      path: '/chat',
      method: 'POST',
      body: {},
      signal,
      deadlines: {firstByteMilliseconds: 1_000, idleMilliseconds: 2_000},
    },
    {...realOutboundPorts, timers: clock.timers},
  )
  let first = ''
  let more: Promise<unknown>
  if (way === 'an iterator') {
    const body = bytes[Symbol.asyncIterator]()
    first = Buffer.from((await body.next()).value ?? []).toString()
    more = body.next()
  } else {
    more = read((piece) => (first += piece) !== '')
    await vi.waitUntil(() => first !== '')
  }
  await collectMemory()
  return {first, more, hungUp, clock}
}

test.each(ways)('a stop ends an answer that is being read (%s), and the server hears of it', async (way) => {
  const controller = new AbortController()
  const {first, more, hungUp, clock} = await waitForMore(way, controller.signal)
  expect(first).toBe('data: foo') // the body has begun
  controller.abort()
  await expect(more).rejects.toMatchObject({code: 'canceled'})
  expect(hungUp).toHaveLength(1)
  await Promise.all(hungUp)
  expect(clock.waiting()).toEqual([])
})

test.each(ways)('silence ends an answer that is being read (%s), and the server hears of it', async (way) => {
  const {more, hungUp, clock} = await waitForMore(way, new AbortController().signal)
  clock.fire(2_000)
  await expect(more).rejects.toMatchObject({code: 'timeout', options: {interrupted: true}})
  expect(hungUp).toHaveLength(1)
  await Promise.all(hungUp)
  expect(clock.waiting()).toEqual([])
})

test.each([301, 302, 303, 307, 308])('a redirect (%i) is refused: the key goes to one server', async (status) => {
  const asked: (string | undefined)[] = []
  const baseUrl = await serverOf((request, response) => {
    asked.push(request.url)
    response.writeHead(status, {location: '/elsewhere'}).end()
  })
  await expect(ask(baseUrl)).rejects.toMatchObject({code: 'api_error', detail: 'foo cannot be reached.'})
  expect(asked).toEqual(['/chat'])
})

test.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['identity', (text: string) => Buffer.from(text)],
])('a body in the coding %s is read as it was', async (coding, encode) => {
  const baseUrl = await serverOf((_, response) => {
    response.writeHead(200, {'content-encoding': coding}).end(encode('data: déjà\n\n'))
  })
  expect(await readAll((await ask(baseUrl)).text)).toBe('data: déjà\n\n')
  let pieces = ''
  await (await ask(baseUrl)).read((piece) => (pieces += piece) !== '')
  expect(pieces).toBe('data: déjà\n\n')
})

test('a piece is handed on in its moment, and never cut inside a character', async () => {
  const [first, second] = [Buffer.from('dé').subarray(0, 2), Buffer.from('dé').subarray(2)]
  let goOn: () => void = () => undefined
  const baseUrl = await serverOf((_, response) => {
    goOn = () => response.end(second)
    response.write(first)
  })
  const pieces: string[] = []
  const {read} = await ask(baseUrl)
  await read((piece) => {
    pieces.push(piece)
    goOn()
    return true
  })
  expect(pieces).toEqual(['d', 'é'])
})

test('of a character that its body cut off, its reader gets the mark for it', async () => {
  const baseUrl = await serverOf((_, response) => {
    response.end(Buffer.from('dé').subarray(0, 2))
  })
  expect(await readAll((await ask(baseUrl)).text)).toBe('d\ufffd')
  let pieces = ''
  await (await ask(baseUrl)).read((piece) => (pieces += piece) !== '')
  expect(pieces).toBe('d\ufffd')
})

test.each(ways)('each piece restarts the watch for silence (%s)', async (way) => {
  const left = ['two', 'three']
  let goOn: () => void = () => undefined
  const baseUrl = await serverOf((_, response) => {
    goOn = () => {
      const piece = left.shift()
      if (piece === undefined) response.end()
      else response.write(piece)
    }
    response.write('one')
  })
  const clock = manualTimers()
  const taken: [piece: string, heard: number][] = []
  const {read, text} = await ask(baseUrl, {}, {...realOutboundPorts, timers: clock.timers})
  const take = (piece: string) => {
    taken.push([piece, clock.heard()])
    goOn()
    return true
  }
  if (way === 'an iterator') for await (const piece of text) take(piece)
  else await read(take)
  expect(taken).toEqual([
    ['one', 1],
    ['two', 2],
    ['three', 3],
  ])
})

test('who wants no more hangs up, and nothing comes after it', async () => {
  const {baseUrl, hungUp} = await stalledServer(['one', 'two', 'three', 'four'])
  const pieces: string[] = []
  await (await ask(baseUrl)).read((piece) => pieces.push(piece) < 2)
  await Promise.all(hungUp)
  expect(pieces).toEqual(['one', 'two'])
})

test('what its taker throws is thrown as it is, and nothing comes after it', async () => {
  const {baseUrl, hungUp} = await stalledServer(['one', 'two', 'three', 'four'])
  const fault = new RangeError('foo')
  const pieces: string[] = []
  const reading = (await ask(baseUrl)).read((piece) => {
    if (pieces.push(piece) === 2) throw fault
    return true
  })
  await expect(reading).rejects.toBe(fault)
  await Promise.all(hungUp)
  expect(pieces).toEqual(['one', 'two'])
})

test('what its taker throws after it has stopped the answer is thrown as it is too', async () => {
  const {baseUrl, hungUp} = await stalledServer()
  const controller = new AbortController()
  const fault = new RangeError('foo')
  const {read} = await ask(baseUrl, {}, realOutboundPorts, controller.signal)
  const reading = read(() => {
    controller.abort()
    throw fault
  })
  await expect(reading).rejects.toBe(fault)
  await Promise.all(hungUp)
})

test.each(['deflate', 'gzip, br', 'zstd'])(
  'a body in the coding %s, which was not asked for, is said',
  async (coding) => {
    const baseUrl = await serverOf((_, response) => {
      response.writeHead(200, {'content-encoding': coding}).end('data: foo\n\n')
    })
    const {text} = await ask(baseUrl)
    await expect(readAll(text)).rejects.toMatchObject({
      code: 'api_error',
      detail: `The answer is in a coding that was not asked for (${coding}).`,
    })
  },
)

test.each(['identity', 'gzip'])('a body that breaks off is no end (%s)', async (coding) => {
  let breakOff: () => void = () => undefined
  const baseUrl = await serverOf((_, response) => {
    breakOff = () => response.destroy()
    response.writeHead(200, {'content-encoding': coding})
    response.write(coding === 'gzip' ? gzipSync('data: foo').subarray(0, -8) : 'data: foo')
  })
  const text = (await ask(baseUrl)).text[Symbol.asyncIterator]()
  expect((await text.next()).value).toBe('data: foo')
  breakOff()
  await expect(text.next()).rejects.toMatchObject({code: 'api_error', options: {interrupted: true}})
  const pieces: string[] = []
  const reading = (await ask(baseUrl)).read((piece) => {
    breakOff()
    return pieces.push(piece) > 0
  })
  await expect(reading).rejects.toMatchObject({code: 'api_error', options: {interrupted: true}})
  expect(pieces).toEqual(['data: foo'])
})

test('nobody there is said with its code', async () => {
  const baseUrl = await serverOf(() => undefined)
  for (const end of endings.splice(0)) end()
  await expect(ask(baseUrl)).rejects.toMatchObject({
    code: 'api_error',
    detail: 'foo cannot be reached (ECONNREFUSED).',
  })
})

test('a server that does not come to speak TLS is given up after 10 s', async () => {
  const server = createSilentServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  const clock = manualTimers()
  const greeted = once(server, 'connection')
  const asked = ask(`https://127.0.0.1:${address.port}`, {}, {...realOutboundPorts, timers: clock.timers})
  const refused = expect(asked).rejects.toMatchObject({detail: 'foo cannot be reached (ETIMEDOUT).'})
  await greeted
  clock.fire(10_000)
  await refused
  expect(clock.waiting()).toEqual([])
})

test('once connected, also by a kept connection, only the first byte is waited for', async () => {
  const responses: ServerResponse[] = []
  const sockets = new Set<unknown>()
  const baseUrl = await serverOf(({socket}, response) => {
    sockets.add(socket)
    responses.push(response)
  })
  for (const time of [1, 2]) {
    const clock = manualTimers()
    const asked = ask(baseUrl, {}, {...realOutboundPorts, timers: clock.timers})
    await vi.waitUntil(() => responses.length === time)
    expect(clock.waiting()).toEqual([answerDeadlines.firstByteMilliseconds])
    responses.at(-1)?.end('foo')
    expect(await readAll((await asked).text)).toBe('foo')
    // until the connection is free again
    await turn()
  }
  expect(sockets.size).toBe(1)
})

test('JSON and forms go out whole, on connections that are kept', async () => {
  const baseUrl = await serverOf((request, response) => {
    request.setEncoding('utf8')
    let sent = ''
    request.on('data', (part: string) => (sent += part))
    request.on('end', () => {
      const {authorization, connection, 'content-type': type, 'content-length': length} = request.headers
      response.end(
        JSON.stringify({authorization, connection, type, isWhole: Number(length) === Buffer.byteLength(sent), sent}),
      )
    })
  })
  const read = async (body: unknown) => JSON.parse(await readAll((await ask(baseUrl, body)).text)) as unknown
  const common = {authorization: 'Bearer secret-key', connection: 'keep-alive', isWhole: true}
  expect(await read({foo: 'bär'})).toEqual({...common, type: 'application/json', sent: '{"foo":"bär"}'})
  const form = new FormData()
  form.set('foo', new Blob(['bär']), 'foo.txt')
  expect(await read(form)).toEqual({
    ...common,
    type: expect.stringMatching(/^multipart\/form-data; boundary=/) as unknown,
    sent: expect.stringContaining('filename="foo.txt"') as unknown,
  })
})
