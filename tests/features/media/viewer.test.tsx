import {act, fireEvent, renderHook, screen} from '@testing-library/react'
import {describe, expect, test, vi} from 'vitest'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useLookedAt} from '#features/media/use-looked-at.ts'
import {zoomAt} from '#features/media/viewer/use-zoom.ts'
import {Viewer} from '#features/media/viewer/viewer.tsx'
import {viewerItems} from '#features/media/viewer/viewer-items.ts'
import {renderView} from '#tests/ui/render.tsx'
import {card, image, video} from './cards.ts'

const images = card('succeeded', {
  key: 'a',
  prompt: 'two owls',
  reading: {
    artifacts: [image({id: '1', url: 'https://cdn.example/1.png'}), image({id: '2', url: 'https://cdn.example/2.png'})],
  },
})
const videoCard = card('succeeded', {key: 'b', prompt: 'a boat', reading: {artifacts: [video()]}})
const cards = [images, videoCard, card('failed', {key: 'c'})]

async function showViewer(
  at: {key: string; index: number},
  shown: readonly Card[] = cards,
  locale: 'en' | 'ar' = 'en',
) {
  const onMove = vi.fn()
  const onClose = vi.fn()
  const view = renderView(
    <Viewer
      cards={shown}
      at={at}
      volume={80}
      titleOf={({prompt}) => prompt}
      onMove={onMove}
      onClose={onClose}
      onPlay={vi.fn()}
      details={(item) => <p>{item.card.prompt}</p>}
    />,
    {locale},
  )
  const dialog = await screen.findByRole('dialog')
  const stage = dialog.querySelector('div') ?? dialog
  const press = (key: string) => fireEvent.keyDown(stage.firstElementChild ?? stage, {key})
  return {onMove, onClose, view, dialog, press}
}

test('goes through what can be looked at, in the order of the feed', () => {
  expect(viewerItems(cards).map(({card: {key}, index}) => `${key}/${index}`)).toEqual(['a/0', 'a/1', 'b/0'])
})

test('is a dialog that says where one is', async () => {
  await showViewer({key: 'a', index: 1})
  expect(screen.getByText('2 / 3')).toBeVisible()
  expect(screen.getByRole('img', {name: 'two owls'}).getAttribute('src')).toBe('https://cdn.example/2.png')
  expect(screen.getByRole('button', {name: 'Close'})).toBeVisible()
})

describe('keys', () => {
  test('arrows go from image to image, Page Up and Down always', async () => {
    const {onMove, press} = await showViewer({key: 'a', index: 0})
    press('ArrowRight')
    expect(onMove).toHaveBeenLastCalledWith(expect.objectContaining({index: 1}))
    press('PageDown')
    expect(onMove).toHaveBeenCalledTimes(2)
    press('ArrowLeft')
    expect(onMove).toHaveBeenCalledTimes(2) // the first one has none before it
  })

  test('in a video arrows move in time, Space plays, comma and full stop step by a frame', async () => {
    const {onMove, press, dialog} = await showViewer({key: 'b', index: 0})
    const element = dialog.querySelector('video')
    if (element === null) throw new Error('no film')
    const play = vi.spyOn(element, 'play').mockResolvedValue()
    element.currentTime = 10
    press('ArrowRight')
    expect(element.currentTime).toBe(15)
    press('ArrowLeft')
    expect(element.currentTime).toBe(10)
    press('.')
    expect(element.currentTime).toBeCloseTo(10 + 1 / 24)
    press(',')
    expect(element.currentTime).toBeCloseTo(10)
    press(' ')
    expect(play).toHaveBeenCalledTimes(1)
    press('m')
    expect(element.muted).toBe(true)
    expect(onMove).not.toHaveBeenCalled()
    press('PageUp')
    expect(onMove).toHaveBeenCalledTimes(1)
  })

  test('a video starts with the volume of the player', async () => {
    const {dialog} = await showViewer({key: 'b', index: 0})
    const element = dialog.querySelector('video')
    fireEvent.loadedMetadata(element ?? dialog)
    expect(element?.volume).toBe(0.8)
  })

  test('Esc closes', async () => {
    const {onClose, dialog} = await showViewer({key: 'a', index: 0})
    fireEvent.keyDown(dialog, {key: 'Escape'})
    expect(onClose).toHaveBeenCalled()
  })
})

test('buttons do what keys do, and the filmstrip goes anywhere', async () => {
  const {onMove} = await showViewer({key: 'a', index: 0})
  expect(screen.queryByRole('button', {name: 'Previous result'})).toBeNull()
  fireEvent.click(screen.getByRole('button', {name: 'Next result'}))
  expect(onMove).toHaveBeenLastCalledWith(expect.objectContaining({index: 1}))
  fireEvent.click(screen.getByRole('button', {name: 'Open a boat'}))
  expect(onMove).toHaveBeenLastCalledWith(expect.objectContaining({card: videoCard}))
})

test('a result that goes away is not looked at any more, also when it comes back', async () => {
  const at = {key: 'a', index: 0}
  const {result, rerender} = renderHook((shown: readonly Card[]) => useLookedAt(shown), {initialProps: cards})
  act(() => result.current[1](at))
  rerender([images])
  expect(result.current[0]).toEqual(at)
  rerender([videoCard])
  expect(result.current[0]).toBeUndefined()
  rerender(cards)
  expect(result.current[0]).toBeUndefined()
})

describe('zoom', () => {
  test('keeps what is under the pointer where it is', () => {
    expect(zoomAt({scale: 1, x: 0, y: 0}, 2, 100, 50)).toEqual({scale: 2, x: -100, y: -50})
    const zoomed = zoomAt({scale: 2, x: -100, y: -50}, 2, 100, 50)
    expect(zoomed).toEqual({scale: 4, x: -300, y: -150})
  })

  test('ends at the whole image and at eight times', () => {
    expect(zoomAt({scale: 2, x: 30, y: 30}, 0.1, 5, 5)).toEqual({scale: 1, x: 0, y: 0})
    expect(zoomAt({scale: 6, x: 0, y: 0}, 5, 0, 0).scale).toBe(8)
  })
})
