import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {brotliCompressSync, brotliDecompressSync} from 'node:zlib'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {keepBuildFiles, serveBuildFile} from '#server/http/build-files.ts'
import {openStaticFiles} from '#server/http/static-files.ts'
import {createTestServer, testOrigin, type TestServer} from './harness.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await createTestServer()
  folder = mkdtempSync(join(tmpdir(), 'atrium-builds-'))
})
afterAll(async () => {
  rmSync(folder, {recursive: true})
  await server.close()
})

/** Starts a server of the build with these scripts, as far as its files are concerned. */
async function start(build: string, scripts: Record<string, string>): Promise<void> {
  const client = join(folder, build)
  mkdirSync(join(client, 'assets'), {recursive: true})
  writeFileSync(join(client, 'index.html'), '<html></html>')
  writeFileSync(join(client, 'icon.js'), 'not of the build')
  for (const [name, text] of Object.entries(scripts)) {
    writeFileSync(join(client, 'assets', name), text)
    if (text.length > 10) writeFileSync(join(client, 'assets', `${name}.br`), brotliCompressSync(text))
  }
  await keepBuildFiles(server.deps.database, openStaticFiles(client)?.assets() ?? [])
}

const serve = (path: string, encoding = '', method = 'GET') =>
  serveBuildFile(
    server.deps.database,
    new Request(new URL(path, testOrigin), {method, headers: {'accept-encoding': encoding}}),
    path,
  )
const age = (path: string, days: number) =>
  server.deps.database.pool.query(`update build_files set seen_at = now() - $2 * interval '1 day' where path = $1`, [
    path,
    days,
  ])
const seenDaysAgo = async (path: string) => {
  const {rows} = await server.deps.database.pool.query<{days: number}>(
    `select extract(day from now() - seen_at)::int as days from build_files where path = $1`,
    [path],
  )
  return rows[0]?.days
}

test('a node has the scripts of other builds, compressed for whom takes it, and nothing else', async () => {
  const text = 'export const part = "of the old build"'
  await start('old', {'part-1234567.js': text, 'tiny-1234567.css': 'a{}'})
  await start('new', {'part-7654321.js': 'export const part = "of the new build"'})

  const plain = await serve('/assets/part-1234567.js')
  expect(await plain?.text()).toBe(text)
  expect(Object.fromEntries(plain?.headers ?? [])).toEqual({
    'cache-control': 'public, max-age=31536000, immutable',
    'content-length': String(text.length),
    'content-type': 'text/javascript; charset=utf-8',
    vary: 'Accept-Encoding',
  })
  const compressed = await serve('/assets/part-1234567.js', 'gzip, br')
  expect(compressed?.headers.get('content-encoding')).toBe('br')
  expect(brotliDecompressSync(Buffer.from((await compressed?.arrayBuffer()) ?? new ArrayBuffer())).toString()).toBe(
    text,
  )
  expect(await (await serve('/assets/part-1234567.js', '', 'HEAD'))?.text()).toBe('')
  const style = await serve('/assets/tiny-1234567.css')
  expect([style?.headers.get('content-type'), await style?.text()]).toEqual(['text/css; charset=utf-8', 'a{}'])

  for (const path of ['/assets/none-1234567.js', '/icon.js', '/assets/../icon.js', `/assets/${'x'.repeat(101)}.js`])
    expect(await serve(path), path).toBeUndefined()
})

test('a build that no server has had for 30 days is let go; one that runs stays', async () => {
  await start('gone', {'gone-1234567.js': 'gone'})
  await start('running', {'running-1234567.js': 'running'})
  await age('/assets/gone-1234567.js', 31)
  await age('/assets/running-1234567.js', 29)
  await start('running', {'running-1234567.js': 'running'})
  expect(await serve('/assets/gone-1234567.js')).toBeUndefined()
  expect(await (await serve('/assets/running-1234567.js'))?.text()).toBe('running')
  expect(await seenDaysAgo('/assets/running-1234567.js')).toBe(0)
})

test('two nodes of a build that start together both keep it', async () => {
  const scripts = Object.fromEntries(Array.from({length: 120}, (_, index) => [`many-${index}.js`, `part ${index}`]))
  await start('many', {})
  await Promise.all([start('many', scripts), start('many', scripts)])
  expect(await (await serve('/assets/many-119.js'))?.text()).toBe('part 119')
})
