import {cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {localeNames} from '#tools/locales.mjs'

const root = resolve(import.meta.dirname, '../..')
const sources = resolve(root, 'tests/contract/media')
const copied = [
  'src',
  'machines',
  'locales',
  'public',
  'index.html',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  'tsconfig.json',
  'vite.config.ts',
]

/** Returns the files of a tool, from `tests/contract/media/sketch.*`, with their paths in the project. */
function filesOfTool(): Record<string, string> {
  const read = (name: string) => readFileSync(join(sources, name), 'utf8')
  // as: the file holds the entries of each language
  const words = JSON.parse(read('sketch.locales.json')) as Record<string, object>
  return {
    'src/contract/media/sketch.ts': read('sketch.ts'),
    'src/contract/media/sketch.screen.ts': read('sketch.screen.ts'),
    'src/ui/marks/sketch.ts': read('sketch.mark.ts'),
    ...Object.fromEntries(
      localeNames.map((language) => [`locales/${language}/sketch.json`, JSON.stringify(words[language])]),
    ),
  }
}

/** The project's sources in a folder of their own with a fourteenth tool: its files are added, and none is changed. */
export class TreeWithTool {
  readonly folder = mkdtempSync(join(tmpdir(), 'atrium-tool-'))

  constructor() {
    for (const path of copied) cpSync(join(root, path), join(this.folder, path), {recursive: true})
    symlinkSync(join(root, 'node_modules'), join(this.folder, 'node_modules'))
    for (const [path, text] of Object.entries(filesOfTool())) {
      mkdirSync(join(this.folder, path, '..'), {recursive: true})
      writeFileSync(join(this.folder, path), text, {flag: 'wx'})
    }
  }

  remove(): void {
    rmSync(this.folder, {recursive: true, force: true})
  }
}
