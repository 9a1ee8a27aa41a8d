import {randomBytes} from 'node:crypto'
import {HttpFailure} from '../http/failure.ts'

/** 128 random bits: the storage name and the handle in the address (security R22, R28). */
export const newFileId = (): string => randomBytes(16).toString('base64url')
/** Other objects in a store are not ours and are left alone. */
export const isStoredName = (name: string): boolean => /^[A-Za-z0-9_-]{22}$/.test(name)

/** Bytes from and to a position, both included. */
export type Span = {start: number; end: number}
export type ContentFacts = {size: number; type: string}
export type ListedFile = {name: string; size: number; writtenAt: Date}
/** How the answer of a signed address is to look. */
export type SignedAnswer = {type: string; disposition: string; cacheControl: string}

/**
 * The store of the bytes of files, by names that are never used again: a folder of this machine, or a bucket. A
 * name has all of its bytes or none. Failures are an `HttpFailure`: {@link storeAway}, {@link storeFull}.
 */
export type FileStore = {
  /** The value of `files.stored_in` for a file of this store. */
  readonly name: string
  /** Takes a file of the local disk. It may be gone from there afterwards. */
  keep: (name: string, path: string, facts: ContentFacts, signal?: AbortSignal) => Promise<void>
  /** Takes bytes as they come. */
  write: (name: string, bytes: AsyncIterable<Uint8Array>, facts: ContentFacts, signal?: AbortSignal) => Promise<void>
  /** Resolves when the store has the file, and reads as its reader takes. Throws {@link FileGone}. */
  open: (name: string, span: Span) => Promise<ReadableStream<Uint8Array>>
  sizeOf: (name: string) => Promise<number | undefined>
  /** Resolves as well when the file does not exist. */
  remove: (name: string) => Promise<void>
  list: () => AsyncIterable<ListedFile>
  /**
   * How many uploads were begun before then and never ended; takes them away if asked to. `undefined`: not known.
   */
  unfinished: (before: Date, then: 'count' | 'remove') => Promise<number | undefined>
  /** The installation that the store belongs to: that which asked first. */
  ownerOf: (installation: string) => Promise<string>
  /** An address at which the store itself hands out the file for a while; absent: it does not. */
  sign?: (name: string, answer: SignedAnswer, validity: {from: Date; seconds: number}) => Promise<string>
}

/** The store has no such file. */
export class FileGone extends Error {
  constructor(name: string, cause?: unknown) {
    super(`There are no bytes of ${name}`, {cause})
  }
}

/** The store does not answer, or not in time, or not to us. */
export const storeAway = (cause: unknown) => new HttpFailure(503, 'busy', 'storeAway', {retryAfterSeconds: 5, cause})
export const storeFull = (cause: unknown) => new HttpFailure(507, 'busy', 'storeFull', {retryAfterSeconds: 30, cause})

/** The store is away or full; a later try may work. */
export const isStoreTrouble = (error: unknown): error is HttpFailure =>
  error instanceof HttpFailure && (error.words === 'storeAway' || error.words === 'storeFull')

/** A stream that is pulled. The source is opened by the first read: an unread stream holds no connection. */
export function streamOf(pieces: AsyncGenerator<Uint8Array, void>, stop?: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const {done, value} = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => {
        stop?.()
        await pieces.return()
      },
    },
    {highWaterMark: 0},
  )
}
