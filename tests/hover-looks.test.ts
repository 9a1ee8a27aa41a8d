import {join, relative} from 'node:path'
import {expect, test} from 'vitest'
import {read, root, walk} from './source-files.ts'

/** Lines with `:hover` outside of `@media (hover: hover)`. */
function unguarded(file: string): string[] {
  const faults: string[] = []
  const blocks: string[] = []
  for (const line of read(file).split('\n')) {
    const around = [...blocks, line]
    if (/:hover\b/.test(line) && !around.some((block) => block.includes('(hover: hover)'))) faults.push(line.trim())
    if (line.trim().endsWith('{')) blocks.push(line)
    if (line.trim() === '}') blocks.pop()
  }
  return faults
}

test('what a finger has touched does not go on looking as if it were pointed at', () => {
  // pages of the server have their style sheet in a script
  const sheets = walk(join(root, 'src')).filter((file) => /\.css$|\/page-style\.ts$/.test(file))
  const files = sheets.map((file) => relative(root, file))
  expect(files.length).toBeGreaterThan(100)
  const faults = files.flatMap((file) => unguarded(file).map((line) => `${file}: ${line}`))
  // buttons that come with the focus as well, and are always there where nothing hovers
  expect(faults.filter((fault) => !/: \.\w+:is\(:hover, :focus-within\) /.test(fault))).toEqual([])
})
