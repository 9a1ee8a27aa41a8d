import dns from 'node:dns'
import {once} from 'node:events'
import {Agent, request, type IncomingMessage} from 'node:http'
import {connect, createServer, type Server} from 'node:net'
import {afterAll, afterEach, beforeAll, describe, expect, test, vi} from 'vitest'
import {HttpFailure, ServerEnds} from '#server/http/failure.ts'
import {withHealth} from '#server/http/health.ts'
import {clientAddress, listen, type Listener} from '#server/http/listen.ts'
import {readText} from '#server/http/parse.ts'
import {createRouter, type Peer} from '#server/http/router.ts'
import {streamOf} from '#server/runs/stream-body.ts'
import {StartFailure} from '#server/start-failure.ts'
import {eventually} from '../eventually.ts'
import {freePort} from './free-port.ts'
import {createTestServer, type TestServer} from './harness.ts'

let server: TestServer
let port: number
let authPort: number
let listener: Listener | undefined
beforeAll(async () => {
  port = await freePort()
  authPort = await freePort()
  server = await createTestServer({config: {port, serviceOrigins: {auth: `http://127.0.0.1:${authPort}`}}})
})
afterAll(() => server.close())
afterEach(async () => {
  await listener?.drain(0, 0)
  listener = undefined
})

const start = async (handle: (request: Request, peer?: Peer) => Promise<Response>) => {
  listener = await listen(server.deps, handle)
  return listener
}

/** A connection of its own for each request: kept ones would end with the listener of another test. */
const get = (path = '/', host = `127.0.0.1:${port}`): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request(`http://${host}${path}`, {agent: false}, resolve).on('error', reject).end()
  })
const textOf = async (response: IncomingMessage) => Buffer.concat(await response.toArray()).toString()

