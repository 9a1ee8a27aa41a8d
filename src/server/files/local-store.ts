import {access, mkdir, open, opendir, readFile, rename, rm, stat, writeFile, type FileHandle} from 'node:fs/promises'
import {join} from 'node:path'
import type {Config} from '../config.ts'
import {isCode} from '../error-code.ts'
import {FileGone, isStoredName, newFileId, streamOf, type FileStore, type Span} from './file-store.ts'

/** The name in `files.stored_in` of the files in `DATA_DIR/files`. */
const localStoreName = 'local'
const pieceLength = 65_536

type Folder = Pick<Config, 'dataDir'>
export const localFolder = ({dataDir}: Folder): string => join(dataDir, 'files')
/** The folder of files until they are whole and looked at. */
export const incomingFolder = (config: Folder): string => join(localFolder(config), 'incoming')

/** The folder `DATA_DIR/files`. */
export function createLocalStore(config: Folder): FileStore {
  const pathOf = (name: string) => join(localFolder(config), name)
  const goneOr = (name: string) => (cause: unknown) => {
    throw isCode(cause, 'ENOENT') ? new FileGone(name, cause) : cause
  }
  return {
    name: localStoreName,
    keep: async (name, path) => {
      await mkdir(localFolder(config), {recursive: true, mode: 0o700})
      await rename(path, pathOf(name))
    },
    write: async (name, bytes) => {
      await mkdir(incomingFolder(config), {recursive: true, mode: 0o700})
      const path = join(incomingFolder(config), newFileId())
      try {
        const file = await open(path, 'wx', 0o600)
        try {
          for await (const piece of bytes) await file.writeFile(piece)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(path, pathOf(name))
      } catch (error) {
        await rm(path, {force: true})
        throw error
      }
    },
    open: async (name, span) => {
      await access(pathOf(name)).catch(goneOr(name))
      // it may go before the first byte is read
      return streamOf(pieces(() => open(pathOf(name)).catch(goneOr(name)), span))
    },
    sizeOf: (name) =>
      stat(pathOf(name)).then(
        ({size}) => size,
        (error: unknown) => {
          if (isCode(error, 'ENOENT')) return undefined
          throw error
        },
      ),
    remove: (name) => rm(pathOf(name), {force: true}),
    list: () => listed(localFolder(config)),
    unfinished: () => Promise.resolve(0), // sweepIncoming takes them away, sooner
    ownerOf: async (installation) => {
      const path = join(localFolder(config), '.installation')
      await mkdir(localFolder(config), {recursive: true, mode: 0o700})
      await writeFile(path, installation, {flag: 'wx', mode: 0o600}).catch((error: unknown) => {
        if (!isCode(error, 'EEXIST')) throw error
      })
      return (await readFile(path, 'utf8')).trim()
    },
  }
}

async function* pieces(openFile: () => Promise<FileHandle>, {start, end}: Span): AsyncGenerator<Uint8Array, void> {
  const file = await openFile()
  try {
    for (let position = start; position <= end;) {
      const length = Math.min(pieceLength, end - position + 1)
      const {buffer, bytesRead} = await file.read(Buffer.alloc(length), 0, length, position)
      if (bytesRead === 0) throw new Error('The file is shorter than its entry')
      position += bytesRead
      yield new Uint8Array(buffer.buffer, buffer.byteOffset, bytesRead)
    }
  } finally {
    await file.close()
  }
}

async function* listed(folder: string) {
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  })
  if (entries === undefined) return
  for await (const entry of entries) {
    if (!entry.isFile() || !isStoredName(entry.name)) continue
    const stats = await stat(join(folder, entry.name)).catch(() => undefined) // removed since the listing
    if (stats !== undefined) yield {name: entry.name, size: stats.size, writtenAt: stats.mtime}
  }
}
