import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** The project's folder. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[/\\]$/, '')
export const distFolder = join(root, 'dist')
export const cacheFolder = join(root, '.cache')
