import type {ServerDeps} from '../deps.ts'
import {notFound} from '../http/failure.ts'
import {contentDisposition} from './file-name.ts'
import {FileGone, type Span} from './file-store.ts'
import {openStored} from './file-stores.ts'
import {opensInline} from './file-types.ts'
import type {FileRow} from './stored-files.ts'

/**
 * A stored file as an answer, with single byte ranges (RFC 9110 §14). Never interpreted by the browser beyond its type:
 * `nosniff`, a sandbox without any source, and saved instead of shown unless it is an image, sound, video or plain text
 * (security R29). The content under one address never changes.
 */
export async function serveFile(
  {fileStores}: Pick<ServerDeps, 'fileStores'>,
  request: Request,
  row: FileRow,
): Promise<Response> {
  const etag = `"${row.id}"`
  const headers = new Headers({
    'content-type': row.type.startsWith('text/') ? `${row.type}; charset=utf-8` : row.type,
    'content-disposition': contentDisposition(opensInline(row.type) ? 'inline' : 'attachment', row.name),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    etag,
  })
  if (request.headers.get('if-none-match') === etag) return new Response(null, {status: 304, headers})
  const range = rangeOf(request, row.size, etag)
  if (range === 'unsatisfiable') {
    headers.set('content-range', `bytes */${row.size}`)
    return new Response(null, {status: 416, headers})
  }
  const {start, end} = range ?? {start: 0, end: row.size - 1}
  headers.set('content-length', String(end - start + 1))
  if (range) headers.set('content-range', `bytes ${start}-${end}/${row.size}`)
  if (request.method === 'HEAD') return new Response(null, {status: range ? 206 : 200, headers})
  const bytes = await openStored(fileStores, row, {start, end}).catch((error: unknown) => {
    throw error instanceof FileGone ? notFound() : error
  })
  return new Response(bytes, {status: range ? 206 : 200, headers})
}

/** One range; several, other units, and a range of another version (`If-Range`) are answered with the whole file. */
function rangeOf(request: Request, size: number, etag: string): Span | 'unsatisfiable' | undefined {
  const condition = request.headers.get('if-range')
  if (condition !== null && condition !== etag) return undefined
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(request.headers.get('range') ?? '')
  const [, first = '', last = ''] = match ?? []
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : {start: size - length, end: size - 1}
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : {start, end}
}
