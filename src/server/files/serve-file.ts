import {access, open, type FileHandle} from 'node:fs/promises'
import {notFound} from '../http/failure.ts'
import {contentDisposition} from './file-name.ts'
import {opensInline} from './file-types.ts'
import type {FileRow} from './stored-files.ts'

const pieceLength = 65_536

type Range = {start: number; end: number}

/**
 * A stored file as an answer, with single byte ranges (RFC 9110 §14). Never interpreted by the browser beyond its type:
 * `nosniff`, a sandbox without any source, and saved instead of shown unless it is an image, sound, video or plain text
 * (security R29). The content under one address never changes.
 */
export async function serveFile(request: Request, row: FileRow, path: string): Promise<Response> {
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
  await access(path).catch((cause: NodeJS.ErrnoException) => {
    throw cause.code === 'ENOENT' ? notFound() : cause
  })
  return new Response(streamOf(path, start, end), {status: range ? 206 : 200, headers})
}

/** One range; several, other units, and a range of another version (`If-Range`) are answered with the whole file. */
function rangeOf(request: Request, size: number, etag: string): Range | 'unsatisfiable' | undefined {
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

/** Reads as the client takes, and opens the file with the first take: an answer nobody reads holds nothing open. */
function streamOf(path: string, start: number, end: number): ReadableStream<Uint8Array> {
  let file: FileHandle | undefined
  let position = start
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        file ??= await open(path)
        const length = Math.min(pieceLength, end - position + 1)
        const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, position)
        position += bytesRead
        if (bytesRead === 0) {
          await file.close()
          controller.error(new Error('The file is shorter than its entry'))
          return
        }
        controller.enqueue(new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead))
        if (position > end) {
          await file.close()
          controller.close()
        }
      },
      cancel: () => file?.close(),
    },
    {highWaterMark: 0},
  )
}
