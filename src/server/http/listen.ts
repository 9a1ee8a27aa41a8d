import {createServer, ServerResponse, type IncomingMessage, type Server} from 'node:http'
import type {AddressInfo, Socket} from 'node:net'
import type {Duplex} from 'node:stream'
import {getRequestListener} from '@hono/node-server'
import {RESPONSE_ALREADY_SENT} from '@hono/node-server/utils/response'
import type {Config} from '../config.ts'
import {isLoopback, proxyList} from '../config-values.ts'
import type {ServerDeps} from '../deps.ts'
import {writerOf} from '../runs/stream-body.ts'
import {StartFailure} from '../start-failure.ts'
import {describeError} from './boundary.ts'
import {ServerEnds} from './failure.ts'
import type {Handle} from './router.ts'
import {RunningRequests} from './running-requests.ts'

export type Listener = {
  addresses: readonly AddressInfo[]
  /**
   * Keeps serving, health checks too, until no request is running: a load balancer cuts the connections of a node that
   * it cannot reach. After `graceMilliseconds` the remaining requests get notice of the end, and `cutMilliseconds`
   * later they are cut.
   */
  drain: (graceMilliseconds: number, cutMilliseconds: number) => Promise<void>
}

/** Stands before the services on every port: the development server (`src/tools/dev.mjs`), nothing in production. */
export type Front = {
  /** Answers, or calls `next` for our answer. */
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void
  onUpgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => void
}

/** Uploads have their own time; the router gives every other body 30 s. */
const longestRequestMilliseconds = 300_000
const mostSocketsOfAnAddress = 64

/**
 * Listens on PORT, and for services with an own loopback origin on their ports (security R24, R31). A loopback host
 * means both families, since browsers try ::1 for `localhost` first. Throws `StartFailure` when a port is taken.
 */
export async function listen(deps: ServerDeps, handle: Handle, front?: Front): Promise<Listener> {
  const running = new RunningRequests()
  const onRequest = answering(deps, handle, running)
  const servers: Server[] = []
  try {
    for (const endpoint of endpoints(deps.config)) {
      try {
        servers.push(await open(deps, onRequest, front, endpoint))
      } catch (error) {
        if (!endpoint.isOptional) throw explain(error, endpoint)
      }
    }
  } catch (error) {
    for (const server of servers) server.close()
    throw error
  }

  return {
    addresses: servers.flatMap((server) => {
      const address = server.address()
      return address === null || typeof address === 'string' ? [] : [address]
    }),
    drain: async (graceMilliseconds, cutMilliseconds) => {
      await running.idle(graceMilliseconds)
      const closing = Promise.all(
        servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))),
      )
      running.abort(new ServerEnds())
      for (const server of servers) server.closeIdleConnections()
      const cutTimer = setTimeout(() => servers.forEach((server) => server.closeAllConnections()), cutMilliseconds)
      await closing
      clearTimeout(cutTimer)
    },
  }
}

/** Hands each request to the services, and writes their response. */
function answering(deps: ServerDeps, handle: Handle, running: RunningRequests) {
  const addressOf = clientAddress(deps.config)
  return getRequestListener(
    async (request, {incoming, outgoing}) => {
      const signal = running.begin(outgoing)
      // the library knows HTTP/2 as well, which is not served here
      const client = outgoing instanceof ServerResponse ? outgoing : undefined
      const response = await handle(request, {address: addressOf(incoming), signal, client})
      // The client must not reuse this connection: it closes, as the body is not read to its end, or the server ends.
      if (running.isDraining || (isCutOff(response.status) && !incoming.complete))
        response.headers.set('connection', 'close')
      // clients count on it: not the clock of this machine, which Node.js would write
      response.headers.set('date', deps.now().toUTCString())
      const writeBody = writerOf(response.body)
      if (writeBody === undefined) return response
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      void writeBody().catch((error: unknown) => deps.log.warn('a stream broke', describeError(error)))
      // a body may have nothing to say for long (security R68); what was written already goes out with them
      client?.flushHeaders()
      return RESPONSE_ALREADY_SENT
    },
    {
      overrideGlobalObjects: false,
      // HTTP/1.0 may leave it out, as health checks do; it is no host of ours, so that nothing else is answered
      hostname: 'unnamed.invalid',
      errorHandler: (error) => {
        deps.log.warn('request could not be read', describeError(error))
        return new Response(JSON.stringify({code: 'bad_request', detail: 'The request could not be read.'}), {
          status: 400,
          headers: {'content-type': 'application/json', 'cache-control': 'no-store'},
        })
      },
    },
  )
}

