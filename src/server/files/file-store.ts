import {randomBytes} from 'node:crypto'
import {mkdir, open, readdir, rename, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {largestFile} from '#contract/files.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import {cutOff} from './multipart.ts'

/** 128 random bits: the storage name and the handle in the address (security R22, R28). */
export const newFileId = (): string => randomBytes(16).toString('base64url')

/** Where the bytes of a file stand. The id is ours; the client's name is nowhere in a path. */
export const filePath = ({config}: Pick<ServerDeps, 'config'>, id: string): string => join(config.dataDir, 'files', id)
const incomingFolder = ({config}: Pick<ServerDeps, 'config'>): string => join(config.dataDir, 'files', 'incoming')

export const tooLarge = (largest = largestFile) =>
  new HttpFailure(413, 'content_too_large', 'fileTooLarge', {field: 'file', values: {most: largest / 1_048_576}})

export type Incoming = {path: string; size: number; keepAs: (id: string) => Promise<void>; discard: () => Promise<void>}

/**
 * Writes `content` to the disk as it arrives. Whatever ends it early (too large, cut off, the client left) takes the
 * part that was written away again. The caller ends with `keepAs` or `discard`.
 */
export async function receiveFile(
  deps: Pick<ServerDeps, 'config'>,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  largest = largestFile,
): Promise<Incoming> {
  const folder = incomingFolder(deps)
  await mkdir(folder, {recursive: true, mode: 0o700})
  const path = join(folder, newFileId())
  const discard = () => rm(path, {force: true})
  try {
    const size = await write(path, content, signal, largest)
    if (size === 0) throw badRequest('fileEmpty', 'file')
    return {path, size, keepAs: (id) => rename(path, filePath(deps, id)), discard}
  } catch (error) {
    await discard()
    throw error
  }
}

async function write(
  path: string,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  largest: number,
): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  let size = 0
  try {
    for await (const bytes of content) {
      if (signal.aborted) throw cutOff(signal.reason)
      size += bytes.byteLength
      if (size > largest) throw tooLarge(largest)
      await file.writeFile(bytes)
    }
    await file.sync()
    return size
  } finally {
    await file.close()
  }
}

const staleMilliseconds = 3_600_000

/** Takes away what a killed process left half received. Younger parts may be another process's, at work right now. */
export async function sweepIncoming(deps: Pick<ServerDeps, 'config' | 'now'>): Promise<void> {
  const folder = incomingFolder(deps)
  await mkdir(folder, {recursive: true, mode: 0o700})
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && deps.now().getTime() - found.mtimeMs > staleMilliseconds) await rm(path, {force: true})
  }
}
