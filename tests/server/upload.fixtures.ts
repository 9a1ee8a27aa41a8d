import type {TestServer, TestUser} from './harness.ts'
import {base} from './platform.fixtures.ts'

/** Uploads a file as a user; the answer is in French. */
export async function upload(
  server: TestServer,
  {accessToken}: TestUser,
  content: Uint8Array<ArrayBuffer>,
  name: string,
) {
  const form = new FormData()
  form.set('file', new File([content], name))
  const headers = {'accept-language': 'fr'}
  const response = await server.call('POST', `${base}/files/`, {token: accessToken, body: form, headers})
  return {status: response.status, body: await response.json(), headers: response.headers}
}
export const readFile = (server: TestServer, address: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.call(method, new URL(address).pathname, {headers, origin: null})
