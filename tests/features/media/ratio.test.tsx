import {screen} from '@testing-library/react'
import {describe, expect, test, vi} from 'vitest'
import {z} from '#contract/schema.ts'
import {sameAgain} from '#features/media/repeated-request.ts'
import {boxRatio, columnsOf, contentShape, fillsBox, type Shape} from '#features/media/feed/ratio.ts'
import {TaskCard} from '#features/media/feed/task-card.tsx'
import {all, made, toolNamed} from '#tests/contract/media/all-tools.ts'
import {renderView} from '#tests/ui/render.tsx'
import {card, createCommands, image} from './cards.ts'

const imageUrl = 'https://files.test/foo.png'
const wide = 16 / 9

/** A request to each tool, and how many results it makes of which shape. */
const asked: [tool: string, type: string | undefined, request: Record<string, unknown>, expected: Shape][] = [
  ['midjourney', 'imagine', {prompt: 'a boat'}, {ratio: 1, count: 1}],
  ['midjourney', 'imagine', {prompt: 'a boat --aspect 16:9', action: 'generate'}, {ratio: wide, count: 1}],
  ['midjourney', 'imagine', {prompt: 'a boat --ar 3:4 --quality .5'}, {ratio: 3 / 4, count: 1}],
  ['midjourney', 'videos', {prompt: 'waves', image_url: imageUrl, resolution: '480p'}, {ratio: wide, count: 4}],
  ['qrart', undefined, {type: 'text', content: 'foo', prompt: 'sea', aspect_ratio: '4:3'}, {ratio: 4 / 3, count: 1}],
  ['luma', undefined, {prompt: 'fog', aspect_ratio: '9:16'}, {ratio: 9 / 16, count: 1}],
  ['luma', undefined, {prompt: 'fog'}, {ratio: 1, count: 1}],
  ['pika', 'videos', {prompt: 'fox', effect: 'Melt'}, {ratio: wide, count: 1}],
  ['kling', 'videos', {prompt: 'kite'}, {ratio: 1, count: 1}],
  ['kling', 'videos', {prompt: 'kite', aspect_ratio: '9:16', mode: null}, {ratio: 9 / 16, count: 1}],
  ['veo', 'videos', {prompt: 'harbor', aspect_ratio: '4:3'}, {ratio: 4 / 3, count: 1}],
  ['sora', 'videos', {prompt: 'tram', orientation: 'portrait'}, {ratio: 9 / 16, count: 1}],
  ['sora', 'videos', {prompt: 'tram', orientation: 'square'}, {ratio: 1, count: 1}],
  ['pixverse', 'videos', {prompt: 'moth', aspect_ratio: '3:4'}, {ratio: 3 / 4, count: 1}],
  ['flux', 'images', {prompt: 'owl', count: 2}, {ratio: 1, count: 2}],
  ['flux', 'images', {prompt: 'owl', count: 4, aspect_ratio: '3:2'}, {ratio: 3 / 2, count: 4}],
  ['flux', 'images', {action: 'edit', prompt: 'hat', image_url: imageUrl, size: '1024x512'}, {ratio: 2, count: 1}],
  ['hailuo', 'videos', {prompt: 'surf', callback_url: 'https://hook.test/'}, {ratio: wide, count: 1}],
  ['headshots', undefined, {template: 'wedding', mode: 'relax', image_urls: [imageUrl]}, {ratio: 3 / 4, count: 2}],
  ['nanobanana', 'images', {prompt: 'cat', aspect_ratio: '2:3'}, {ratio: 2 / 3, count: 1}],
  ['suno', undefined, {audio_id: 'a1'}, {ratio: 1, count: 1}],
]

const queued = (type: string | undefined, request: Record<string, unknown>) => card('queued', {type, request})

describe('before anything is made, the shape is what the request asks for', () => {
  test.each(asked)('%s %s %j', (id, type, request, expected) => {
    expect(contentShape(toolNamed(id).tool, queued(type, request), 5)).toEqual(expected)
  })

  test('every tool is in the table', () => {
    expect([...new Set(asked.map(([id]) => id))].sort()).toEqual(all.map(({id}) => id))
  })
})

