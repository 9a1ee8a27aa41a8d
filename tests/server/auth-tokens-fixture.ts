import {expect} from 'vitest'
import {authRoutes} from '#server/auth/auth.routes.ts'
import {route} from '#server/http/route.ts'
import {createAuthServer, password} from './auth-support.ts'
import type {TestServer} from './harness.ts'

/** A route that says whom the server takes a request for. */
export const whoAmI = (policy: 'user' | 'credential' | 'operator' | 'public') =>
  route({
    service: 'platform',
    method: 'POST',
    path: `/${policy}`,
    policy,
    handle: ({identity}) =>
      Response.json({userId: identity?.userId ?? null, credentialId: identity?.credentialId ?? null}),
  })

export const email = 'foo@example.com'
/** A server with one member, that says whom it takes a request for. */
export async function createTokenServer(): Promise<TestServer> {
  const server = await createAuthServer({
    routes: (deps) => [...authRoutes(deps), whoAmI('user'), whoAmI('credential'), whoAmI('operator'), whoAmI('public')],
  })
  await server.createUser({email, password, role: 'member'})
  return server
}

export const codeOf = async (response: Response) => [response.status, ((await response.json()) as {code?: string}).code]
export const refused = [400, 'invalid_grant']
export const tokensOf = async (response: Response) => {
  expect(response.status).toBe(200)
  return (await response.json()) as {access_token: string; refresh_token: string; expires_in: number}
}
