import {readdirSync, readFileSync, statSync} from 'node:fs'
import {dirname, join, relative, resolve} from 'node:path'

/* The files of the project and what they import. Paths are relative to its folder, with forward slashes. */

export const root = resolve(import.meta.dirname, '..')

export const walk = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? walk(path) : [path]
  })

export const modulesIn = (folder: string): string[] =>
  walk(join(root, folder))
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .map((file) => relative(root, file).replaceAll('\\', '/'))

export const files = ['machines', 'src'].flatMap(modulesIn)

export const read = (file: string) => readFileSync(join(root, file), 'utf8')

const importPattern =
  /(?:^|[\s;])(?:import|export)(?:\s[^'"()]*?\sfrom)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

export const specifiersOf = (file: string): string[] =>
  [...read(file).matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? '')

/** The project file an import points at, or undefined for a package. */
export const targetOf = (file: string, specifier: string): string | undefined => {
  if (specifier.startsWith('#')) {
    const alias = specifier.slice(1)
    return /^(machines|tests)\//.test(alias) ? alias : `src/${alias}`
  }
  if (!specifier.startsWith('.')) return undefined
  return relative(root, resolve(root, dirname(file), specifier)).replaceAll('\\', '/')
}

/** Files that import themselves through each other, one entry for each circle or tangle of them. */
export const circlesOf = (importsOf: ReadonlyMap<string, readonly string[]>): string[] => {
  const reachOf = (file: string) => {
    const reach = new Set<string>()
    const next = [file]
    for (let each = next.pop(); each !== undefined; each = next.pop()) {
      const fresh = (importsOf.get(each) ?? []).filter((target) => !reach.has(target))
      for (const target of fresh) reach.add(target)
      next.push(...fresh)
    }
    return reach
  }
  const reaches = new Map([...importsOf.keys()].map((file) => [file, reachOf(file)]))
  const isReached = (from: string, to: string) => reaches.get(from)?.has(to) === true
  const entangled = [...reaches.keys()].filter((file) => isReached(file, file))
  const circles = entangled.map((file) => entangled.filter((other) => isReached(file, other) && isReached(other, file)))
  return [...new Set(circles.map((members) => members.toSorted().join(' ↔ ')))]
}
