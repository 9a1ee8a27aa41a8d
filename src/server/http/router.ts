import {randomUUID} from 'node:crypto'
import {Hono, type Context} from 'hono'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {describeError, failureResponse, logFailure, toHttpFailure} from './boundary.ts'
import {compressed} from './compress.ts'
import {badRequest, forbidden, HttpFailure, unauthorized} from './failure.ts'
import {addCorsHeaders, addSecurityHeaders, preflightResponse} from './headers.ts'
import {createLimits, type Limits} from './limits.ts'
import {createOrigins, type Origins} from './origins.ts'
import {parametersToObject, parseJson, parseStrictly, readText} from './parse.ts'
import {
  routeMethods,
  type Authenticate,
  type Client,
  type Policy,
  type Route,
  type RouteInput,
  type ServiceName,
} from './route.ts'

/** The facts of a request beside its bytes, which the listener knows. Absent in tests without a port. */
export type Peer = {address: string; signal?: AbortSignal; client?: Client}
export type Handle = (request: Request, peer?: Peer) => Promise<Response>

type Bindings = {Bindings: {peer: Peer; traceId: string; origin: string | undefined}}
type App = Hono<Bindings>

export const servicePrefix = (service: ServiceName): string => `/services/${service}`

export type RouterOptions = {
  routes: readonly Route[]
  authenticate: Authenticate
  /** The page and its assets; without it, everything outside the services is a 404. */
  servePage?: (request: Request, visibleOrigin: string) => Promise<Response>
}

/**
 * One handler for all hosts and services of the installation (security R19, R24): host → origin → route → limit →
 * identity → body → handler. Each step refuses before the next one costs anything; one boundary writes the refusals.
 */
export function createRouter(deps: ServerDeps, {routes, authenticate, servePage}: RouterOptions): Handle {
  const origins = createOrigins(deps.config, deps.database, deps.now)
  const limits = createLimits(deps)
  const apps = mountRoutes(deps, routes, authenticate, limits)

  /** The page that has to be let in: one of this very origin reads the answer without being named. */
  const readerOf = (origin: string | undefined, url: URL) =>
    origin === origins.visibleOrigin(url.host) ? undefined : origin

  const answer = async (request: Request, url: URL, peer: Peer, traceId: string, service: ServiceName | undefined) => {
    await checkHost(origins, request, url)
    const ownHost = origins.serviceOfHost(url.host)
    if (service === undefined) {
      // `/services/…` is never the app's page, also when nothing answers there.
      if (ownHost !== undefined || isBelowServices(url.pathname) || servePage === undefined) throw unknownPath()
      return servePage(request, origins.visibleOrigin(url.host))
    }
    const origin = await checkOrigin(origins, request, url)
    if (request.method === 'OPTIONS' && origin !== undefined) return preflightResponse(origin)
    const app = ownHost === undefined ? apps.embedded : apps.own[service]
    const response = await app.fetch(request, {peer, traceId, origin})
    const copy = new Response(response.body, response)
    addCorsHeaders(copy.headers, readerOf(origin, url))
    if (!copy.headers.has('cache-control')) copy.headers.set('cache-control', 'no-store')
    // Tokens of the auth service go out in a length that says nothing about them.
    return service === 'auth' ? copy : compressed(request, copy)
  }

  return async (request, peer = {address: '127.0.0.1'}) => {
    const traceId = randomUUID()
    const url = new URL(request.url)
    const service = origins.serviceOfHost(url.host) ?? serviceOfPath(deps, url.pathname)
    let response: Response
    try {
      response = await answer(request, url, peer, traceId, service)
    } catch (error) {
      const failure = toHttpFailure(error)
      logFailure(deps.log, failure, request, traceId)
      response = await failureResponse(failure, {service, traceId, request})
      response.headers.set('cache-control', 'no-store')
      // A page that may call us can also read why it was refused; any other learns nothing.
      if (service !== undefined)
        addCorsHeaders(response.headers, readerOf(await allowedOrigin(origins, request, url), url))
    }
    const final = isImmutable(response) ? new Response(response.body, response) : response
    addSecurityHeaders(final.headers)
    // Files of the page that are as they should be leave no trace to look for.
    if (service !== undefined || !final.ok) final.headers.set('x-trace-id', traceId)
    return final
  }
}

