import type {ServerDeps} from '../deps.ts'
import type {Handle} from './router.ts'

/** Answered under every host name: the operator of a node knows its address, and not the name that users type. */
const healthPath = '/healthz'
/** Whether the process does anything at all. Its database is not asked: a restart would not mend that. */
const lifePath = '/livez'
/** Milliseconds for which a result is shared, so that frequent requests do not load the database. */
const lookLife = 1_000
const lookDeadline = 1_500
/**
 * `?away=404`: the status by which this node asks to be left out. Any other failure makes HAProxy cut the node's
 * connections; 404 (`disable-on-404`) lets them finish.
 */
const awayStatus = (query: URLSearchParams) => (query.get('away') === '404' ? 404 : 503)

/** `no_database`: this node is cut off from it. `draining`: the process ends. Both mean: ask another node. */
export type Health = 'ready' | 'no_database' | 'draining'

type HealthDeps = Pick<ServerDeps, 'config' | 'database' | 'now'>

/** Whether the database answers in time, past the connections of requests: all of those taken is no outage. */
function createLook({database, now}: HealthDeps): () => Promise<boolean> {
  let last: {at: number; isWell: Promise<boolean>} | undefined
  const look = async () => {
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), lookDeadline)
    })
    const answer = database.leases.query('select 1').then(
      () => true,
      () => false,
    )
    return Promise.race([answer, deadline]).finally(() => clearTimeout(timer))
  }
  return () => {
    const at = now().getTime()
    if (last === undefined || at - last.at >= lookLife || at < last.at) last = {at, isWell: look()}
    return last.isWell
  }
}

/**
 * Answers `GET /healthz` for load balancers and orchestrators: 200 while this node can serve; 503 (404 on request)
 * while its database does not answer, other nodes take it for dead (`health`), or it ends. The body has its role. Other
 * requests pass to `handle`. `GET /livez` is 200 while the process answers, for a supervisor that ends hung processes.
 */
export function withHealth(deps: HealthDeps, health: () => Health, handle: Handle): Handle {
  const isWell = createLook(deps)
  const stateNow = async (): Promise<Health> => {
    const state = health()
    return state === 'ready' && !(await isWell()) ? 'no_database' : state
  }
  return async (request, peer) => {
    const {pathname, searchParams} = new URL(request.url)
    if (pathname !== healthPath && pathname !== lifePath) return handle(request, peer)
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return new Response(null, {status: 405, headers: {allow: 'GET, HEAD'}})
    const state = pathname === lifePath ? health() : await stateNow()
    const status = state === 'ready' || pathname === lifePath ? 200 : awayStatus(searchParams)
    const headers = {'content-type': 'application/json', 'cache-control': 'no-store'}
    const body = request.method === 'HEAD' ? null : JSON.stringify({state, role: deps.config.role})
    return new Response(body, {status, headers})
  }
}
