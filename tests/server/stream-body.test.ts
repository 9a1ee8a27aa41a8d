import {once} from 'node:events'
import {createServer, get, type IncomingMessage} from 'node:http'
import {connect} from 'node:net'
import {expect, test, vi} from 'vitest'
import type {Connection} from '#server/runs/connections.ts'
import {streamOf, writerOf} from '#server/runs/stream-body.ts'
import {listenHere} from './listen-here.ts'

/** A server on a port whose one answer is pulled, and what is known of it. */
async function serve(pull: () => Promise<string | undefined>) {
  const open = new Set<Connection>()
  const leaving = new AbortController()
  const broken: unknown[] = []
  const server = createServer((_, client) => {
    const {body, headers} = streamOf(
      {
        add: (connection) => {
          open.add(connection)
          return () => open.delete(connection)
        },
      },
      {
        contentType: 'text/event-stream',
        userId: 'foo',
        credentialId: undefined,
        client,
        head: 'head ',
        pull,
        ping: () => 'ping ',
        dropsStalled: true,
        leaving,
      },
    )
    // no byte before its head
    for (const connection of open) connection.ping()
    client.writeHead(200, Object.fromEntries(headers))
    writerOf(body)?.().catch((error: unknown) => broken.push(error))
  })
  const port = await listenHere(server)
  const respond = () => new Promise<IncomingMessage>((resolve) => get({port, host: '127.0.0.1'}, resolve))
  return {port, open, leaving, broken, respond}
}

const never = () => new Promise<undefined>(() => undefined)

test('is written to its end, and is over', async () => {
  const texts = ['foo ', 'bar ', '', 'baz']
  const {open, leaving, broken, respond} = await serve(async () => texts.shift())
  const response = await respond()
  let text = ''
  for await (const part of response.setEncoding('utf8')) text += part
  expect(text).toBe('head foo bar baz')
  expect(response.headers).toEqual({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    date: expect.any(String),
    connection: 'keep-alive',
    'keep-alive': 'timeout=5',
    'transfer-encoding': 'chunked',
  })
  expect([leaving.signal.aborted, open.size, broken]).toEqual([true, 0, []])
})

test('what breaks it cuts it: the part is not taken for the whole', async () => {
  const {open, broken, respond} = await serve(() => Promise.reject(new Error('foo')))
  const response = await respond()
  response.resume()
  await expect(once(response, 'end')).rejects.toHaveProperty('code', 'ECONNRESET')
  expect(broken).toEqual([new Error('foo')])
  expect(open.size).toBe(0)
})

test('a client that leaves is left', async () => {
  const {open, leaving, broken, respond} = await serve(never)
  const response = await respond()
  response.on('error', () => undefined)
  response.destroy()
  if (!leaving.signal.aborted) await once(leaving.signal, 'abort')
  expect([open.size, broken]).toEqual([0, []])
})

test('a client that reads nothing is no longer written to, and is cut', async () => {
  const {port, open, leaving, broken} = await serve(() => Promise.resolve('foo'.repeat(20_000)))
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nhost: foo\r\n\r\n')
  await vi.waitUntil(() => [...open].some((connection) => connection.isStalled()), {timeout: 20_000})
  for (const connection of open) connection.close()
  expect([leaving.signal.aborted, open.size, broken]).toEqual([true, 0, []])
  const closed = once(socket, 'close')
  socket.resume()
  await closed
})
