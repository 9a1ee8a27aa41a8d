import {Readable} from 'node:stream'
import {pipeline} from 'node:stream/promises'
import {Busboy, type BusboyFileStream} from '@fastify/busboy'
import {badRequest, HttpFailure, ServerEnds} from '../http/failure.ts'

/** The one file of an upload: its name as sent, and its bytes as they arrive. `close` lets go of the body. */
export type FilePart = {
  fileName: string
  content: AsyncIterable<Uint8Array>
  close: () => void
}

/** Bytes before the file itself, which the parser would skip without end. */
const longestHead = 16_384
/** The sender stopped or the connection broke: nobody is left. Or this process ends: then it is sent again. */
export const cutOff = (cause?: unknown) =>
  cause instanceof ServerEnds
    ? new HttpFailure(503, 'busy', 'uploadCutOff', {field: 'file', retryAfterSeconds: 1, cause})
    : new HttpFailure(400, 'bad_request', 'uploadCutOff', {field: 'file', cause})

const otherParts = () => badRequest('uploadPart', 'file', {part: 'file'})
const toFailure = (error: unknown) => (error instanceof HttpFailure ? error : cutOff(error))

/**
 * Reads `multipart/form-data` with exactly one part, named `file` (`contract/platform` §3, 48), without holding it in
 * memory: `content` yields the bytes as they come and throws a 400 when the body ends before its closing boundary.
 * The caller calls `close` at the end, whatever it read.
 */
export async function readFilePart(body: ReadableStream<Uint8Array> | null, contentType: string): Promise<FilePart> {
  if (body === null) throw badRequest('uploadNoBody', 'file')
  const parser = createParser(contentType)
  const stop = new AbortController()
  let hasBegun = false
  async function* bounded(source: AsyncIterable<Uint8Array>) {
    let length = 0
    for await (const piece of source) {
      length += piece.byteLength
      yield piece
      if (!hasBegun && length > longestHead) throw badRequest('uploadForm', 'file')
    }
  }
  const begin = new Promise<{name: string; content: BusboyFileStream; fileName: string | undefined}>((resolve) => {
    parser.on('file', (name, content, fileName) => {
      hasBegun = true
      // Errors that arrive while nobody reads would end the process; `end` rejects with them as well.
      content.on('error', () => undefined)
      resolve({name, content, fileName})
    })
  })
  parser.on('partsLimit', () => parser.destroy(otherParts()))
  const end: Promise<void> = pipeline(Readable.from(body), bounded, parser, {signal: stop.signal})
  end.catch(() => undefined) // thrown where the content ends
  try {
    const part = await Promise.race([begin, end.then(() => undefined)])
    if (part?.name !== 'file') throw otherParts()
    end.catch((error: unknown) => part.content.destroy(toFailure(error)))
    const fileName = nameOf(part.fileName)
    return {fileName, content: contentOf(part.content, end), close: () => stop.abort()}
  } catch (error) {
    stop.abort()
    throw toFailure(error)
  }
}

function createParser(contentType: string) {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) throw badRequest('uploadForm')
  try {
    return new Busboy({
      headers: {'content-type': contentType},
      limits: {parts: 1, headerPairs: 20, headerSize: 8192},
      preservePath: true,
      isPartAFile: () => true,
    })
  } catch {
    throw badRequest('uploadForm') // no boundary
  }
}

async function* contentOf(file: BusboyFileStream, end: Promise<void>): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    // A stream without an encoding yields buffers; its type says `any`.
    for await (const piece of file) yield piece as Buffer
    await end
  } catch (error) {
    throw toFailure(error)
  }
}

/** Browsers send the name as UTF-8 with `"` and line breaks percent-encoded. */
function nameOf(givenName: string | undefined): string {
  if (givenName === undefined || givenName.includes('\ufffd')) throw badRequest('fileName', 'file')
  return givenName.replaceAll('%22', '"').replaceAll(/%0[da]/gi, '')
}
