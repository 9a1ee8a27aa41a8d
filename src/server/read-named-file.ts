import {readFileSync} from 'node:fs'
import {StartFailure} from './start-failure.ts'

/**
 * The text of a file that a setting names, without the byte order mark that some editors begin it with. Throws a
 * sentence that names the setting and why the file cannot be read.
 */
export function readNamedFile(setting: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
  } catch (cause) {
    throw new StartFailure(`${setting} (${path}) cannot be read: ${reasonOf(cause)}.`, {cause})
  }
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return 'there is no such file'
    case 'EISDIR':
      return 'it is a folder'
    case 'EACCES':
    case 'EPERM':
      return 'this user may not read it'
    default:
      return error instanceof Error ? error.message : String(error)
  }
}
