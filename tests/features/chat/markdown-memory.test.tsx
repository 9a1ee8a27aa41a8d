import {setFlagsFromString} from 'node:v8'
import {runInNewContext} from 'node:vm'
import {isValidElement} from 'react'
import {expect, test} from 'vitest'
import {blockNodes} from '#features/chat/markdown/block-tokens.tsx'
import {lexBlock} from '#features/chat/markdown/lex-block.ts'
import {createBlockReader} from '#features/chat/markdown/split-blocks.ts'

setFlagsFromString('--expose-gc')
// as: a function of V8 that the flag adds, which no types know
const collect = runInNewContext('gc') as () => void

const heap = () => {
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

test('blocks of an answer hold no earlier text of it', () => {
  const block = (number: number) =>
    `\`\`\`ts\nexport const part = ${number} + longEnoughForASlice\n// the end of it\n\`\`\`\n`
  const pieces = Array.from({length: 500}, (_, number) => block(number).split(/(?<=\n)/)).flat()
  const reader = createBlockReader()
  const before = heap()
  let text = ''
  for (const piece of pieces) {
    text += piece
    reader.read(text, true)
  }
  // the text is 40 KB; each of the 2,000 readings knew another one
  expect((heap() - before) / 1_048_576).toBeLessThan(4)
  expect(reader.read(text, false).settled).toHaveLength(500)
})

test('an item of a list keeps its text alone, and no record of a list in it', () => {
  const contentOf = (item: string): unknown => {
    const [list] = blockNodes(lexBlock(`- ${item}`, '') ?? [], {isWriting: false, definitions: '', parts: undefined})
    if (!isValidElement<{children: {props: {children: unknown}}[]}>(list))
      throw new Error(`No list is made of: ${item}`)
    return list.props.children[0]?.props.children
  }
  expect(contentOf('First point')).toBe('First point')
  // React keeps a record of each list that stands in another one
  for (const item of ['with `code`', '[x] done', 'one\n  - below it']) {
    const content = contentOf(item)
    expect(Array.isArray(content) && content.flat()).toEqual(content)
  }
})
