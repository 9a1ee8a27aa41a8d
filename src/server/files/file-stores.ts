import type {Config} from '../config.ts'
import {StartFailure} from '../start-failure.ts'
import {FileGone, storeAway, type FileStore, type Span} from './file-store.ts'
import {createLocalStore} from './local-store.ts'

/** All stores that this process knows. */
export type FileStores = {
  /** The store for new files. */
  current: FileStore
  all: readonly FileStore[]
  /** The origin that browsers are led to for images, sound and videos; absent: they come through the server. */
  redirect?: {origin: string; seconds: number}
}

/** The store of a file's bytes, and their name there. */
export type StoredLocation = {storedAs: string; storedIn: string}

/** The folder of this machine alone. */
export function localFileStores(config: Pick<Config, 'dataDir'>): FileStores {
  const local = createLocalStore(config)
  return {current: local, all: [local]}
}

/**
 * The stores of the configuration. The client of S3 is loaded only if a bucket is named.
 *
 * @throws StartFailure if browsers are to be redirected to a bucket without credentials
 */
export async function openFileStores(config: Pick<Config, 'dataDir' | 'files'>): Promise<FileStores> {
  const {bucket, former, delivery, linkSeconds} = config.files
  const local = localFileStores(config)
  if (bucket === undefined && former === undefined) return local
  // which Node it wants is settled by its locked version; standard error is a log of one JSON object a line
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true'
  const {createS3Store} = await import('./s3-store.ts')
  const [current, before] = [bucket, former].map((address) => address && createS3Store(address, config.files))
  const stores: FileStores = {
    current: current ?? local.current,
    all: [current, local.current, before].filter((store) => store !== undefined),
  }
  if (current?.sign === undefined || delivery === 'server') return stores
  try {
    const answer = {type: 'image/png', disposition: 'inline', cacheControl: 'no-store'}
    const {origin} = new URL(await current.sign('probe', answer, {from: new Date(), seconds: linkSeconds}))
    return {...stores, redirect: {origin, seconds: linkSeconds}}
  } catch (cause) {
    throw new StartFailure(
      'FILES_DELIVERY=redirect signs addresses with credentials, and none were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.',
      {cause},
    )
  }
}

export function storeOf({all}: FileStores, {storedIn}: Pick<StoredLocation, 'storedIn'>): FileStore {
  const store = all.find(({name}) => name === storedIn)
  if (store === undefined) throw storeAway(new Error(`${storedIn} is not configured`))
  return store
}

/**
 * Reads a file's bytes where its row says they are, or where they were moved to since the row was read.
 *
 * @throws FileGone when no store has them
 */
export async function openStored(
  stores: FileStores,
  {storedAs, storedIn}: StoredLocation,
  span: Span,
): Promise<ReadableStream<Uint8Array>> {
  const first = storeOf(stores, {storedIn})
  let missing: unknown
  for (const store of [first, ...stores.all.filter((other) => other !== first)]) {
    try {
      return await store.open(storedAs, span)
    } catch (error) {
      if (!(error instanceof FileGone)) throw error
      missing ??= error
    }
  }
  throw missing
}
