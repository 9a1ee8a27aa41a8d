import {screen} from '@testing-library/react'
import {isValidElement, type ReactElement, type ReactNode} from 'react'
import {expect, test} from 'vitest'
import {blockNodes} from '#features/chat/markdown/block-tokens.tsx'
import {lexBlock} from '#features/chat/markdown/lex-block.ts'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {createPartCache, type PartCache} from '#features/chat/markdown/part-cache.ts'
import {renderView} from '#tests/ui/render.tsx'

type WithChildren = {children?: ReactNode}

/** Elements of this type among the nodes, which are not rendered. */
const elementsOf = (type: string, node: ReactNode): ReactElement[] => {
  if (Array.isArray(node)) return node.flatMap((each: ReactNode) => elementsOf(type, each))
  if (!isValidElement<WithChildren>(node)) return []
  return node.type === type ? [node] : elementsOf(type, node.props.children)
}

type Reading = {definitions?: string; isWriting?: boolean}

/** Items and rows of one reading of a block. */
const partsOf = (parts: PartCache, raw: string, {definitions = '', isWriting = false}: Reading = {}) =>
  parts.read(definitions, () => {
    const nodes = blockNodes(lexBlock(raw, definitions) ?? [], {definitions, isWriting, parts})
    return [...elementsOf('li', nodes), ...elementsOf('tr', nodes).slice(1)]
  })

/** Tells which parts of a later reading are the elements of an earlier one. */
const kept = (earlier: readonly ReactElement[], later: readonly ReactElement[]) =>
  later.map((element, index) => element === earlier[index])

// marked cuts the line break of a last item, so the text of `b` changes when `c` comes
const list = '- [a]\n- b\n'
const table = '| h |\n|---|\n| [a] |\n| b |\n'

test.each([
  [list, '- c\n', [true, false, false]],
  [table, '| c |\n', [true, true, false]],
])('an equal part of %j is the same element, while the block grows', (raw, more, same) => {
  const parts = createPartCache()
  const first = partsOf(parts, raw)
  expect(first).toHaveLength(2)
  expect(kept(first, partsOf(parts, raw))).toEqual([true, true])
  expect(kept(first, partsOf(parts, raw + more))).toEqual(same)
})

test.each([list, table])('other reference definitions make each part of %j anew', (raw) => {
  const parts = createPartCache()
  const first = partsOf(parts, raw)
  const linked = partsOf(parts, raw, {definitions: '[a]: https://foo.example\n'})
  expect(kept(first, linked)).toEqual([false, false])
  expect(kept(first, partsOf(parts, raw))).toEqual([false, false])
})

test('an item is made anew when its list becomes loose, and when the writing mark leaves it', () => {
  const parts = createPartCache()
  const first = partsOf(parts, list)
  expect(kept(first, partsOf(parts, `${list}\n- c\n`))).toEqual([false, false, false])
  const written = partsOf(parts, list, {isWriting: true})
  expect(kept(written, partsOf(parts, list))).toEqual([true, false])
})

test('a part is dropped when a reading did not use it, and when all is', () => {
  const parts = createPartCache()
  const first = partsOf(parts, table)
  partsOf(parts, table.replace('| b |\n', ''))
  expect(kept(first, partsOf(parts, table))).toEqual([true, false])
  parts.clear()
  expect(kept(first, partsOf(parts, table))).toEqual([false, false])
})

test('the key of a part does not carry the definitions of the text', () => {
  const names: string[] = []
  const parts = createPartCache()
  const watched: PartCache = {
    ...parts,
    element: (name, make) => {
      names.push(name)
      return parts.element(name, make)
    },
  }
  const definitions = '[a]: https://foo.example\n'
  partsOf(watched, list, {definitions})
  partsOf(watched, table, {definitions})
  expect(names).toHaveLength(4)
  expect(names.filter((name) => name.includes('foo.example'))).toEqual([])
})

test('an item of a list that grows becomes a link when its definition has arrived whole', () => {
  const items = ['- see [x]', '- two', '- three']
  const {rerender} = renderView(<Markdown text={items[0] ?? ''} growing />)
  items.forEach((_, index) => rerender(<Markdown text={items.slice(0, index + 1).join('\n')} growing />))
  const definition = '  [x]: https://foo.example/'
  rerender(<Markdown text={`${items.join('\n')}\n\n${definition}`} growing />)
  expect(screen.queryByRole('link')).toBeNull()
  rerender(<Markdown text={`${items.join('\n')}\n\n${definition}\n`} growing />)
  expect(screen.getByRole('link', {name: /x/}).getAttribute('href')).toBe('https://foo.example/')
})

/** The props from which React rendered an element of the document: the same object while the element is the same. */
const propsOf = (element: Element): unknown =>
  Object.entries(element).find(([name]) => name.startsWith('__reactProps$'))?.[1]

test('nothing of a text is held after its end', () => {
  const {rerender} = renderView(<Markdown text={list} growing />)
  const item = () => propsOf(screen.getAllByRole('listitem')[0] ?? document.body)
  const first = item()
  expect(first).toHaveProperty('children', '[a]')
  rerender(<Markdown text={`${list}- c`} growing />)
  expect(item()).toBe(first)
  rerender(<Markdown text={`${list}- c`} />)
  rerender(<Markdown text={`${list}- c`} growing />)
  expect(item()).not.toBe(first)
})
