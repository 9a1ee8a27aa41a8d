import {expect, test} from 'vitest'
import {files, modulesIn, read, specifiersOf, targetOf} from './source-files.ts'

/*
 * Nothing is exported that only tests use. What is exported is imported by another source file; or it is used in its
 * own file and a test reaches in, or it is the type of something exported.
 */

/** Exports that no source file names, each with its reader. */
const entryPoints: Record<string, string> = {
  'src/sandbox/media/make-media.ts closeMediaPool': 'tests end the threads that a process takes along',
}
/** Read whole by a tool: `virtual:media-tool/…` (src/tools/media-tools.mjs) and drizzle-kit. */
const readByTools = [/^src\/contract\/media\/[a-z-]+(\.screen)?\.ts (tool|screen|identity|example)$/]

const sources = [...files, 'vite.config.ts', 'vitest.config.ts', 'drizzle.config.ts', 'playwright.config.ts']
const tests = ['tests', 'e2e'].flatMap(modulesIn)

const textOf = new Map([...sources, ...tests].map((file) => [file, read(file)]))
/** The importer of each file, by a static or a dynamic import. */
const importers = new Map<string, string[]>()
for (const file of textOf.keys()) {
  for (const specifier of specifiersOf(file)) {
    const target = targetOf(file, specifier)
    if (target !== undefined) importers.set(target, [...(importers.get(target) ?? []), file])
  }
}

const exportPattern = /^export (?:async )?(const|let|class|function\*?|type|interface)\s+([\w$]+)(?=[\s<(:=])/gm
const exportsOf = (file: string) =>
  [...(textOf.get(file) ?? '').matchAll(exportPattern)].map(([, kind = '', name = '']) => ({
    name,
    isType: kind === 'type' || kind === 'interface',
  }))
const timesNamed = (name: string, file: string) =>
  (textOf.get(file) ?? '').match(new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))?.length ?? 0

const isNeeded = (file: string, {name, isType}: {name: string; isType: boolean}) => {
  const users = (importers.get(file) ?? []).filter((importer) => timesNamed(name, importer) > 0)
  if (users.some((user) => !tests.includes(user))) return true
  return (users.length > 0 || isType) && timesNamed(name, file) > 1
}

test('every export is imported by another source file', () => {
  const all = files.flatMap((file) => exportsOf(file).map((exported) => ({file, exported})))
  expect(all.length).toBeGreaterThan(1000)
  const unneeded = all
    .filter(({file, exported}) => !isNeeded(file, exported))
    .map(({file, exported}) => `${file} ${exported.name}`)
    .filter((key) => !readByTools.some((pattern) => pattern.test(key)))
  expect(unneeded.sort()).toEqual(Object.keys(entryPoints).sort())
})
