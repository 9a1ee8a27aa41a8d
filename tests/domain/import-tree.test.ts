import {expect, test} from 'vitest'
import {joinAnswers, toTree, type ImportNode} from '#domain/import-tree.ts'

test('an answer of many pieces takes the memory of its text, not that of all its beginnings', () => {
  const pieces = Array.from({length: 20_000}, (_, index) => `piece ${index} `.padEnd(17, '.'))
  const nodes = pieces.map((content, index): ImportNode => ({
    key: String(index),
    parent: index === 0 ? undefined : String(index - 1),
    message: {role: 'assistant', content},
  }))
  const text = pieces.join('\n\n')
  expect(joinAnswers(toTree(nodes, '19999'))).toEqual({
    messages: [{role: 'assistant', content: text, parent: null}],
    current: 0,
  })
})
