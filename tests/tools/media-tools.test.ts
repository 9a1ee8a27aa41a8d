import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {build} from 'vite'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {localesPlugin} from '#tools/locales-plugin.mjs'
import {literalIn, mediaToolsPlugin, readIdentities} from '#tools/media-tools.mjs'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atrium-tools-'))
})
afterEach(() => rmSync(folder, {recursive: true, force: true}))

const write = (name: string, code: string) => writeFileSync(join(folder, name), code)
const identityOf = (id: string, group: string, order: number) =>
  `export const identity = {id: '${id}', name: '${id.toUpperCase()}', group: '${group}', order: ${order}, inputs: []} as const satisfies Foo\n`
const writeTool = (id: string, group: string, order: number) => {
  write(`${id}.ts`, `${identityOf(id, group, order)}export const tool = {identity, mark: '${id} rules'}\n`)
  write(`${id}.screen.ts`, `export const screen = {mark: '${id} looks'}\n`)
}

test('an identity is copied out of its file as a value', () => {
  const code = `import {x} from './x.ts'
    export const other = x()
    export const identity = {id: 'foo', 'quoted': [1, true, null, -0.5 > 0 ? 1 : 2]} as const`
  expect(() => literalIn('identity', code, 'foo.ts')).toThrow(/foo\.ts: `identity` must be a literal value/)
  expect(
    literalIn(
      'identity',
      `export const identity = ({id: 'foo', quoted: [1, true, null, {a: 'ü'}]}) as const satisfies T`,
      'foo.ts',
    ),
  ).toEqual({
    id: 'foo',
    quoted: [1, true, null, {a: 'ü'}],
  })
  expect(literalIn('identity', 'export const tool = 1\nconst identity = {}', 'foo.ts')).toBeUndefined()
})

test.each(['{id}', '{...base}', '{[key]: 1}', '{get id() { return 1 }}', 'make()', '`${foo}`', '[1]'])(
  'what is no literal object stops the build: %s',
  (value) => {
    expect(() => literalIn('identity', `export const identity = ${value}`, 'foo.ts')).toThrow(/^foo\.ts: /)
  },
)

describe('the tools of a folder', () => {
  test('by group and order, without screens, shared files and files that are no tools', () => {
    writeTool('song', 'music', 1)
    writeTool('late', 'image', 2)
    writeTool('early', 'image', 1)
    write('media-rules.ts', identityOf('media-rules', 'image', 3))
    write('notes.ts', 'export const notes = 1')
    expect(readIdentities(folder).map(({id}) => id as unknown)).toEqual(['early', 'late', 'song'])
  })

  test('a wrong name, group or a missing screen names the file', () => {
    write('foo.ts', identityOf('bar', 'image', 1))
    expect(() => readIdentities(folder)).toThrow(/foo\.ts: the tool's id must be "foo"/)
    write('foo.ts', identityOf('foo', 'games', 1))
    expect(() => readIdentities(folder)).toThrow(/foo\.ts: "games" is no group/)
    write('foo.ts', identityOf('foo', 'image', 1))
    expect(() => readIdentities(folder)).toThrow(/foo\.ts: foo\.screen\.ts is missing/)
  })
})

test('a build holds the list, and the files of each tool in one chunk of its own', async () => {
  writeTool('foo', 'image', 1)
  writeTool('bar', 'video', 1)
  write(
    'page.js',
    `import {mediaTools} from 'virtual:media-tool-list'
     import {identities, loadTool} from 'virtual:media-tools'
     console.log(mediaTools, identities, loadTool)`,
  )
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [mediaToolsPlugin({folder}), localesPlugin()],
    build: {
      write: false,
      minify: false,
      rollupOptions: {input: join(folder, 'page.js'), external: []},
      modulePreload: false,
    },
  })
  // as: with `write: false` and one input the build returns its chunks
  const {output} = result as unknown as {output: {type: string; isEntry?: boolean; code: string}[]}
  const chunks = output.filter(({type}) => type === 'chunk')
  const entry = chunks.find(({isEntry}) => isEntry)
  expect(entry?.code).toContain('FOO')
  expect(entry?.code).not.toContain('rules')
  const holding = (word: string) => chunks.filter(({code}) => code.includes(word))
  expect(holding('foo rules')).toEqual(holding('foo looks'))
  expect(holding('foo rules')).toHaveLength(1)
  expect(holding('bar rules')).not.toEqual(holding('foo rules'))
})
