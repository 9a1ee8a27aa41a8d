import type {ServerResponse} from 'node:http'
import type {Context} from 'hono'
import type {z} from '#contract/schema.ts'
import type {Identity} from '../auth/identity.ts'
import type {HttpFailure} from './failure.ts'
import type {LimitName} from './limits.ts'

/**
 * The callers that a route allows (security R19). There is no default: a route without a policy does not compile, and
 * a test walks the table of all routes.
 *
 * - `public`: anybody, without side effects on anybody's data
 * - `user`: a live access token
 * - `operator`: a live access token of an operator of the installation
 * - `credential`: a live credential token (AI host)
 */
export type Policy = 'public' | 'user' | 'operator' | 'credential'

/** The three services that stand behind one port, each under its prefix or on its own origin. */
export type ServiceName = 'auth' | 'platform' | 'api'

/** The response of Node that an answer is written to. */
export type Client = ServerResponse

export type RouteInput<TBody, TQuery, TPolicy extends Policy = Exclude<Policy, 'public'>> = {
  /** The caller, from the token only. `undefined` on a public route without a valid token. */
  identity: TPolicy extends 'public' ? Identity | undefined : Identity
  body: TBody
  query: TQuery
  params: Record<string, string>
  /** Origin of the request's page as the browser states it; already checked against the allow-list. */
  origin: string | undefined
  context: Context
  /** Aborts when the client leaves or the server drains. */
  signal: AbortSignal
  /** Address of the client; behind a trusted proxy, the one the proxy names. */
  address: string
  /** The client's connection: for a stream, and to be cut, so that no part passes for all. Absent without a port. */
  client?: Client
  /** Also in the log and, on the AI host, in the error body. */
  traceId: string
}

/** Methods of routes; others are refused with 405. */
export const routeMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** One route of a service. `body` and `query` are parsed strictly before `handle`; a failure is a 400 with a field. */
export type Route<TBody = unknown, TQuery = unknown, TPolicy extends Policy = Policy> = RouteParts<
  TBody,
  TQuery,
  TPolicy
> & {
  service: ServiceName
  method: (typeof routeMethods)[number]
  /** Path below the service's base, such as `/api/v1/sites/:id`. */
  path: string
  policy: TPolicy
}

type RouteParts<TBody, TQuery, TPolicy extends Policy> = {
  body?: z.core.$ZodType<TBody>
  query?: z.core.$ZodType<TQuery>
  /** Named token bucket (security R33); `management` otherwise. */
  limit?: LimitName
  /**
   * For an address with several commands: the bucket of the command in the body, if it is not `limit`. It is charged
   * once the body is read, and `limit` gets its token back; a refused call has cost one of each.
   */
  limitOf?: (body: TBody) => LimitName | undefined
  /** `form` for the login page, `multipart` for uploads; JSON otherwise. */
  accepts?: 'json' | 'form' | 'multipart'
  handle: (input: RouteInput<TBody, TQuery, TPolicy>) => Promise<Response> | Response
  /** For pages that people look at: a refusal (before or in `handle`) as a page. `undefined`: the usual JSON. */
  renderFailure?: (failure: HttpFailure, request: Request) => Promise<Response | undefined> | Response | undefined
}

/**
 * Returns the sender of a request, from its token only (security R19). The policy says which kind of token counts: a
 * credential never manages, an access token never asks a model.
 */
export type Authenticate = (request: Request, policy: Policy) => Promise<Identity | undefined>

/** Keeps the types of policy, body and query through to `handle`, then forgets them so that tables can hold it. */
export const route = <const TPolicy extends Policy, TBody = undefined, TQuery = undefined>(
  definition: Route<TBody, TQuery, TPolicy>,
): Route =>
  // as: the router gives `handle` what its own schemas and policy let through
  definition as unknown as Route

/** A route of the management API (spec §7). `path` stands below `{platform}/api/v1`. */
export const managementRoute = <const TPolicy extends Policy, TBody = undefined, TQuery = undefined>(
  method: Route['method'],
  path: string,
  policy: TPolicy,
  parts: RouteParts<TBody, TQuery, TPolicy>,
): Route => route({service: 'platform', method, path: `/api/v1${path}`, policy, ...parts})
