import {fireEvent, screen, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {tool as kling} from '#contract/media/kling.ts'
import type {Artifact} from '#contract/media/media-tool.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {loadedRatio} from '#features/media/feed/loaded-ratios.ts'
import {boxRatio, contentShape} from '#features/media/feed/ratio.ts'
import {TaskCard} from '#features/media/feed/task-card.tsx'
import {wells} from '#features/media/feed/load-task-well.ts'
import {renderView} from '#tests/ui/render.tsx'
import {card, image, video} from './cards.ts'
import {propsOf, showCard} from './show-card.tsx'

// a card without a result tells its state in one line until these are there
beforeEach(async () => void (await wells.load()))

test('the box has the ratio of the result, else of the request, before anything is loaded', () => {
  const box = (shown: Card) => boxRatio(contentShape(kling, shown, 16 / 9))
  expect(box(card('queued'))).toBeCloseTo(16 / 9)
  expect(box(card('queued', {request: {aspect_ratio: '1:1'}}))).toBe(1)
  expect(box(card('succeeded', {reading: {artifacts: [video({width: 400, height: 300})]}}))).toBeCloseTo(4 / 3)
  expect(box(card('queued', {request: {}}))).toBeCloseTo(16 / 9)
  // a very tall one does not take the whole column
  expect(box(card('queued', {request: {aspect_ratio: '9:16'}}))).toBe(0.75)
})

test('an image that does not load is asked for twice more, then it says so and can be tried again', () => {
  showCard(card('succeeded', {reading: {artifacts: [image()]}}))
  const shownImage = () => screen.getByRole('img')
  // the card's own, and that over the image, which would be a tab stop beneath what is said
  const openers = () => screen.queryAllByRole('button', {name: /^Open /})
  const withImage = openers().length
  expect(shownImage().getAttribute('src')).toBe('https://cdn.example/foo.png')
  fireEvent.error(shownImage())
  expect(shownImage().getAttribute('src')).toBe('https://cdn.example/foo.png?retry=1')
  fireEvent.error(shownImage())
  expect(shownImage().getAttribute('src')).toBe('https://cdn.example/foo.png?retry=2')
  fireEvent.error(shownImage())
  expect(screen.getByText("This file couldn't be loaded.")).toBeVisible()
  expect(screen.getByRole('link', {name: 'Open original'}).getAttribute('href')).toBe('https://cdn.example/foo.png')
  expect(openers()).toHaveLength(withImage - 1)
  fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
  expect(shownImage().getAttribute('src')).toBe('https://cdn.example/foo.png?retry=3')
})

test('what a server sends is data: no address but a web address becomes a source or a link', () => {
  showCard(card('succeeded', {reading: {artifacts: [image({url: 'javascript:alert(1)'})]}}))
  expect(document.querySelector('[src^="javascript"], [href^="javascript"]')).toBeNull()
  expect(screen.getByText("This file couldn't be loaded.")).toBeVisible()
})

test('four images stand in one card, each opens itself', () => {
  const four = [1, 2, 3, 4].map((number) => image({id: `i${number}`, url: `https://cdn.example/${number}.png`}))
  const shown = card('succeeded', {reading: {artifacts: four}})
  const {commands} = showCard(shown)
  expect(screen.getAllByRole('img')).toHaveLength(4)
  fireEvent.click(screen.getByRole('button', {name: 'Open Result 3 of 4: a paper boat'}))
  expect(commands.open).toHaveBeenCalledExactlyOnceWith(shown, 2)
})

test('descriptions are texts that can be used as a prompt', () => {
  const texts = ['foo bar', 'baz'].map((text) => ({medium: 'text' as const, text}))
  const {commands} = showCard(card('succeeded', {reading: {artifacts: texts}}))
  // no taller than an image would be, so that the cards beside it end with it
  expect(screen.getByRole('list').parentElement?.style.aspectRatio).toMatch(/^1\.77/)
  const [first] = screen.getAllByRole('button', {name: 'Use as prompt'})
  if (first === undefined) throw new Error('no button')
  fireEvent.click(first)
  expect(commands.usePrompt).toHaveBeenCalledExactlyOnceWith('foo bar')
})

describe('one of several results', () => {
  const four = ['a', 'b', 'c', 'd'].map((id): Artifact => ({medium: 'image', id, url: `https://cdn.example/${id}.png`}))

  test('is chosen on the card by its button or number, and what the card does is done with it', () => {
    const {commands, article} = showCard(card('succeeded', {reading: {artifacts: four}}))
    const choices = within(screen.getByRole('group', {name: 'Choose one result'})).getAllByRole('button')
    expect(choices.map(({textContent}) => textContent)).toEqual(['1', '2', '3', '4'])
    const third = screen.getByRole('button', {name: 'Result 3'})
    fireEvent.click(third)
    expect(third.getAttribute('aria-pressed')).toBe('true')
    fireEvent.keyDown(article, {key: 'd'})
    expect(commands.download.mock.lastCall).toEqual([expect.anything(), 2])
    fireEvent.keyDown(article, {key: '2'})
    fireEvent.keyDown(article, {key: 'Enter'})
    expect(commands.open.mock.lastCall).toEqual([expect.anything(), 1])
    fireEvent.click(screen.getByRole('button', {name: 'Result 2'}))
    fireEvent.keyDown(article, {key: 'd'})
    expect(commands.download.mock.lastCall).toEqual([expect.anything(), undefined])
  })

  test('is not offered where there is one', () => {
    showCard(card('succeeded', {reading: {artifacts: four.slice(0, 1)}}))
    expect(screen.queryByRole('group', {name: 'Choose one result'})).toBeNull()
  })
})

test('a result whose size nobody told takes the box of its image', () => {
  const url = 'https://cdn.example/unsized.png'
  const props = propsOf(card('succeeded', {reading: {artifacts: [{medium: 'image', url}]}}))
  renderView(<TaskCard {...props} shapeOf={(each) => contentShape(kling, each, 16 / 9, undefined, loadedRatio)} />)
  const shownImage = screen.getByRole('img')
  const box = () => shownImage.closest<HTMLElement>('[style*="aspect-ratio"]')?.style.aspectRatio
  expect(box()).toMatch(/^1\.77/)
  Object.defineProperties(shownImage, {naturalWidth: {value: 900}, naturalHeight: {value: 1_000}})
  fireEvent.load(shownImage)
  expect(box()).toMatch(/^0\.9\b/)
})