describe('listening', () => {
  test('on the port and on those of services with an own loopback origin, for both families', async () => {
    const {addresses} = await start(async (request) => new Response(new URL(request.url).host))
    expect(addresses.filter(({family}) => family === 'IPv4').map(({address, port}) => `${address}:${port}`)).toEqual([
      `127.0.0.1:${port}`,
      `127.0.0.1:${authPort}`,
    ])
    expect(await textOf(await get('/', `127.0.0.1:${authPort}`))).toBe(`127.0.0.1:${authPort}`)
    expect(await textOf(await get('/', `localhost:${port}`))).toBe(`localhost:${port}`)
  })

  test('a connection stays open for the next request without a header that says so', async () => {
    await start(async () => new Response('foo'))
    const agent = new Agent({keepAlive: true, maxSockets: 1})
    const askAgain = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        request(`http://127.0.0.1:${port}/`, {agent}, resolve).on('error', reject).end()
      })
    const first = await askAgain()
    const {socket} = first
    expect(first.headers).not.toHaveProperty('connection')
    expect(first.headers).not.toHaveProperty('keep-alive')
    expect(await textOf(first)).toBe('foo')
    const second = await askAgain()
    expect(second.socket).toBe(socket)
    await textOf(second)
    agent.destroy()
  })

  test('a refusal in the middle of a body says that the connection ends; one after all of it keeps it', async () => {
    await start(async (request) => {
      const status = await readText(request, 'json').then(
        () => 413,
        (failure: unknown) => (failure instanceof HttpFailure ? failure.status : 500),
      )
      return new Response('foo', {status})
    })
    const post = (length: number) => `POST / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: ${length}\r\n\r\n{}`
    const socket = connect(port, '127.0.0.1')
    let heard = ''
    socket.on('data', (bytes: Buffer) => (heard += bytes.toString()))
    const closed = once(socket, 'close')
    socket.write(post(2))
    while (!heard.endsWith('foo')) await once(socket, 'data')
    expect(heard).toMatch(/^HTTP\/1\.1 413 /)
    expect(heard.toLowerCase()).not.toContain('connection:')
    heard = ''
    socket.write(post(2_000_000))
    await closed
    expect(heard).toMatch(/^HTTP\/1\.1 413 /)
    expect(heard.toLowerCase().split('\r\n')).toContain('connection: close')
  })

  test('a taken port is said, and what was opened before is closed', async () => {
    const other: Server = createServer().listen(authPort, '127.0.0.1')
    await once(other, 'listening')
    const refused = listen(server.deps, async () => new Response())
    await expect(refused).rejects.toThrow(
      `AUTH_ORIGIN: port ${authPort} is in use by another program. Stop that program, or set another port.`,
    )
    await expect(refused).rejects.toBeInstanceOf(StartFailure)
    other.close()
    await once(other, 'close')
    await start(async () => new Response('foo'))
    expect(await textOf(await get())).toBe('foo')
  })

  test.each([
    ['ENOTFOUND', 'HOST: this machine has no address nas.lan. Set 127.0.0.1, 0.0.0.0 or one of its addresses.'],
    [
      'EAI_AGAIN',
      'HOST: the name nas.lan could not be looked up, no name server answers. Set an address such as 127.0.0.1 or 0.0.0.0.',
    ],
  ])('a host that no name server knows is said: %s', async (code, sentence) => {
    const lookup = vi.spyOn(dns, 'lookup')
    // as: of the overloads this is the one that `listen` of a name calls
    lookup.mockImplementation(((_name: string, tell: (error: Error) => void) =>
      tell(Object.assign(new Error(code), {code}))) as typeof dns.lookup)
    const refused = listen(
      {...server.deps, config: {...server.deps.config, host: 'nas.lan'}},
      async () => new Response(),
    )
    await expect(refused).rejects.toThrow(sentence)
    await expect(refused).rejects.toBeInstanceOf(StartFailure)
    expect(lookup).toHaveBeenCalled()
    lookup.mockRestore()
  })

  test('a request that cannot be parsed ends its connection, not the server', async () => {
    await start(createRouter(server.deps, {routes: [], authenticate: async () => undefined}))
    for (const bytes of [
      '\x00\x01\x02\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET http://[ HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
      `GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Foo: ${'x'.repeat(20_000)}\r\n\r\n`,
    ]) {
      expect(await exchange(bytes)).toMatch(/^HTTP\/1\.1 4\d\d/)
    }
    expect((await get('/services/none')).statusCode).toBe(404)
  })

  test('a foreign Host is refused on the wire', async () => {
    await start(createRouter(server.deps, {routes: [], authenticate: async () => undefined}))
    const answer = await exchange('GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 421/)
    expect(
      await exchange(`GET http://evil.example/ HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 421/)
  })

  test('a health check without a Host, as load balancers send in HTTP/1.0, is answered; nothing else is', async () => {
    const router = createRouter(server.deps, {routes: [], authenticate: async () => undefined})
    await start(withHealth(server.deps, () => 'ready', router))
    expect(await exchange('GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200[^]*"state":"ready"/)
    expect(await exchange('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 421/)
  })
})

describe('the end of requests', () => {
  const stream = (signal: AbortSignal | undefined, onEnd: () => void) =>
    new Response(
      new ReadableStream({
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('data: foo\n\n'))
          signal?.addEventListener('abort', () => {
            onEnd()
            controller.close()
          })
        },
      }),
      {headers: {'content-type': 'text/event-stream'}},
    )

  test('the head of a stream that has nothing to say yet is sent at once', async () => {
    await start(async (_, peer) =>
      streamOf(
        {add: () => () => undefined},
        {
          contentType: 'application/x-ndjson',
          userId: 'foo',
          credentialId: undefined,
          client: peer?.client,
          head: '',
          pull: () => new Promise<undefined>(() => undefined),
          ping: () => undefined,
          dropsStalled: false,
          leaving: new AbortController(),
        },
      ),
    )
    const response = await get()
    expect(response.headers['content-type']).toBe('application/x-ndjson')
    response.destroy()
  })

  test('a client that leaves aborts the signal of its request', async () => {
    let left: () => void
    const leaving = new Promise<void>((resolve) => (left = resolve))
    await start(async (_, peer) => stream(peer?.signal, left))
    const response = await get()
    await once(response, 'data')
    response.destroy()
    await leaving
  })

  test('draining serves on, health checks among it, until no request is under way', async () => {
    let finish: () => void = () => undefined
    const finished = new Promise<void>((resolve) => (finish = resolve))
    let underWay = 0
    const slow = async () => {
      underWay += 1
      await finished
      return new Response('whole')
    }
    const {drain} = await start(withHealth(server.deps, () => 'draining', slow))
    const answer = get('/')
    const second = get('/')
    await eventually(() => expect(underWay).toBe(2))
    const drained = drain(60_000, 60_000)
    listener = undefined
    const check = await get('/healthz?away=404')
    expect([check.statusCode, check.headers.connection]).toEqual([404, 'close'])
    finish()
    expect(await Promise.all([textOf(await answer), textOf(await second)])).toEqual(['whole', 'whole'])
    await drained
    await expect(get()).rejects.toThrow('ECONNREFUSED')
  })

  test('what does not end in time is told that the server ends, and may say so', async () => {
    const reasons: unknown[] = []
    const {drain} = await start(async (_, peer) => stream(peer?.signal, () => reasons.push(peer?.signal?.reason)))
    const response = await get()
    await once(response, 'data')
    const ended = once(response, 'end')
    await drain(1, 60_000)
    listener = undefined
    await ended
    expect(reasons).toEqual([expect.any(ServerEnds)])
    await expect(get()).rejects.toThrow('ECONNREFUSED')
  })

  test('draining cuts what has not ended after that', async () => {
    const {drain} = await start(async () => stream(undefined, () => undefined))
    const response = await get()
    await once(response, 'data')
    const cut = once(response, 'error')
    await drain(1, 1)
    listener = undefined
    expect(await cut).toEqual([expect.objectContaining({code: 'ECONNRESET'})])
  })
})

describe('the address of a client (R13)', () => {
  const from = (remoteAddress: string, forwarded?: string) =>
    clientAddress({trustedProxies: ['10.0.0.0/8', '::1']})({
      socket: {remoteAddress},
      headers: {'x-forwarded-for': forwarded},
    })

  test.each([
    ['203.0.113.9', '1.2.3.4', '203.0.113.9'],
    ['10.0.0.1', '1.2.3.4', '1.2.3.4'],
    ['10.0.0.1', 'evil, 1.2.3.4, 10.0.0.7', '1.2.3.4'],
    ['::ffff:10.0.0.1', '6.6.6.6, 1.2.3.4', '1.2.3.4'],
    ['::1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '<script>', '10.0.0.1'],
  ])('%s forwarding %s is %s', (peer, forwarded, expected) => expect(from(peer, forwarded)).toBe(expected))
})

/** Raw bytes to the port; what came back when the server closed. */
async function exchange(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (data: Buffer) => (answer += data.toString()))
  socket.on('error', () => undefined)
  socket.write(bytes)
  await once(socket, 'close')
  return answer
}
