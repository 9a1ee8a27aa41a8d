import {readdirSync, readFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {expect, test} from '@playwright/test'
import {compileHint} from '../src/tools/compile-hint.mjs'

/* The files that `npm run build` wrote, as they lie on the disk. */

const root = resolve(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** Words that a minifier leaves as they are, and where they come from: the library, and our own inspector. */
const traces: [source: string, words: string[]][] = [
  [
    'node_modules/@stately/inspect/dist/index.mjs',
    ['@statelyai.connected', '@statelyai.disconnected', 'https://stately.ai/inspect', 'stately.ai/registry'],
  ],
  ['src/app/inspector/start-inspector.ts', ['/inspector.html', 'atrium-inspector', 'Open the inspector']],
  ['src/app/inspector/open-inspector.ts', ['atrium.inspect']],
  ['src/app/inspector/inspector-page.tsx', ['The page has no element "inspector"']],
  ['src/app/inspector/inspector.css', ['.inspector']],
  ['inspector.html', ['Inspector · Atrium', 'id="inspector"']],
]

test('no byte of the inspector is in the client', () => {
  for (const [source, words] of traces) {
    const text = read(source)
    expect([source, words.filter((word) => !text.includes(word))]).toEqual([source, []])
  }
  const files = readdirSync(join(root, 'dist/client'), {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map(({parentPath, name}) => join(parentPath, name))
  expect(files.filter((path) => /\.(js|css|html)$/.test(path)).length).toBeGreaterThan(20)
  expect(files.filter((path) => /inspect/i.test(path))).toEqual([])
  const found = files.flatMap((path) => {
    const text = readFileSync(path, 'utf8')
    return traces.flatMap(([, words]) => words.filter((word) => text.includes(word)).map((word) => [path, word]))
  })
  expect(found).toEqual([])
})

/** A file of the client in the manifest of the build: what is loaded with it. */
type BuiltFile = {file: string; name?: string; imports?: string[]}

// as: Vite writes it so
const readManifest = () => JSON.parse(read('dist/client/.vite/manifest.json')) as Record<string, BuiltFile>

/** The files that come with this one. */
function loadedWith(manifest: Record<string, BuiltFile>, file: BuiltFile, names = new Set<string>()): Set<string> {
  if (names.has(file.file)) return names
  names.add(file.file)
  for (const key of file.imports ?? []) loadedWith(manifest, manifest[key]!, names)
  return names
}

test('what media screens open loads nothing of a conversation', () => {
  const manifest = readManifest()
  const all = Object.values(manifest)
  const threads = all.filter(({name, imports = []}) => name === 'thread' && imports.length > 1)
  expect(threads).toHaveLength(1)
  const opened = ['use-in', 'result-viewer', 'player', 'waiting-row', 'windowed-rows', 'task-ref-field', 'task-well']
  const found = all.filter(({name}) => opened.includes(name ?? ''))
  expect(found.length).toBeGreaterThanOrEqual(opened.length)
  for (const file of found) {
    const loaded = loadedWith(manifest, file)
    expect([file.file, ...threads.filter((thread) => loaded.has(thread.file))]).toEqual([file.file])
  }
})

/** The profile shows the general balance of the console; the page of the site has a part in common with the profile. */
const showsConsole =
  /^(console|account|profile-route|site-route|invitees-route|overview-route|rewards-route|referral-\w+)$/

test('the console loads with its own pages and those of the account alone', () => {
  const manifest = readManifest()
  const all = Object.values(manifest)
  const [screens, ...others] = all.filter(({name, imports = []}) => name === 'console' && imports.length > 1)
  expect(others).toEqual([])
  const loading = all.filter((file) => screens !== undefined && loadedWith(manifest, file).has(screens.file))
  const names = loading.map(({name, file}) => name ?? file)
  expect(names).toContain('console')
  expect(names.filter((name) => !showsConsole.test(name))).toEqual([])
})

test('a browser is told to compile the first screen while it comes', () => {
  const [, script] = /<script type="module"[^>]* src="(\/assets\/app-[^"]+)"/.exec(read('dist/client/index.html')) ?? []
  expect(script).toMatch(/^\/assets\/app-/)
  // below any code, even of Vite, the hint does not count
  expect(read(`dist/client${script}`).split('\n', 1)).toEqual([compileHint])
})
