import {expect, test} from 'vitest'
import {files, read, targetOf} from './source-files.ts'

/*
 * A view names only classes that are in its CSS Module: the type of a module knows no names, and a wrong one is no
 * style.
 */

const importPattern = /^import (\w+) from '([^']+\.module\.css)'$/gm

const classesOf = (file: string) => {
  const rules = read(file).replaceAll(/\/\*.*?\*\//gs, '')
  return new Set([...rules.matchAll(/\.([A-Za-z_][\w-]*)/g)].map(([, name]) => name))
}

/** Each use of a class in this view. */
function usesOf(view: string) {
  const source = read(view)
  const code = source.replaceAll(/^import .*$/gm, '')
  return [...source.matchAll(importPattern)].flatMap(([, styles = '', path = '']) => {
    const classes = classesOf(targetOf(view, path) ?? path)
    return [...code.matchAll(new RegExp(`\\b${styles}\\.([A-Za-z_]\\w*)`, 'g'))].map(([, name]) => ({
      use: `${view}: ${name}`,
      isThere: classes.has(name),
    }))
  })
}

test('every class that a view names is in its CSS Module', () => {
  const uses = files.filter((file) => file.endsWith('.tsx')).flatMap(usesOf)
  expect(uses.length).toBeGreaterThan(1_000)
  expect(uses.filter(({isThere}) => !isThere).map(({use}) => use)).toEqual([])
})
