import {act, fireEvent, screen, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {mostFavourites} from '#domain/merge-favourites.ts'
import {klingTask, openKling, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

const star = (id: string) => screen.getByRole('button', {name: `Favourite: prompt ${id}`})
const isOn = (id: string) => star(id).getAttribute('aria-pressed') === 'true'
const tasks = ['a', 'b', 'c'].map((id, at) => klingTask(id, {created_at: 1_000 - at}))

describe('favourites', () => {
  test('the star of a card marks it, and the filter shows what is marked', async () => {
    await openKling({tasks})
    expect(screen.queryByRole('button', {name: /^Favourites/})).toBeNull()
    fireEvent.click(star('b'))
    expect([isOn('a'), isOn('b')]).toEqual([false, true])
    fireEvent.click(screen.getByRole('button', {name: /^Favourites/}))
    expect(screen.getAllByRole('article').map(({textContent}) => textContent.includes('prompt b'))).toEqual([true])
    fireEvent.click(star('b'))
    expect(await screen.findByText('Nothing matches these filters.')).toBeVisible()
    fireEvent.click(screen.getByRole('button', {name: 'Clear filters'}))
    expect(screen.getAllByRole('article')).toHaveLength(3)
  })

  test('the key of a focused card and that of the viewer do the same', async () => {
    await openKling({tasks})
    const [card] = screen.getAllByRole('article')
    if (card === undefined) throw new Error('There is no card')
    fireEvent.keyDown(card, {key: 's'})
    expect(isOn('a')).toBe(true)
    fireEvent.click(screen.getByRole('button', {name: 'Play Result of: prompt a'}))
    const dialog = within(await screen.findByRole('dialog', {name: 'Viewer'}))
    const inViewer = dialog.getByRole('button', {name: 'Favourite: prompt a'})
    expect(inViewer.getAttribute('aria-pressed')).toBe('true')
    fireEvent.keyDown(inViewer, {key: 's'})
    expect(inViewer.getAttribute('aria-pressed')).toBe('false')
    fireEvent.click(inViewer)
    expect(inViewer.getAttribute('aria-pressed')).toBe('true')
  })

  test('what does not fit any more is refused, and nothing that was marked goes', async () => {
    const {media, actors} = await openKling({tasks})
    const marks = Object.fromEntries(Array.from({length: mostFavourites}, (_, at) => [`x${at}`, at + 1]))
    act(() => actors.favourites.send({type: 'favourites.merged', marks}))
    fireEvent.click(star('a'))
    expect(isOn('a')).toBe(false)
    expect(media.notify.mock.calls).toEqual([
      [{kind: 'error', textId: 'common.mediaFavouritesFull', values: {count: mostFavourites}}],
    ])
  })
})
