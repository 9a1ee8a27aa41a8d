import {pipeline, Readable, type Transform} from 'node:stream'
import {constants, createBrotliDecompress, createGunzip} from 'node:zlib'
import {ProviderFailure} from './provider.ts'

// what has come is handed out at once, and a missing end is no fault of what is there
const gently = {flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH}

const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(gently),
  'x-gzip': () => createGunzip(gently),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
}

/** The body as it was before its coding. What goes wrong before it is read is kept for its reader. */
export function decoded(response: Readable, coding: string): Readable {
  const keep = () => undefined
  response.on('error', keep)
  const name = coding.trim().toLowerCase()
  if (name === '' || name === 'identity') return response
  const decoder = decoders[name]
  if (decoder !== undefined) return pipeline(response, decoder(), keep)
  response.destroy()
  return unreadable(new ProviderFailure('api_error', `The answer is in a coding that was not asked for (${name}).`))
}

const unreadable = (failure: ProviderFailure): Readable =>
  new Readable({
    read() {
      this.destroy(failure)
    },
  })
