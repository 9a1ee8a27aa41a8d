import {badRequest, HttpFailure} from '../http/failure.ts'

/** The one file of an upload: its name as sent, and its bytes as they arrive. `close` lets go of the body. */
export type FilePart = {
  fileName: string
  content: AsyncIterable<Uint8Array>
  close: () => Promise<void>
}

const longestHeaders = 8192
const longestPreamble = 8192
const crlf = Buffer.from('\r\n')
const blankLine = Buffer.from('\r\n\r\n')
/** The sender stopped or the connection broke: nobody's fault here, and nobody is left to answer. */
export const cutOff = (cause?: unknown) => new HttpFailure(400, 'bad_request', 'uploadCutOff', {field: 'file', cause})

const otherParts = () => badRequest('uploadPart', 'file', {part: 'file'})

/**
 * Reads `multipart/form-data` with exactly one part, named `file` (`contract/platform` §3, 48), without holding it in
 * memory: `content` yields the bytes as they come and throws a 400 when the body ends before its closing boundary.
 * The caller calls `close` at the end, whatever it read.
 */
export async function readFilePart(body: ReadableStream<Uint8Array> | null, contentType: string): Promise<FilePart> {
  const boundary = boundaryOf(contentType)
  if (body === null) throw badRequest('uploadNoBody', 'file')
  const source = createSource(body)
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  try {
    // The first delimiter may stand at the very start, without the line break that belongs to the others.
    source.prepend(crlf)
    await source.until(delimiter, longestPreamble)
    const afterDelimiter = await source.exactly(2)
    if (!afterDelimiter.equals(crlf)) throw otherParts()
    const headers = (await source.until(blankLine, longestHeaders)).toString('utf8')
    const fileName = fileNameOf(headers)
    return {fileName, content: contentOf(source, delimiter), close: source.close}
  } catch (error) {
    await source.close()
    throw error
  }
}

async function* contentOf(source: Source, delimiter: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  for (;;) {
    const {bytes, found} = await source.upTo(delimiter)
    if (bytes.length > 0) yield bytes
    if (found) break
  }
  if ((await source.exactly(2)).toString('latin1') !== '--') {
    throw otherParts()
  }
}

type Source = ReturnType<typeof createSource>

/** Looks for delimiters in a stream of bytes, whatever the cuts between its chunks. */
function createSource(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader()
  let pending: Buffer = Buffer.alloc(0)
  const more = async (): Promise<void> => {
    const {done, value} = await reader.read().catch((cause: unknown) => {
      throw cutOff(cause)
    })
    if (done) throw cutOff()
    pending = pending.length === 0 ? Buffer.from(value) : Buffer.concat([pending, value])
  }
  const take = (length: number): Buffer => {
    const taken = pending.subarray(0, length)
    pending = pending.subarray(length)
    return taken
  }
  return {
    prepend: (bytes: Buffer) => {
      pending = Buffer.concat([bytes, pending])
    },
    exactly: async (length: number): Promise<Buffer> => {
      while (pending.length < length) await more()
      return take(length)
    },
    /** All before `delimiter`, which is taken too; a 400 when it is longer than `longest`. */
    until: async (delimiter: Buffer, longest: number): Promise<Buffer> => {
      for (;;) {
        const index = pending.indexOf(delimiter)
        if (index >= 0 && index <= longest) {
          const bytes = take(index)
          take(delimiter.length)
          return bytes
        }
        if (pending.length > longest + delimiter.length) throw badRequest('uploadForm', 'file')
        await more()
      }
    },
    /** The bytes that certainly stand before `delimiter`; `found` when it follows them, and it is then taken too. */
    upTo: async (delimiter: Buffer): Promise<{bytes: Buffer; found: boolean}> => {
      const index = pending.indexOf(delimiter)
      if (index >= 0) {
        const bytes = take(index)
        take(delimiter.length)
        return {bytes, found: true}
      }
      const bytes = take(Math.max(0, pending.length - delimiter.length + 1))
      await more()
      return {bytes, found: false}
    },
    /** Stops the sender. A body that broke off has nothing left to stop. */
    close: () => reader.cancel().catch(() => undefined),
  }
}

function boundaryOf(contentType: string): string {
  const match = /^multipart\/form-data\s*;(?:.*;)?\s*boundary=(?:"([^"]{1,70})"|([^\s";]{1,70}))/i.exec(contentType)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined) throw badRequest('uploadForm')
  return boundary
}

/** The name in a part's `Content-Disposition`. Browsers send it as UTF-8 with `"` and line breaks percent-encoded. */
function fileNameOf(headers: string): string {
  const disposition = headers.split('\r\n').find((line) => /^content-disposition\s*:\s*form-data\s*;/i.test(line)) ?? ''
  const parameter = (name: string) => new RegExp(`;\\s*${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition)
  const part = parameter('name')
  if ((part?.[1] ?? part?.[2]) !== 'file') throw otherParts()
  const extended = /;\s*filename\*=utf-8''([^\s;]+)/i.exec(disposition)?.[1]
  if (extended !== undefined) return decoded(extended)
  const plain = parameter('filename')
  const given = plain?.[1] ?? plain?.[2]
  if (given === undefined) throw badRequest('fileName', 'file')
  return given.replaceAll('%22', '"').replaceAll(/%0[da]/gi, '')
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw badRequest('fileName', 'file')
  }
}
