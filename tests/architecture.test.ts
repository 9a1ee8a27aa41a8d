import {readdirSync, readFileSync, statSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'
import {describe, expect, test} from 'vitest'

/*
 * The arrows of docs/architecture.md §1, checked against every import of every file. Paths here are relative to the
 * project's folder, with forward slashes.
 */

const root = resolve(import.meta.dirname, '..')

type Place = 'machines' | 'contract' | 'domain' | 'api' | 'browser' | 'ui' | 'features' | 'app' | 'server' | 'tools'

const allowed: Record<Place, readonly Place[]> = {
  contract: [],
  domain: ['contract'],
  machines: ['contract', 'domain'],
  api: ['contract', 'domain'],
  browser: ['contract', 'domain'],
  ui: [],
  features: ['machines', 'domain', 'contract', 'api', 'browser', 'ui'],
  app: ['machines', 'domain', 'contract', 'api', 'browser', 'ui', 'features'],
  server: ['contract', 'domain'],
  tools: ['server'],
}

/** Packages a place may use; a place that is not here may use any dependency. */
const packages: Partial<Record<Place, RegExp>> = {
  contract: /^zod/,
  domain: /^json-logic-js$/,
  machines: /^(xstate|rxjs)$/,
  api: /^(rxjs|redaxios)(\/|$)/,
  ui: /^(?!xstate|@xstate|rxjs|redaxios|hono|drizzle|pg$|node:)/,
  server: /^(?!react|@xstate|xstate|@tanstack|redaxios|localforage|@base-ui|lucide)/,
}

const walk = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? walk(path) : [path]
  })

const files = ['machines', 'src']
  .flatMap((folder) => walk(join(root, folder)))
  .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
  .map((file) => relative(root, file).replaceAll('\\', '/'))

const placeOf = (file: string): Place | undefined => {
  const [first, second] = file.split('/')
  if (first === 'machines') return 'machines'
  if (first !== 'src' || second === undefined) return undefined
  return second in allowed ? (second as Place) : undefined
}

const importPattern = /(?:^|[\s;])(?:import|export)(?:\s[^'"()]*?\sfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

const specifiersOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? '')

/** The project file an import points at, or undefined for a package. */
const targetOf = (file: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) {
    const alias = specifier.slice(1)
    return alias.startsWith('machines/') ? alias : `src/${alias}`
  }
  if (!specifier.startsWith('.')) return undefined
  return relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/')
}

const arrows = files.flatMap((file) => specifiersOf(file).map((specifier) => ({file, specifier, target: targetOf(file, specifier)})))

describe('who may import whom', () => {
  test('every file stands in a folder of the table', () => {
    expect(files.filter((file) => placeOf(file) === undefined)).toEqual([])
    expect(files.length).toBeGreaterThan(100)
  })

  test('no arrow that is not in the table', () => {
    const wrong = arrows.flatMap(({file, specifier, target}) => {
      const from = placeOf(file)
      const to = target === undefined ? undefined : placeOf(target)
      if (!from || !to || from === to || allowed[from].includes(to)) return []
      return [`${file} → ${specifier}`]
    })
    expect(wrong).toEqual([])
  })

  test('a feature never imports another feature', () => {
    const wrong = arrows.filter(({file, target}) => {
      if (!file.startsWith('src/features/') || !target?.startsWith('src/features/')) return false
      return file.split('/')[2] !== target.split('/')[2]
    })
    expect(wrong.map(({file, specifier}) => `${file} → ${specifier}`)).toEqual([])
  })

  test('packages stay where they belong; rxjs in machines only in lib', () => {
    const wrong = arrows.flatMap(({file, specifier, target}) => {
      const place = placeOf(file)
      if (target !== undefined || !place || specifier.startsWith('virtual:')) return []
      const pattern = packages[place]
      const strayRxjs = place === 'machines' && specifier === 'rxjs' && !file.startsWith('machines/lib/')
      return strayRxjs || (pattern && !pattern.test(specifier)) ? [`${file} → ${specifier}`] : []
    })
    expect(wrong).toEqual([])
  })

  test('ports are filled in src/app only', () => {
    const wrong = files.filter(
      (file) => file.startsWith('src/features/') && /\.provide\(\s*\{\s*actors/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  test('no barrels, and imports of our own files carry their extension', () => {
    expect(files.filter((file) => /\/index\.(ts|tsx)$/.test(file))).toEqual([])
    const bare = arrows.filter(({target, specifier}) => target !== undefined && !/\.(ts|tsx|mjs|css|svg|json|md)(\?\w+)?$/.test(specifier))
    expect(bare.map(({file, specifier}) => `${file} → ${specifier}`)).toEqual([])
  })
})

test('the server makes requests in one module only (security R27)', () => {
  const callers = files.filter((file) => {
    if (!file.startsWith('src/server/')) return false
    const source = readFileSync(join(root, file), 'utf8')
    return /(?<![\w.])fetch\(|https?\.(request|get)\(|from 'undici'/.test(source)
  })
  expect(callers.filter((file) => !file.startsWith('src/server/providers/'))).toEqual([])
})

test('no raw HTML sinks in the client (security R01)', () => {
  const sinks = files.filter((file) => {
    if (file.startsWith('src/server/') || file.startsWith('src/tools/')) return false
    return /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*=|insertAdjacentHTML|document\.write|\bsrcDoc\b/.test(readFileSync(join(root, file), 'utf8'))
  })
  expect(sinks).toEqual([])
})

test('styles use logical properties only, so that Arabic mirrors', () => {
  const physical =
    /^\s*(?:(?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)\b|(?:left|right)\s*:|text-align:\s*(?:left|right)\b|float:\s*(?:left|right)\b|border-(?:top|bottom)-(?:left|right)-radius)/
  const wrong = walk(join(root, 'src'))
    .filter((file) => file.endsWith('.css'))
    .flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, number) => (physical.test(line) ? [`${relative(root, file)}:${number + 1} ${line.trim()}`] : [])),
    )
  expect(wrong).toEqual([])
})