const unknownPath = () => new HttpFailure(404, 'not_found', 'noAddress')
const isBelowServices = (path: string) => path === '/services' || path.startsWith('/services/')

function serviceOfPath({config}: ServerDeps, path: string): ServiceName | undefined {
  return (['auth', 'platform', 'api'] as const).find(
    (service) => config.serviceOrigins[service] === undefined && path.startsWith(`${servicePrefix(service)}/`),
  )
}

/** `Response.redirect` and `Response.error` have headers that cannot be set. */
function isImmutable(response: Response): boolean {
  try {
    response.headers.delete('x-trace-id')
    return false
  } catch {
    return true
  }
}

async function checkHost(origins: Origins, request: Request, url: URL): Promise<void> {
  const statedHost = request.headers.get('host')
  const isConsistent =
    statedHost === null || statedHost.toLowerCase() === url.host || statedHost.toLowerCase() === `${url.host}:80`
  if (!isConsistent || !(await origins.isKnownHost(url.host))) {
    throw new HttpFailure(421, 'misdirected', 'otherHost')
  }
}

/**
 * The page a request comes from. A foreign one is refused, with any method (security R24). `null` is what a browser
 * says on a form when the page's referrer policy hides the origin: then only same-origin metadata, where the browser
 * sends it, and the form's own token speak for it.
 */
async function checkOrigin(origins: Origins, request: Request, url: URL): Promise<string | undefined> {
  const origin = request.headers.get('origin')
  if (origin === null) return undefined
  const site = request.headers.get('sec-fetch-site')
  if (origin === 'null' && isForm(request) && (site === null || site === 'same-origin')) return undefined
  if (await origins.isAllowedOrigin(origin, url.host)) return origin
  throw forbidden('foreignOrigin')
}

async function allowedOrigin(origins: Origins, request: Request, url: URL): Promise<string | undefined> {
  const origin = request.headers.get('origin')
  if (origin === null) return undefined
  try {
    return (await origins.isAllowedOrigin(origin, url.host)) ? origin : undefined
  } catch {
    return undefined // the database is away: the refusal goes out without the header
  }
}

const contentType = (request: Request): string =>
  (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
/** Bodies are read as UTF-8, whatever they say: another charset would be read wrongly. */
const isUtf8 = (request: Request): boolean => {
  const charset = /;\s*charset\s*=\s*"?([^";]*)/i.exec(request.headers.get('content-type') ?? '')?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset.trim())
}
const isForm = (request: Request) => contentType(request) === 'application/x-www-form-urlencoded'

function mountRoutes(deps: ServerDeps, routes: readonly Route[], authenticate: Authenticate, limits: Limits) {
  const run = createRunner(deps, authenticate, limits)
  const embeddedApp = createApp()
  const own = {auth: createApp(), platform: createApp(), api: createApp()}
  for (const route of routes) {
    // `strict: false` takes the slash off the request's path only.
    const path = route.path.replace(/(?<=.)\/$/, '')
    const isEmbedded = deps.config.serviceOrigins[route.service] === undefined
    const [app, mountPath] = isEmbedded
      ? [embeddedApp, servicePrefix(route.service) + path]
      : [own[route.service], path]
    app.on(route.method, mountPath, (context: Context<Bindings>) => run(route, context))
  }
  return {embedded: embeddedApp, own}
}

function createApp(): App {
  const app = new Hono<Bindings>({strict: false})
  app.onError((error) => {
    throw error
  })
  app.notFound((context) => {
    // The methods that some route answers at this path: the difference between 404 and 405.
    const methods = routeMethods.filter((method) => app.router.match(method, context.req.path)[0].length > 0)
    if (methods.length === 0) throw unknownPath()
    throw new HttpFailure(405, 'bad_request', 'noMethod', {headers: {allow: methods.join(', ')}})
  })
  return app
}