test.each(asked.filter(([id]) => id !== 'suno'))(
  'the box of %s %s %j stays as it is when the result comes',
  (id, type, request, expected) => {
    const {tool} = toolNamed(id)
    const before = queued(type, request)
    const operation = Object.values(tool.operations).find(({taskType}) => taskType === type)
    if (operation === undefined) throw new Error(`${id} has no operation of type ${type}`)
    const body = sameAgain(tool, before)?.body
    const {medium} = operation.plan(z.parse(operation.body, body))
    const results = Array.from({length: expected.count}, (_, index) => ({
      ...made(medium, index),
      width: Math.round(expected.ratio * 900),
      height: 900,
    }))
    const response = {success: true, ...operation.respond(results, z.parse(operation.body, body), 100)}
    const done = card('succeeded', {type, request, reading: tool.read(response, request)})
    expect(done.reading.artifacts).toHaveLength(expected.count)
    expect(boxRatio(contentShape(tool, done, 5))).toBeCloseTo(boxRatio(contentShape(tool, before, 5)), 2)
  },
)

test('what works on an earlier result has its shape', () => {
  const upscale = card('running', {type: 'imagine', request: {action: 'upscale1', image_id: '5001', mode: 'fast'}})
  const shapeOf = (id: string) => (id === '5001' ? 3 / 2 : undefined)
  expect(contentShape(toolNamed('midjourney').tool, upscale, 1, shapeOf)).toEqual({ratio: 3 / 2, count: 1})
  expect(contentShape(toolNamed('midjourney').tool, upscale, 1)).toEqual({ratio: 1, count: 1})
})

test('what names no ratio has the shape of the result it begins with, as far as that is known', () => {
  const {tool} = toolNamed('flux')
  const request = {action: 'edits', prompt: 'hat', image_url: imageUrl}
  const shapeOf = (name: string) => (name === imageUrl ? 3 / 2 : undefined)
  expect(contentShape(tool, queued('images', request), wide, shapeOf).ratio).toBe(3 / 2)
  expect(contentShape(tool, queued('images', {...request, aspect_ratio: '1:1'}), wide, shapeOf).ratio).toBe(1)
  expect(contentShape(tool, queued('images', request), wide).ratio).toBe(1)
})

test('a request that no operation takes still says its shape in plain words, else it is as usual', () => {
  const {tool} = toolNamed('kling')
  expect(contentShape(tool, queued('videos', {foo: 'bar', size: '1024x768'}), wide)).toEqual({ratio: 4 / 3, count: 1})
  expect(contentShape(tool, queued('videos', {foo: 'bar'}), wide)).toEqual({ratio: wide, count: 1})
})

describe('several results', () => {
  test.each([
    ['two portraits', {ratio: 3 / 4, count: 2}, 2, 3 / 2],
    ['two squares, within the widest box', {ratio: 1, count: 2}, 2, wide],
    ['two wide ones, above each other', {ratio: wide, count: 2}, 1, 8 / 9],
    ['three in two rows', {ratio: 4 / 3, count: 3}, 2, 4 / 3],
    ['four in two rows', {ratio: 3 / 2, count: 4}, 2, 3 / 2],
    ['more than are shown', {ratio: 1, count: 9}, 2, 1],
  ])('%s', (_name, shape, columns, box) => {
    expect(columnsOf(shape)).toBe(columns)
    expect(boxRatio(shape)).toBeCloseTo(box)
  })

  test('an image fills its cell only where nothing of it is cut off', () => {
    expect(fillsBox(image({width: 600, height: 800}), {ratio: 3 / 4, count: 2})).toBe(true)
    expect(fillsBox(image({width: 900, height: 900}), {ratio: 1, count: 2})).toBe(false)
    expect(fillsBox(image({width: 900, height: 600}), {ratio: 3 / 2, count: 4})).toBe(true)
    expect(fillsBox(image(), {ratio: 1, count: 1})).toBe(false)
  })

  test('nothing is cut off of two portraits without a size', () => {
    const {tool} = toolNamed('headshots')
    const two = [1, 2].map((number) => image({id: `i${number}`, url: `https://cdn.example/${number}.png`}))
    const request = {template: 'wedding', image_urls: [imageUrl]}
    renderView(
      <TaskCard
        card={card('succeeded', {type: undefined, request, reading: {artifacts: two}})}
        layout="grid"
        isFavourite={false}
        heading={undefined}
        index={0}
        count={1}
        isCurrent
        shapeOf={(each) => contentShape(tool, each, 1)}
        commands={createCommands()}
        onCurrent={vi.fn()}
      />,
    )
    const images = screen.getAllByRole('img')
    expect(images.map(({style}) => style.objectFit)).toEqual(['contain', 'contain'])
    expect(images[0]?.closest<HTMLElement>('[style*="aspect-ratio"]')?.style.aspectRatio).toMatch(/^1\.5\b/)
  })
})
