import {act} from '@testing-library/react'
import {beforeEach, expect, test, vi} from 'vitest'
import {Markdown} from '#features/chat/markdown/markdown.tsx'
import {renderView} from '#tests/ui/render.tsx'

/* Code and tables that are wider than the message are stops of Tab. (e2e/chat-layout.spec.ts lays out a real page.) */

type Sizes = Pick<ResizeObserverEntry, 'contentRect'>

/** Elements that are observed, each with those that hear of its size, as from a browser before it paints. */
const observed = new Map<Element, Set<(entries: Sizes[]) => void>>()
beforeEach(() => {
  observed.clear()
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly tell: (entries: Sizes[]) => void) {}
      observe(element: Element) {
        observed.set(element, (observed.get(element) ?? new Set()).add(this.tell))
      }
      disconnect() {
        for (const [element, tellers] of observed) {
          if (tellers.delete(this.tell) && tellers.size === 0) observed.delete(element)
        }
      }
    },
  )
})

const resize = (elements: Iterable<Element>, width: number) =>
  act(() => {
    for (const element of [...elements]) {
      for (const tell of observed.get(element) ?? []) tell([{contentRect: new DOMRect(0, 0, width, 100)}])
    }
  })
/** A box of this width around content of 600. */
const widen = (box: Element, width: number) =>
  Object.defineProperties(box, {
    scrollWidth: {configurable: true, value: Math.max(600, width)},
    clientWidth: {configurable: true, value: width},
  })

const code = (count: number) => Array.from({length: count}, (_, index) => `\`\`\`\nline ${index}\n\`\`\`\n\n`).join('')
const table = '| a | b |\n|---|---|\n| 1 | 2 |\n\n'
const message = (container: Element) => container.querySelector('[data-words]') ?? container

test('code that stands is not observed one by one, only its message is', () => {
  const {container, rerender} = renderView(<Markdown text={`${code(3)}\`\`\`\nopen`} growing />)
  expect(observed.size).toBe(5)
  resize(observed.keys(), 500)
  expect([...observed.keys()].map(({localName}) => localName).toSorted()).toEqual(['div', 'pre'])
  rerender(<Markdown text={`${code(3)}\`\`\`\nopen\n\`\`\`\n\n${table}`} />)
  resize(observed.keys(), 500)
  expect([...observed.keys()].map(({localName}) => localName).toSorted()).toEqual(['div', 'table'])
  expect(observed.has(message(container))).toBe(true)
})

test('boxes become stops of Tab, and none again, as their message changes its width', () => {
  const {container, unmount} = renderView(<Markdown text={`${code(1)}${table}`} />)
  const boxes = [container.querySelector('pre'), container.querySelector('table')?.parentElement].flatMap(
    (box) => box ?? [],
  )
  expect(boxes).toHaveLength(2)
  const stops = () => boxes.filter(({tabIndex}) => tabIndex === 0).length
  for (const box of boxes) widen(box, 700)
  resize(observed.keys(), 700)
  expect(stops()).toBe(0)
  for (const box of boxes) widen(box, 500)
  resize([message(container)], 500)
  expect(stops()).toBe(2)
  for (const box of boxes) widen(box, 700)
  resize([message(container)], 700)
  expect(stops()).toBe(0)
  unmount()
  expect(observed.size).toBe(0)
})
