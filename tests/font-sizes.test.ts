import {join, relative} from 'node:path'
import {expect, test} from 'vitest'
import {read, root, walk} from './source-files.ts'

test('sizes of text and of its lines follow the font size of the browser', () => {
  const sheets = walk(join(root, 'src')).filter((file) => file.endsWith('.css') && !file.includes('inspector'))
  expect(sheets.length).toBeGreaterThan(100)
  const fixedSizes = sheets.flatMap((sheet) => {
    const file = relative(root, sheet)
    const lines = [...read(file).matchAll(/^\s*(?:font|font-size|line-height):.*px/gm)]
    return lines.map(([line]) => `${file}: ${line.trim()}`)
  })
  expect(fixedSizes).toEqual([])
})

test('so do those of the pages for signing in', () => {
  const style = read('src/server/auth/pages/page-style.ts')
  expect(style).toMatch(/font-size: [\d.]+rem/)
  expect(style.match(/(?:font|font-size|line-height): [^;}]*\dpx/g) ?? []).toEqual([])
})
