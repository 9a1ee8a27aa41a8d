import {expect} from 'vitest'
import type {FilesConfig} from '#server/config-files.ts'
import type {ServerDeps} from '#server/deps.ts'
import {newFileId, type FileStore} from '#server/files/file-store.ts'
import {openFileStores} from '#server/files/file-stores.ts'
import {moveFiles} from '#server/files/move-files.ts'
import {files} from '#server/store/schema/files.ts'
import type {TestServer} from './harness.ts'
import {base, createPlatform} from './platform.fixtures.ts'
import type {S3} from './s3.fixtures.ts'

/** An installation with files of one user; `deps` are those of the same one where new files go to a bucket. */
export async function createFileMove(s3: S3) {
  const server = await createPlatform()
  await server.createUser() // the operator
  const user = await server.createUser()
  const withFiles = async (config: FilesConfig): Promise<ServerDeps> => ({
    ...server.deps,
    fileStores: await openFileStores({...server.deps.config, files: config}),
  })
  const bucket = s3.config(newFileId())
  const deps = await withFiles(bucket)
  const pause = () => Promise.resolve()
  return {
    server,
    bucket,
    deps,
    withFiles,
    local: () => server.deps.fileStores.current,
    remote: () => deps.fileStores.current,
    move: (parts = deps, onPause: (milliseconds: number) => Promise<unknown> = pause) =>
      moveFiles(parts, {pause: onPause}),
    upload: async (content: string, name = 'foo.txt') => {
      const form = new FormData()
      form.set('file', new File([content], name))
      const response = await server.call('POST', `${base}/files/`, {token: user.accessToken, body: form})
      expect(response.status).toBe(201)
      return (await response.json()) as {id: string; file_url: string}
    },
    remove: ({id}: {id: string}, on = server) => on.call('DELETE', `${base}/files/${id}`, {token: user.accessToken}),
    storeNames: async () => {
      const rows = await server.deps.database.asSystem((transaction) => transaction.select().from(files))
      return new Map(rows.map(({storedAs, storedIn}) => [storedAs, storedIn]))
    },
  }
}
export type FileMove = Awaited<ReturnType<typeof createFileMove>>

export const textOf = async ({file_url: address}: {file_url: string}, on: TestServer) => {
  const response = await on.call('GET', new URL(address).pathname, {origin: null})
  return response.status === 200 ? response.text() : response.status
}
export const namesIn = async (store: FileStore) => {
  const names: string[] = []
  for await (const {name} of store.list()) names.push(name)
  return names.sort()
}
export const idsOf = (entries: readonly {id: string}[]) => entries.map(({id}) => id).sort()
