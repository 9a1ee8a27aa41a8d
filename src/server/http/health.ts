import type {Config} from '../config.ts'
import type {Handle} from './router.ts'

/** `cut-off`: the database cannot be reached. `draining`: the process ends. Both mean: ask another node. */
export type Health = 'ready' | 'cut-off' | 'draining'

const healthPath = '/health'

/**
 * What a load balancer or a supervisor asks, under any host name and without a key: 200 when this node takes requests, 503
 * when it does not, and which role it has.
 */
export const withHealth =
  (role: Config['role'], health: () => Health, handle: Handle): Handle =>
  async (request, peer) => {
    if (request.method !== 'GET' || new URL(request.url).pathname !== healthPath) return handle(request, peer)
    const state = health()
    return Response.json(
      {state, role},
      {
        status: state === 'ready' ? 200 : 503,
        headers: {'cache-control': 'no-store', 'x-content-type-options': 'nosniff'},
      },
    )
  }

/** What a worker says to everybody else: it answers no requests. */
export const refuseRequests: Handle = () =>
  Promise.resolve(new Response('This node only runs jobs (ROLE=worker); another one answers.\n', {status: 404}))
