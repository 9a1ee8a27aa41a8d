import {execFileSync} from 'node:child_process'
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {beforeAll, expect, test} from 'vitest'
import {builtServer} from './built-server.ts'

let entry: string
beforeAll(() => {
  entry = builtServer()
}, 240_000)

const moduleOf = (text: string) => `data:text/javascript,${encodeURIComponent(text)}`

/** The addresses of all modules that a command of the built server loads. */
function loadedModules(...parameters: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-loaded-'))
  const list = join(folder, 'modules')
  writeFileSync(list, '')
  const noting = moduleOf(`import {appendFileSync} from 'node:fs'
    export async function load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    }`)
  const registering = moduleOf(`import {register} from 'node:module'; register(${JSON.stringify(noting)})`)
  try {
    execFileSync(process.execPath, ['--import', registering, entry, ...parameters], {stdio: 'ignore'})
    return readFileSync(list, 'utf8').trim().split('\n')
  } finally {
    rmSync(folder, {recursive: true, force: true})
  }
}

test('the static imports of the server have no package of many files', () => {
  const modules = loadedModules('admin', '--help')
  expect(modules.some((url) => url.endsWith('/dist/server/main.js'))).toBe(true)
  const names = modules.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? [])
  const filesOf = (name: string) => names.filter((each) => each === name).length
  expect([...new Set(names)].filter((name) => filesOf(name) > 30)).toEqual([])
})
