import {join} from 'node:path'
import {createElement, type ComponentType} from 'react'
import {renderToStaticMarkup} from 'react-dom/server'
import {createServer, type ViteDevServer} from 'vite'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {ToolIdentity} from '#contract/media/media-tool.ts'
import {localeNames} from '#tools/locales.mjs'
import locales from '#tests/contract/media/sketch.locales.json'
import mark from '#tests/contract/media/sketch.mark.ts'
import {identity} from '#tests/contract/media/sketch.ts'
import {TreeWithTool} from './tree-with-tool.ts'

/*
 * A fourteenth tool is two files, its words and its mark (docs/media-tools.md §2): nothing else of the project is
 * touched, and the project's own plugins find it. (`e2e/fourteenth-tool.spec.ts` compiles and builds that project and
 * uses the tool.)
 */

let tree: TreeWithTool
let vite: ViteDevServer
beforeAll(async () => {
  tree = new TreeWithTool()
  vite = await createServer({
    root: tree.folder,
    configFile: join(tree.folder, 'vite.config.ts'),
    logLevel: 'error',
    appType: 'custom',
    server: {middlewareMode: true, watch: null, ws: false},
    optimizeDeps: {noDiscovery: true},
  })
})
afterAll(async () => {
  await vite.close()
  tree.remove()
})

/** A module of that project, through its own plugins. */
// as: what a module holds is said where it is asked for
const load = async <Module>(path: string) => (await vite.ssrLoadModule(path)) as Module
const {id, name, group} = identity

describe('is found', () => {
  test('by the list, the identities and the loader of the client', async () => {
    const {mediaTools} = await load<{mediaTools: object[]}>('virtual:media-tool-list')
    expect(mediaTools).toHaveLength(14)
    expect(mediaTools).toContainEqual({id, name, group})
    type Loaded = {tool: {identity: ToolIdentity}; screen: {fields: unknown[]}}
    const {identities, loadTool} = await load<{identities: object[]; loadTool: Record<string, () => Promise<Loaded>>}>(
      'virtual:media-tools',
    )
    expect(identities).toContainEqual(identity)
    const loaded = await loadTool[id]?.()
    expect([loaded?.tool.identity, loaded?.screen.fields.length]).toEqual([identity, 2])
  })

  test('by navigation and routes', async () => {
    type Shell = {enabledTools: (features: object) => object[]; toolOfPath: (path: string) => object | undefined}
    const {enabledTools, toolOfPath} = await load<Shell>('/src/features/shell/tools.ts')
    expect(enabledTools({})).toContainEqual({id, name, group, path: `/${id}`})
    expect(toolOfPath(`/${id}/history`)).toEqual({id, name: 'Sketch', group: 'image', path: '/sketch'})
    const {mediaRoutes} = await load<{mediaRoutes: {options: {path: string}}[]}>('/src/app/routes/media.route.ts')
    const paths = mediaRoutes.map(({options: {path}}) => path)
    expect(paths).toEqual(expect.arrayContaining([`/${id}`, `/${id}/history`]))
  })

  test('by its mark', async () => {
    const {ToolMark} = await load<{ToolMark: ComponentType<{tool: string}>}>('/src/features/shell/tool-mark.tsx')
    expect(renderToStaticMarkup(createElement(ToolMark, {tool: id}))).toContain(mark.glyph)
  })

  test('by its words, in every language', async () => {
    const words = locales as Record<string, {line: {message: string}}> // each language has the same keys
    for (const language of localeNames) {
      const {default: messages} = await load<{default: Record<string, object>}>(`virtual:messages/${language}`)
      expect(messages[id]).toEqual({
        line: words[language]?.line.message,
        paper: expect.any(String),
        base: expect.any(String),
        exampleHarbour: expect.any(String),
      })
    }
  })

  test('by the server', async () => {
    const {mediaTools} = await load<{mediaTools: {identity: ToolIdentity}[]}>('/src/server/media/media-tools.ts')
    expect(mediaTools.map((tool) => tool.identity)).toContainEqual(identity)
  })
})
