import {mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {brotliCompressSync} from 'node:zlib'
import {createPageServer} from '#server/http/page.ts'
import {createRouter} from '#server/http/router.ts'
import {openStaticFiles} from '#server/http/static-files.ts'
import {createTestServer, type TestServer} from './harness.ts'

export const script = 'export const foo = 1\n'.repeat(100)
/** The page as the build leaves it: our template, with the nonce mark that the bundler adds. */
export const template = readFileSync(resolve(import.meta.dirname, '../../index.html'), 'utf8').replaceAll(
  '<script',
  '<script nonce="__CSP_NONCE__"',
)

/** A folder as the build of the client leaves it. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-client-'))
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), template)
  writeFileSync(join(folder, 'index.html.br'), 'never sent')
  writeFileSync(join(folder, 'assets', 'app-abc.js'), script)
  writeFileSync(join(folder, 'assets', 'app-abc.js.br'), brotliCompressSync(script))
  writeFileSync(join(folder, 'assets', 'app-abc.js.map'), '{}')
  mkdirSync(join(folder, '.vite'))
  const manifest = {
    'index.html': {file: 'assets/app-abc.js', css: ['assets/app-abc.css']},
    'virtual:messages/sr': {file: 'assets/sr-abc.js', isDynamicEntry: true},
  }
  writeFileSync(join(folder, '.vite', 'manifest.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(folder, 'sw.js'), 'self.foo = 1')
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}')
  writeFileSync(join(folder, 'favicon.svg.br'), brotliCompressSync('<svg/>'))
  return folder
}

/** A server that has a built client and nothing else. */
export async function serveClient() {
  const folder = makeFolder()
  const handlerOf = (deps: TestServer['deps']) => {
    const files = openStaticFiles(folder)
    if (files === undefined) throw new Error('The client was not found')
    return createRouter(deps, {
      routes: [],
      authenticate: async () => undefined,
      servePage: createPageServer(deps, files),
    })
  }
  const server = await createTestServer({handler: handlerOf})
  return {
    server,
    handlerOf,
    get: (path: string, headers: Record<string, string> = {}) => server.call('GET', path, {origin: null, headers}),
    close: async () => {
      await server.close()
      rmSync(folder, {recursive: true})
    },
  }
}