function createRunner(deps: ServerDeps, authenticate: Authenticate, limits: Limits) {
  return async (route: Route, context: Context<Bindings>): Promise<Response> => {
    const request = context.req.raw
    const {peer, traceId, origin} = context.env
    try {
      const limit = route.limit ?? 'management'
      const byAddress = {address: peer.address}
      await limits.take(limit, byAddress)
      const identity = await identify(route, request, authenticate)
      const callers = identity === undefined ? [byAddress] : [byAddress, {userId: identity.userId}]
      for (const caller of callers.slice(1)) await limits.take(limit, caller)
      const input: RouteInput<unknown, unknown, Policy> = {
        identity,
        query: route.query === undefined ? undefined : parseStrictly(route.query, readQuery(request), 'query'),
        body: await readBody(deps, route, request),
        params: readParameters(context),
        origin,
        context,
        signal: peer.signal ?? request.signal,
        address: peer.address,
        client: peer.client,
        traceId,
      }
      const other = route.limitOf?.(input.body)
      if (other !== undefined) {
        for (const caller of callers) await limits.take(other, caller)
        for (const caller of callers) await limits.giveBack(limit, caller)
      }
      return await route.handle(input)
    } catch (error) {
      const failure = toHttpFailure(error)
      const page = await renderFailure(deps, route, failure, request)
      if (page === undefined) throw error
      logFailure(deps.log, failure, request, traceId)
      return page
    }
  }
}

async function renderFailure(deps: ServerDeps, route: Route, failure: HttpFailure, request: Request) {
  try {
    return await route.renderFailure?.(failure, request)
  } catch (error) {
    deps.log.error('a failure page failed', describeError(error))
    return undefined
  }
}

async function identify(route: Route, request: Request, authenticate: Authenticate): Promise<Identity | undefined> {
  if (route.policy === 'public') {
    return request.headers.has('authorization') ? authenticate(request, 'public') : undefined
  }
  const identity = await authenticate(request, route.policy)
  if (identity === undefined) throw unauthorized()
  if (route.policy === 'operator' && identity.role !== 'operator') {
    throw forbidden('operatorOnly')
  }
  if ((route.policy === 'credential') !== (identity.credentialId !== undefined)) throw unauthorized()
  return identity
}

const readQuery = (request: Request) => parametersToObject(new URL(request.url).searchParams)

function readParameters(context: Context): Record<string, string> {
  const parameters = context.req.param() as Record<string, string> // hono types it by the path, which is not known here
  for (const [name, value] of Object.entries(parameters)) {
    if (value.includes('\0')) throw badRequest('fieldNul', name)
  }
  return parameters
}

/** Reads what the route accepts. A body of another type is refused unread, so that no page can send one unasked. */
async function readBody(deps: ServerDeps, route: Route, request: Request): Promise<unknown> {
  if (route.method === 'GET') return undefined
  const accepts = route.accepts ?? 'json'
  const type = contentType(request)
  const hasBody = request.body !== null && request.headers.get('content-length') !== '0'
  const expectedHosts = {
    json: 'application/json',
    form: 'application/x-www-form-urlencoded',
    multipart: 'multipart/form-data',
  }[accepts]
  if (type !== expectedHosts && (route.body !== undefined || (hasBody && type !== '') || accepts === 'multipart')) {
    throw new HttpFailure(415, 'bad_request', 'contentType', {values: {type: expectedHosts}})
  }
  if (accepts !== 'multipart' && !isUtf8(request)) {
    throw new HttpFailure(415, 'bad_request', 'notUtf8Type')
  }
  if (accepts === 'multipart') {
    if (await deps.isDiskLow?.()) throw new HttpFailure(507, 'busy', 'diskFull', {retryAfterSeconds: 30})
    return undefined
  }
  if (route.body === undefined) return undefined
  const text = await readText(request, accepts)
  return parseStrictly(
    route.body,
    accepts === 'form' ? parametersToObject(new URLSearchParams(text)) : parseJson(text),
    'body',
  )
}
