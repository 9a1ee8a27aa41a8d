import {randomUUID} from 'node:crypto'
import {exchange, getCode, password, type Called} from './auth-support.ts'
import type {Node, Nodes} from './nodes.harness.ts'

/* Users with an account work at nodes as they do it, over the wire. */

export const called = ({address}: Node): Called => ({
  call: (method, path, {token, body, headers} = {}) =>
    fetch(address + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : {authorization: `Bearer ${token}`}),
        ...(typeof body === 'object' ? {'content-type': 'application/json'} : {}),
        ...headers,
      },
      ...(body === undefined ? {} : {body: typeof body === 'string' ? body : JSON.stringify(body)}),
    }),
})

export type Tokens = {access_token: string; refresh_token: string; expires_in: number}

/** Signs in at one node, and gets the tokens for it at another one. */
export async function signIn([one, other]: readonly [Node, Node], email: string): Promise<Tokens> {
  const redirect = `${one.address}/auth/callback`
  const code = await getCode(called(one), email, {redirect})
  const response = await exchange(called(other), {grant_type: 'authorization_code', code, redirect_uri: redirect}, null)
  if (response.status !== 200) throw new Error(`No tokens: ${response.status} ${await response.text()}`)
  return (await response.json()) as Tokens
}

/** The address of a new account, with the password of all tests. */
export async function createAccount(nodes: Nodes): Promise<string> {
  const email = `${randomUUID()}@example.com`
  await nodes.server.createUser({email, password})
  return email
}
