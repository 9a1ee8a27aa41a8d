import {join, relative} from 'node:path'
import {expect, test} from 'vitest'
import {read, root, walk} from './source-files.ts'

/** Lines with `:hover` outside of `@media (hover: hover)`. */
function unguarded(file: string): string[] {
  const faults: string[] = []
  const blocks: string[] = []
  for (const line of read(file).split('\n')) {
    if (/:hover\b/.test(line) && !blocks.some((block) => block.includes('(hover: hover)'))) faults.push(line.trim())
    if (line.trim().endsWith('{')) blocks.push(line)
    if (line.trim() === '}') blocks.pop()
  }
  return faults
}

test('what a finger has touched does not go on looking as if it were pointed at', () => {
  const sheets = ['src/ui', 'src/features/chat'].flatMap((folder) => walk(join(root, folder)))
  const files = sheets.filter((file) => file.endsWith('.css')).map((file) => relative(root, file))
  expect(files.length).toBeGreaterThan(40)
  const faults = files.flatMap((file) => unguarded(file).map((line) => `${file}: ${line}`))
  // buttons that come with the focus as well, and are always there where nothing hovers
  expect(faults.filter((fault) => !/: \.\w+:is\(:hover, :focus-within\) /.test(fault))).toEqual([])
})
