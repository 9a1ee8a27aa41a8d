import {existsSync, readdirSync} from 'node:fs'
import {join} from 'node:path'
import type {TestServer, TestUser} from './harness.ts'
import {base} from './platform.fixtures.ts'

type UploadsWorld = {server: () => TestServer; user: () => TestUser}

/** Uploads of `user` to `server`, which tests open before each or all of them, and the files on its disk. */
export function createUploads({server, user}: UploadsWorld) {
  const folder = () => join(server().deps.config.dataDir, 'files')
  const leftovers = () => (existsSync(join(folder(), 'incoming')) ? readdirSync(join(folder(), 'incoming')) : [])
  const stored = () => (existsSync(folder()) ? readdirSync(folder()).filter((name) => name !== 'incoming') : [])

  const formOf = (content: string | Uint8Array<ArrayBuffer>, name: string) => {
    const form = new FormData()
    form.set('file', new File([content], name))
    return form
  }
  async function upload(content: string | Uint8Array<ArrayBuffer>, name: string, token = user().accessToken) {
    const response = await server().call('POST', `${base}/files/`, {token, body: formOf(content, name)})
    return {status: response.status, body: await response.json()}
  }
  const read = (address: string, headers: Record<string, string> = {}, method = 'GET') =>
    server().call(method, new URL(address).pathname, {headers, origin: null})
  return {folder, leftovers, stored, upload, read}
}