/** A server that listens. Throws what Node.js says when it cannot. */
async function open(
  deps: ServerDeps,
  onRequest: ReturnType<typeof answering>,
  front: Front | undefined,
  {host, port}: Endpoint,
): Promise<Server> {
  const server = createHttpServer(deps, (incoming, outgoing) => {
    // HTTP/1.1 keeps connections open without being told: 48 bytes less on every answer
    if (incoming.httpVersion === '1.1') outgoing.removeHeader('connection')
    const answer = () => void onRequest(incoming, outgoing)
    if (front === undefined) answer()
    else front.onRequest(incoming, outgoing, answer)
  })
  if (front !== undefined) server.on('upgrade', front.onUpgrade)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  })
  server.on('error', (error) => deps.log.error('listener failed', describeError(error)))
  return server
}

/** Refused in the middle of the body: too long, or too slow. */
const isCutOff = (status: number) => status === 413 || status === 408

type Endpoint = {host: string; port: number; name: string; isOptional: boolean}

function endpoints(config: Config): Endpoint[] {
  const own = Object.entries(config.serviceOrigins).flatMap(([service, origin]) => {
    if (origin === undefined) return []
    const {hostname, port, protocol} = new URL(origin)
    const host = hostname.replace(/^\[|\]$/g, '')
    const isOurs = protocol === 'http:' && isLoopback(host) && Number(port) !== config.port
    return isOurs ? bothFamilies(host, Number(port || 80), `${service.toUpperCase()}_ORIGIN`) : []
  })
  const all = [...bothFamilies(config.host, config.port, 'PORT'), ...own]
  return all.filter(
    (one, index) => all.findIndex((other) => other.host === one.host && other.port === one.port) === index,
  )
}

/** The second loopback family is welcome, not needed: machines without IPv6 have none. */
const bothFamilies = (host: string, port: number, name: string): Endpoint[] =>
  host === 'localhost' || host === '127.0.0.1'
    ? [
        {host: '127.0.0.1', port, name, isOptional: false},
        {host: '::1', port, name, isOptional: true},
      ]
    : [{host, port, name, isOptional: false}]

function explain(error: unknown, {host, port, name}: Endpoint): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return new StartFailure(
        `${name}: port ${port} is in use by another program. Stop that program, or set another port.`,
      )
    case 'EACCES':
      return new StartFailure(`${name}: this user may not listen on port ${port}. Set a port above 1023.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFailure(
        `HOST: this machine has no address ${host}. Set 127.0.0.1, 0.0.0.0 or one of its addresses.`,
      )
    case 'EAI_AGAIN':
      return new StartFailure(
        `HOST: the name ${host} could not be looked up, no name server answers. Set an address such as 127.0.0.1 or 0.0.0.0.`,
      )
    default:
      return error
  }
}

function createHttpServer(
  {config}: ServerDeps,
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void,
): Server {
  const server = createServer({connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384}, onRequest)
  server.headersTimeout = 10_000
  server.requestTimeout = longestRequestMilliseconds
  server.keepAliveTimeout = 65_000
  const proxies = proxyList(config.trustedProxies)
  const sockets = new Map<string, number>()
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress)
    // Our own machine and the proxy speak for many.
    if (address === '' || isLoopback(address) || proxies.check(address, family(address))) return
    const count = (sockets.get(address) ?? 0) + 1
    if (count > mostSocketsOfAnAddress * Math.max(1, config.limitFactor)) {
      socket.destroy()
      return
    }
    sockets.set(address, count)
    socket.once('close', () => {
      const remaining = (sockets.get(address) ?? 1) - 1
      if (remaining > 0) sockets.set(address, remaining)
      else sockets.delete(address)
    })
  })
  return server
}

const plainAddress = (address: string | undefined) => (address ?? '').replace(/^::ffff:(?=\d+\.)/, '')
const family = (address: string) => (address.includes(':') ? 'ipv6' : 'ipv4')

/**
 * Returns the sender of a request, for limits. Only a peer of TRUSTED_PROXIES is believed, and of its list only the
 * last address that is not a trusted proxy itself: the client may have written the rest (security R13).
 */
export function clientAddress(config: Pick<Config, 'trustedProxies'>) {
  const proxies = proxyList(config.trustedProxies)
  const isTrusted = (address: string) => address !== '' && proxies.check(address, family(address))
  return (incoming: Pick<IncomingMessage, 'headers'> & {socket: {remoteAddress?: string | undefined}}): string => {
    const peer = plainAddress(incoming.socket.remoteAddress)
    if (!isTrusted(peer)) return peer
    const forwardedAddresses = [incoming.headers['x-forwarded-for'] ?? []].flat().join(',').split(',')
    const hops = forwardedAddresses.map((hop) => plainAddress(hop.trim())).filter((hop) => /^[\da-f.:]+$/i.test(hop))
    return hops.findLast((hop) => !isTrusted(hop)) ?? peer
  }
}
