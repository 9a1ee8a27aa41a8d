import {render} from '@testing-library/react'
import {createLucideIcon as createOriginal, type IconNode} from 'lucide-react'
import {type ComponentType} from 'react'
import {expect, test} from 'vitest'
import createLucideIcon from '#ui/lucide-icon.ts'

const props = {size: 20, strokeWidth: 1.55, fill: 'currentColor', className: 'foo', focusable: 'false'} as const
const shapes: [tag: 'path' | 'circle' | 'rect', attributes: Record<string, string>][] = [
  ['path', {d: 'm2 2 20 20'}],
  ['circle', {cx: '9', cy: '9', r: '2'}],
  ['rect', {width: '18', height: '18', x: '3', y: '3', rx: '2'}],
]
const withKeys: IconNode = shapes.map(([tag, attributes], index) => [tag, {...attributes, key: String(index)}])

/** What is drawn: the shapes, and the attributes of the picture without lucide's own class names. */
function drawingOf(Icon: ComponentType<typeof props>) {
  const svg = render(<Icon {...props} />).container.querySelector('svg')
  svg?.setAttribute('class', [...svg.classList].filter((name) => !name.startsWith('lucide')).join(' '))
  svg?.removeAttribute('aria-hidden')
  const attributes = [...(svg?.attributes ?? [])].map(({name, value}) => [name, value] as const)
  return {attributes: Object.fromEntries(attributes), shapes: svg?.innerHTML}
}

test("the build's icon is drawn like lucide's", () => {
  const drawing = drawingOf(createLucideIcon({node: shapes}))
  expect(drawing.shapes).toContain('m2 2 20 20')
  expect(drawing).toEqual(drawingOf(createOriginal('foo', withKeys)))
})
