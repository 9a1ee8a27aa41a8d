import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {klingTask, openKling, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

const tasks = ['a', 'b', 'c', 'd'].map((id, at) => klingTask(id, {created_at: 1_000 - at}))
const card = (id: string) => {
  const found = screen.getAllByRole('article').find(({textContent}) => textContent.includes(`prompt ${id}`))
  if (found === undefined) throw new Error(`There is no card of ${id}`)
  return found
}
const box = (id: string) => screen.getByRole('checkbox', {name: `Select prompt ${id}`})
const isOn = (id: string) => box(id).getAttribute('aria-checked') === 'true'
const bar = async () => within(await screen.findByRole('toolbar', {name: 'Selection'}))
const onCards = () => ['a', 'b', 'c', 'd'].filter(isOn)

describe('choosing several results', () => {
  test('the button begins it; then a press anywhere on a card chooses it, and nothing on it does what it did', async () => {
    await openKling({tasks})
    expect(screen.queryByRole('checkbox')).toBeNull()
    fireEvent.click(screen.getByRole('button', {name: 'Select'}))
    const shown = await bar()
    expect(shown.getByRole('status').textContent).toBe('0 selected')
    fireEvent.click(within(card('b')).getByText('prompt b'))
    fireEvent.click(box('c'))
    expect([onCards(), shown.getByRole('status').textContent]).toEqual([['b', 'c'], '2 selected'])
    fireEvent.keyDown(card('a'), {key: ' '})
    expect(onCards()).toEqual(['a', 'b', 'c'])
    fireEvent.click(shown.getByRole('button', {name: 'Select all'}))
    expect(onCards()).toEqual(['a', 'b', 'c', 'd'])
    fireEvent.click(shown.getByRole('button', {name: 'Select none'}))
    expect(onCards()).toEqual([])
    fireEvent.keyDown(document.body, {key: 'Escape'})
    expect(screen.queryByRole('toolbar')).toBeNull()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })

  test('with Ctrl one card, with Shift all up to it, in the order they are shown', async () => {
    const {actors} = await openKling({tasks})
    fireEvent.click(card('d'), {ctrlKey: true})
    await bar()
    fireEvent.click(card('b'), {shiftKey: true})
    expect([onCards(), actors.selection.getSnapshot().context.chosen]).toEqual([
      ['b', 'c', 'd'],
      ['d', 'c', 'b'],
    ])
    fireEvent.click(card('c'), {metaKey: true})
    expect(onCards()).toEqual(['b', 'd'])
  })

  test('a finger that rests on a card chooses it, one that moves does not', async () => {
    await openKling({tasks})
    vi.useFakeTimers()
    const touch = (type: 'pointerDown' | 'pointerMove' | 'pointerUp', x: number) =>
      fireEvent[type](card('a'), {pointerType: 'touch', clientX: x, clientY: 5})
    touch('pointerDown', 5)
    touch('pointerMove', 40)
    act(() => void vi.advanceTimersByTime(600))
    expect(screen.queryByRole('checkbox')).toBeNull()
    touch('pointerDown', 5)
    touch('pointerMove', 9)
    act(() => void vi.advanceTimersByTime(600))
    touch('pointerUp', 9)
    vi.useRealTimers()
    // the press that follows is that of the same finger
    fireEvent.click(card('a'))
    expect(isOn('a')).toBe(true)
  })

  test('it is asked once before all are deleted, and the dialog says what it costs', async () => {
    const {work} = await openKling({tasks})
    fireEvent.click(card('a'), {ctrlKey: true})
    const shown = await bar()
    fireEvent.click(card('b'), {ctrlKey: true})
    fireEvent.click(shown.getByRole('button', {name: 'Delete'}))
    const dialog = within(await screen.findByRole('dialog', {name: 'Delete 2 results?'}))
    expect(dialog.getByText("Their files are deleted too. This can't be undone.")).toBeVisible()
    fireEvent.click(dialog.getByRole('button', {name: 'Cancel'}))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(work.deletions.size).toBe(0)
    fireEvent.click(shown.getByRole('button', {name: 'Delete'}))
    fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', {name: 'Delete'}))
    expect([...work.deletions.keys()]).toEqual(['kling/a', 'kling/b'])
    expect(shown.getByRole('status').textContent).toBe('Deleting 1 of 2')
    await act(async () => work.deletions.get('kling/a')?.resolve())
    expect(shown.getByRole('status').textContent).toBe('Deleting 2 of 2')
    await act(async () => work.deletions.get('kling/b')?.reject(new Error('foo')))
    expect(shown.getByRole('status').textContent).toBe('1 selected')
  })

  test('their files go into one download, each under the name it has alone, and it can be left', async () => {
    const {work} = await openKling({tasks})
    fireEvent.click(card('c'), {ctrlKey: true})
    const shown = await bar()
    fireEvent.click(card('a'), {ctrlKey: true})
    fireEvent.click(shown.getByRole('button', {name: 'Download'}))
    expect(work.asked).toEqual([
      [
        {url: 'https://cdn.example/c.mp4', name: 'kling-prompt-c-vc.mp4'},
        {url: 'https://cdn.example/a.mp4', name: 'kling-prompt-a-va.mp4'},
      ],
    ])
    expect(shown.getByRole('status').textContent).toBe('Collecting file 1 of 2')
    fireEvent.keyDown(document.body, {key: 'Escape'})
    expect([work.packs.observed, shown.getByRole('status').textContent]).toEqual([false, '2 selected'])
  })

  test('several can be used together where a field takes so many, in the order of the choice', async () => {
    const {media} = await openKling({tasks})
    media.offered.push({
      ...media.identity,
      id: 'many',
      name: 'Many',
      inputs: [{field: 'films', medium: 'video', most: 2, label: 'common.mediaSource'}],
    })
    media.offered.push({
      ...media.identity,
      id: 'one',
      name: 'One',
      inputs: [{field: 'film', medium: 'video', most: 1, label: 'common.mediaSource'}],
    })
    fireEvent.click(card('c'), {ctrlKey: true})
    const shown = await bar()
    fireEvent.click(card('a'), {ctrlKey: true})
    fireEvent.click(shown.getByRole('button', {name: 'Use in…'}))
    const items = await screen.findAllByRole('menuitem')
    expect(items.map(({textContent}) => textContent?.startsWith('Many'))).toEqual([true])
    fireEvent.click(screen.getByRole('menuitem', {name: /^Many/}))
    expect(media.useIn.mock.lastCall?.[0]).toEqual({
      tool: 'many',
      value: 'https://cdn.example/c.mp4',
      more: ['https://cdn.example/a.mp4'],
      kind: 'tool',
      input: {field: 'films', medium: 'video', most: 2, label: 'common.mediaSource'},
    })
    fireEvent.click(card('b'))
    expect(shown.queryByRole('button', {name: 'Use in…'})).toBeNull()
  })

  test('where the service cannot delete it is not offered', async () => {
    await openKling({tasks, metadata: {capabilities: []}})
    fireEvent.click(card('a'), {ctrlKey: true})
    const shown = await bar()
    expect(shown.queryByRole('button', {name: 'Delete'})).toBeNull()
  })
})
