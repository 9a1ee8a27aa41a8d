import {pipeline, type Readable, type Transform} from 'node:stream'
import {constants, createBrotliDecompress, createGunzip, createInflate} from 'node:zlib'

// what has come is handed out at once, and a missing end is no fault of what is there
const gently = {flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH}

const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(gently),
  'x-gzip': () => createGunzip(gently),
  deflate: () => createInflate(gently),
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
  const decoder = decoders[coding.trim().toLowerCase()]
  return decoder === undefined ? response : pipeline(response, decoder(), keep)
}
