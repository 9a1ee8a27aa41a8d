import {once} from 'node:events'
import {type ServerResponse} from 'node:http'
import {createServer as createSilentServer} from 'node:net'
import {setImmediate as turn} from 'node:timers/promises'
import {brotliCompressSync, gzipSync} from 'node:zlib'
import {expect, onTestFinished, test} from 'vitest'
import {ProviderFailure} from '#server/providers/provider.ts'
import {answerDeadlines, readAll} from '#server/providers/call-upstream.ts'
import {realOutboundPorts} from '#server/providers/outbound.ts'
import {manualTimers} from './providers.fixtures.ts'
import {freePort} from './free-port.ts'
import {ask, serverOf} from './outbound.fixtures.ts'
import {eventually} from '../eventually.ts'

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

test.each(['deflate', 'gzip, br', 'zstd'])(
  'a body in the coding %s, which was not asked for, is said',
  async (coding) => {
    const baseUrl = await serverOf((_, response) => {
      response.writeHead(200, {'content-encoding': coding}).end('data: foo\n\n')
    })
    const {text} = await ask(baseUrl)
    await expect(readAll(text)).rejects.toEqual(
      new ProviderFailure('api_error', `The answer is in a coding that was not asked for (${coding}).`),
    )
  },
)

test('a server that cannot be reached is said with its code', async () => {
  await expect(ask(`http://127.0.0.1:${await freePort()}`)).rejects.toMatchObject({
    code: 'api_error',
    detail: 'foo cannot be reached (ECONNREFUSED).',
  })
})

test('a server that does not answer in TLS is given up after 10 s', async () => {
  const server = createSilentServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server does not listen.')
  const clock = manualTimers()
  const greeted = once(server, 'connection')
  const asked = ask(`https://127.0.0.1:${address.port}`, {}, {...realOutboundPorts, timers: clock.timers})
  const refused = expect(asked).rejects.toHaveProperty('detail', 'foo cannot be reached (ETIMEDOUT).')
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
    await eventually(() => expect(responses).toHaveLength(time))
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
