import {describe, expect, test} from 'vitest'
import type {Block} from '#features/chat/markdown/block-kinds.ts'
import {createBlockReader} from '#features/chat/markdown/split-blocks.ts'
import {sample} from './markdown.sample.ts'

const blocksOf = (text: string, growing = false): Block[] => {
  const {settled, tail} = createBlockReader().read(text, growing)
  return [...settled, ...tail]
}

describe('split into blocks', () => {
  test('finds each kind', () => {
    expect(blocksOf(sample)).toEqual([
      {kind: 'markdown', raw: '# Title\n'},
      {
        kind: 'markdown',
        raw: 'A paragraph with **bold**, *em*, `code` and a [link](https://foo.example/a).\nSecond line.\n',
      },
      {kind: 'markdown', raw: '- one\n- two\n\n  still two\n\n'},
      {kind: 'code', info: 'ts', code: 'const a = 1\n\n# not a heading', closed: true},
      {kind: 'markdown', raw: 'after\n'},
      {kind: 'markdown', raw: '| a | b |\n| - | - |\n| 1 | 2 |\n'},
      {kind: 'markdown', raw: '> quoted\n'},
      {kind: 'math', tex: 'x^2\n\ny\n', closed: true},
      {kind: 'thought', text: 'first\n\nsecond', closed: true},
      {kind: 'markdown', raw: 'Answer.\n'},
      {kind: 'markdown', raw: '1. one\n2. two\nLast line'},
    ])
  })

  test('ends with the same blocks whatever pieces the text arrives in', () => {
    const whole = blocksOf(sample)
    for (let cut = 0; cut <= sample.length; cut += 1) {
      const reader = createBlockReader()
      reader.read(sample.slice(0, cut), true)
      const {settled, tail} = reader.read(sample, false)
      expect([...settled, ...tail], `cut at ${cut}`).toEqual(whole)
    }
    const reader = createBlockReader()
    for (let end = 1; end < sample.length; end += 1) reader.read(sample.slice(0, end), true)
    const {settled, tail} = reader.read(sample, false)
    expect([...settled, ...tail]).toEqual(whole)
  })

  test('settled blocks never change while the text grows', () => {
    const reader = createBlockReader()
    let before: readonly Block[] = []
    for (let end = 1; end <= sample.length; end += 1) {
      const {settled} = reader.read(sample.slice(0, end), true)
      expect(settled.slice(0, before.length)).toEqual(before)
      before.forEach((block, index) => expect(settled[index]).toBe(block))
      before = settled
    }
  })

  test('looks at each settled character once', () => {
    const paragraph = 'Lorem ipsum dolor sit amet, consectetur.\n\n'
    const text = paragraph.repeat(1_000)
    const reader = createBlockReader()
    for (let end = paragraph.length; end <= text.length; end += paragraph.length) reader.read(text.slice(0, end), true)
    expect(reader.work()).toBe(text.length)
  })

  test('a text that does not continue the one before is read anew', () => {
    const reader = createBlockReader()
    reader.read('one\n\ntwo\n\n', true)
    expect(reader.read('three', false)).toEqual({
      settled: [],
      tail: [{kind: 'markdown', raw: 'three'}],
      definitions: '',
    })
  })

  test('a long list goes on in a new block at a top-level item', () => {
    const blocks = blocksOf(
      Array.from({length: 800}, (_, index) => `${index + 1}. item number ${index + 1}`).join('\n'),
    )
    expect(blocks.length).toBeGreaterThan(2)
    expect(blocks.every((block) => block.kind === 'markdown' && /^\d+\. item/.test(block.raw))).toBe(true)
    expect(blocks.every((block) => block.kind === 'markdown' && block.raw.length < 7_000)).toBe(true)
  })

  test('collects reference definitions from anywhere but code', () => {
    const {definitions} = createBlockReader().read(
      '[a]\n\n[a]: https://foo.example\n\n```\n[b]: https://bar.example\n```\n',
      false,
    )
    expect(definitions).toBe('[a]: https://foo.example\n')
  })

  test.each([
    [
      'a line of backticks in code may become its end',
      '```\nfoo\n``',
      [{kind: 'code', info: '', code: 'foo', closed: false}],
    ],
    ['the language is not shown half', '```py', [{kind: 'code', info: '', code: '', closed: false}]],
    ['a half tag waits', 'foo\n\n<thi', [{kind: 'markdown', raw: 'foo\n'}]],
    ['the end of a thought waits', '<think>foo</thi', [{kind: 'thought', text: 'foo', closed: false}]],
  ])('while it grows, %s', (_, text, blocks) => {
    expect(blocksOf(text, true)).toEqual(blocks)
  })

  test.each([['\r\n'], ['\n']])('reads lines that end in %j', (end) => {
    expect(blocksOf(`foo${end}bar${end}${end}baz${end}`)).toEqual([
      {kind: 'markdown', raw: 'foo\nbar\n'},
      {kind: 'markdown', raw: 'baz\n'},
    ])
  })
})
