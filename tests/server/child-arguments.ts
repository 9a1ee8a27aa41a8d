import {fileURLToPath} from 'node:url'

/** Arguments with which Node runs a file of this folder: TypeScript, and the modules that Vite makes for the server. */
export const childArguments = (file: string): string[] => [
  '--import',
  new URL('virtual-modules.mjs', import.meta.url).href,
  '--import',
  'tsx',
  fileURLToPath(new URL(file, import.meta.url)),
]
