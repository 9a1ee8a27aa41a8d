import {once} from 'node:events'
import {createServer, type RequestListener} from 'node:http'
import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {setImmediate as turn} from 'node:timers/promises'
import {brotliCompressSync, deflateSync, gzipSync} from 'node:zlib'
import {afterEach, expect, test} from 'vitest'
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

/** A server that writes the first bytes of an answer and then nothing, and tells when its reader hangs up. */
async function stalledServer() {
  const hungUp: Promise<unknown>[] = []
  const baseUrl = await serverOf((_, response) => {
    hungUp.push(once(response, 'close'))
    response.write('data: foo')
  })
  return {baseUrl, hungUp}
}

const ask = (baseUrl: string, body: unknown = {}, ports = realOutboundPorts) =>
  callUpstream(
    {
      upstream: {name: 'foo', baseUrl, apiKey: 'secret-key'},
      path: '/chat',
      method: 'POST',
      body,
      signal: new AbortController().signal,
      deadlines: answerDeadlines,
    },
    ports,
  )

/** Reads the first bytes, waits for more, and lets memory be collected meanwhile. */
async function waitForMore(signal: AbortSignal) {
  const {baseUrl, hungUp} = await stalledServer()
  const clock = manualTimers()
  const {bytes} = await callUpstream(
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
  const body = bytes[Symbol.asyncIterator]()
  const first = await body.next()
  const more = body.next()
  for (let time = 0; time < 20; time += 1) {
    await turn()
    collectGarbage()
  }
  return {first, more, hungUp, clock}
}

test('a stop ends an answer that is being read, and the server hears of it', async () => {
  const controller = new AbortController()
  const {first, more, hungUp, clock} = await waitForMore(controller.signal)
  expect(Buffer.from(first.value as Uint8Array).toString()).toBe('data: foo') // the body has begun
  controller.abort()
  await expect(more).rejects.toMatchObject({code: 'canceled'})
  expect(hungUp).toHaveLength(1)
  await Promise.all(hungUp)
  expect(clock.waiting()).toEqual([])
})

test('silence ends an answer that is being read, and the server hears of it', async () => {
  const {more, hungUp, clock} = await waitForMore(new AbortController().signal)
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
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['identity', (text: string) => Buffer.from(text)],
])('a body in the coding %s is read as it was', async (coding, encode) => {
  const baseUrl = await serverOf((_, response) => {
    response.writeHead(200, {'content-encoding': coding}).end(encode('data: déjà\n\n'))
  })
  expect(await readAll((await ask(baseUrl)).text)).toBe('data: déjà\n\n')
})

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
})

test('nobody there is said with its code', async () => {
  const baseUrl = await serverOf(() => undefined)
  for (const end of endings.splice(0)) end()
  await expect(ask(baseUrl)).rejects.toMatchObject({
    code: 'api_error',
    detail: 'foo cannot be reached (ECONNREFUSED).',
  })
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
