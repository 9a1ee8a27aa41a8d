import {createHash, randomBytes} from 'node:crypto'
import {parse} from 'hono/utils/cookie'
import {authRoutes} from '#server/auth/auth.routes.ts'
import {createTestServer, testOrigin, type TestServer, type TestServerOptions} from './harness.ts'

export const loginPath = '/services/auth/auth/login'
export const registerPath = '/services/auth/auth/register'
export const logoutPath = '/services/auth/auth/logout'
export const tokenPath = '/services/auth/oauth2/v1/token'
export const revokePath = '/services/auth/oauth2/v1/revoke'

export const callback = `${testOrigin}/auth/callback?redirect=%2Fchatgpt`
export const password = 'correct horse battery'

export const createAuthServer = (options: TestServerOptions = {}) => createTestServer({routes: authRoutes, ...options})

export const createPkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return {verifier, challenge: createHash('sha256').update(verifier).digest('base64url')}
}

export const query = (values: Record<string, string | undefined>): string => {
  const given = Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `?${new URLSearchParams(given).toString()}`
}

/** A server of this process, or one behind an address. */
export type Called = Pick<TestServer, 'call'>

/** A browser's part of the sign-in pages: keeps cookies between requests and sends forms back as they were shown. */
export function createBrowser(server: Called, present: Record<string, string> = {}) {
  const jar = new Map<string, string>(Object.entries(present))
  const remember = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const name = pair.slice(0, pair.indexOf('='))
      if (line.includes('Max-Age=0')) jar.delete(name)
      else jar.set(name, parse(pair)[name] ?? '')
    }
    return response
  }
  const cookies = () => [...jar].map(([name, value]) => `${name}=${value}`).join('; ')

  const open = async (path: string, headers: Record<string, string> = {}) =>
    remember(await server.call('GET', path, {origin: null, headers: {cookie: cookies(), ...headers}}))

  const send = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    remember(
      await server.call('POST', path, {
        headers: {'content-type': 'application/x-www-form-urlencoded', cookie: cookies(), ...headers},
        body: new URLSearchParams(fields).toString(),
      }),
    )

  /** Opens the page and sends its form with the token that stands in it. */
  const submit = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const shown = await (await open(path, headers)).text()
    const token = /name="form_token" value="([^"]*)"/.exec(shown)?.[1]
    if (token === undefined) throw new Error(`There is no form on ${path}`)
    return send(path, {form_token: token, ...fields}, headers)
  }

  return {open, send, submit, jar}
}

/** Signs in by the page and returns the code it sends back. */
export async function getCode(
  server: Called,
  email: string,
  login: {redirect?: string; challenge?: string; state?: string} = {},
): Promise<string> {
  const {redirect = callback, challenge, state} = login
  const path = `${loginPath}${query({redirect, state, code_challenge: challenge, code_challenge_method: challenge && 'S256'})}`
  const response = await createBrowser(server).submit(path, {email, password})
  const code = new URL(response.headers.get('location') ?? '', testOrigin).searchParams.get('code')
  if (code === null) throw new Error(`No code: ${response.status} ${await response.text()}`)
  return code
}

export const exchange = (server: Called, body: object, origin: string | null = testOrigin) =>
  server.call('POST', tokenPath, {body, origin})
