import {z} from '#contract/schema.ts'
import {HttpFailure} from '#server/http/failure.ts'
import {route, type Route} from '#server/http/route.ts'

export const note = z.strictObject({
  text: z.string().check(z.minLength(1), z.maxLength(5)),
  tags: z.optional(z.array(z.string())),
})
export const command = z.union([
  z.strictObject({action: z.literal('stop'), id: z.string()}),
  z.strictObject({action: z.optional(z.literal('chat')), question: z.string()}),
])
export const json = (value: unknown) => Response.json(value ?? null)

export const routes: Route[] = [
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/open',
    policy: 'public',
    handle: ({identity, origin}) => json({user: identity?.userId, origin}),
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/mine/',
    policy: 'user',
    handle: ({identity}) => json(identity?.userId),
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/things/:id',
    policy: 'public',
    handle: ({params}) => json(params),
  }),
  route({service: 'platform', method: 'PUT', path: '/api/v1/run', policy: 'operator', handle: () => json('ran')}),
  route({
    service: 'platform',
    method: 'POST',
    path: '/api/v1/notes',
    policy: 'public',
    body: note,
    handle: ({body}) => json(body),
  }),
  route({
    service: 'platform',
    method: 'POST',
    path: '/api/v1/bare',
    policy: 'public',
    handle: ({body}) => json({body}),
  }),
  route({
    service: 'platform',
    method: 'POST',
    path: '/api/v1/login',
    policy: 'public',
    limit: 'login',
    handle: () => json('in'),
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/search',
    policy: 'public',
    query: z.strictObject({
      limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(100))),
      id: z.optional(z.union([z.string(), z.array(z.string())])),
    }),
    handle: ({query}) => json(query),
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/broken',
    policy: 'public',
    handle: () => Promise.reject(new Error('canary-7711')),
  }),
  route({
    service: 'platform',
    method: 'GET',
    path: '/api/v1/full',
    policy: 'public',
    handle: () => Promise.reject(Object.assign(new Error('disk'), {code: 'ENOSPC'})),
  }),
  route({
    service: 'auth',
    method: 'POST',
    path: '/form',
    policy: 'public',
    accepts: 'form',
    body: z.strictObject({name: z.string()}),
    handle: ({body}) => json(body),
  }),
  route({
    service: 'auth',
    method: 'GET',
    path: '/page',
    policy: 'public',
    handle: () => {
      throw new HttpFailure(400, 'bad_request', {text: 'foo'})
    },
    renderFailure: ({status, detail}) =>
      new Response(`<p>${detail}</p>`, {
        status,
        headers: {'content-type': 'text/html', 'content-security-policy': 'foo'},
      }),
  }),
  route({
    service: 'api',
    method: 'POST',
    path: '/chat',
    policy: 'credential',
    body: command,
    handle: ({body}) => json(body),
  }),
  route({
    service: 'api',
    method: 'POST',
    path: '/open',
    policy: 'public',
    body: command,
    handle: ({body}) => json(body),
  }),
]
