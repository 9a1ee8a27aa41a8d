import {mkdir, open, readdir, rm, stat} from 'node:fs/promises'
import {join} from 'node:path'
import {largestFile} from '#contract/files.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import {newFileId} from './file-store.ts'
import {incomingFolder} from './local-store.ts'
import {cutOff} from './multipart.ts'

export const tooLarge = (largest = largestFile) =>
  new HttpFailure(413, 'content_too_large', 'fileTooLarge', {field: 'file', values: {most: largest / 1_048_576}})

/** A file on the local disk that is not kept yet. */
export type Incoming = {path: string; size: number; discard: () => Promise<void>}

/**
 * Writes `content` to the disk as it arrives. Whatever ends it early (too large, cut off, the client left) takes the
 * part that was written away again. The caller ends with `discard`, whether or not a
 * store has taken it.
 */
export async function receiveFile(
  deps: Pick<ServerDeps, 'config'>,
  content: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
  largest = largestFile,
): Promise<Incoming> {
  const folder = incomingFolder(deps.config)
  await mkdir(folder, {recursive: true, mode: 0o700})
  const path = join(folder, newFileId())
  const discard = () => rm(path, {force: true})
  try {
    const size = await write(path, content, signal, largest)
    if (size === 0) throw badRequest('fileEmpty', 'file')
    return {path, size, discard}
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

/** Deletes half received files of a killed process. Younger ones may belong to another running process. */
export async function sweepIncoming(deps: Pick<ServerDeps, 'config' | 'now'>): Promise<void> {
  const folder = incomingFolder(deps.config)
  await mkdir(folder, {recursive: true, mode: 0o700})
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats && deps.now().getTime() - stats.mtimeMs > staleMilliseconds) await rm(path, {force: true})
  }
}
