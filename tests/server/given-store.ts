import {newFileId} from '#server/files/file-store.ts'
import {createS3Store} from '#server/files/s3-store.ts'
import {readConfig} from '#server/read-config.ts'

/*
 * The store that the developer names: TEST_FILES_URL as FILES_URL, its key and endpoint by the usual names
 * (docs/deploying.md). A part of it that no other test uses, which is empty again at the end.
 */

const address = process.env['TEST_FILES_URL']
export const isStoreGiven = address !== undefined

/** Its settings, with a prefix of its own. */
export function givenFiles() {
  if (address === undefined) throw new Error('TEST_FILES_URL names no store')
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${newFileId()}`
  const {files} = readConfig({...process.env, FILES_URL: url.href})
  if (files.bucket === undefined) throw new Error('TEST_FILES_URL names no bucket')
  return {...files, bucket: files.bucket}
}

const made: ReturnType<typeof createS3Store>[] = []
export function givenStore() {
  const files = givenFiles()
  const store = createS3Store(files.bucket, files)
  made.push(store)
  return store
}

/** The mark of its installation stays: a few bytes. */
export async function emptyGivenStores(): Promise<void> {
  for (const store of made.splice(0)) {
    const names: string[] = []
    for await (const {name} of store.list()) names.push(name)
    const rest = names.values()
    const remove = async () => {
      for (const name of rest) await store.remove(name)
    }
    await Promise.all(Array.from({length: 16}, remove))
  }
}
