import {fireEvent, screen, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {tool as suno} from '#contract/media/suno.ts'
import {screen as sunoScreen} from '#contract/media/suno.screen.ts'
import type {Task} from '#contract/task.ts'
import {now} from './cards.ts'
import {openScreen, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))
// as: the world holds any tool, and a form of one tool is narrower than that
const shown = {tool: suno, screen: sunoScreen} as unknown as Parameters<typeof openScreen>[0]

/** A request and its two songs. */
const task = (id: string, at: number): Task => ({
  id,
  type: 'audios',
  created_at: now - at,
  request: {prompt: `prompt ${id}`},
  response: {
    success: true,
    task_id: id,
    data: [1, 2].map((take) => ({
      id: `${id}-${take}`,
      title: `song ${id}`,
      audio_url: `https://cdn.example/${id}-${take}.mp3`,
      lyric: '',
    })),
  },
})
const tasks = ['a', 'b', 'c'].map((id, position) => task(id, 60 + position))
const group = (id: string) => {
  const found = screen.getAllByRole('article').find(({textContent}) => textContent.includes(`song ${id}`))
  if (found === undefined) throw new Error(`There is no group of ${id}`)
  return found
}
const onGroups = () =>
  ['a', 'b', 'c'].filter(
    (id) =>
      within(group(id))
        .getByRole('checkbox', {name: `Select song ${id}`})
        .getAttribute('aria-checked') === 'true',
  )
const bar = async () => within(await screen.findByRole('toolbar', {name: 'Selection'}))

describe('several requests of songs are chosen as images are', () => {
  test('by the button, a press, keys and a range; meanwhile nothing plays', async () => {
    const {media} = await openScreen(shown, {tasks})
    fireEvent.click(screen.getByRole('button', {name: 'Select'}))
    const chosen = await bar()
    expect(onGroups()).toEqual([])
    const [play] = within(group('a')).getAllByRole('button', {name: 'Play song a', hidden: true})
    fireEvent.click(play ?? document.body)
    expect(media.player.play).not.toHaveBeenCalled()
    expect([onGroups(), chosen.getByRole('status').textContent]).toEqual([['a'], '1 selected'])
    fireEvent.click(group('c'), {shiftKey: true})
    expect(onGroups()).toEqual(['a', 'b', 'c'])
    fireEvent.keyDown(group('b'), {key: 'x'})
    fireEvent.keyDown(group('c'), {key: ' '})
    expect(onGroups()).toEqual(['a'])
    fireEvent.click(chosen.getByRole('button', {name: 'Cancel'}))
    expect(screen.queryByRole('checkbox')).toBeNull()
    fireEvent.keyDown(group('b'), {key: 'x'})
    expect(onGroups()).toEqual(['b'])
  })

  test('all songs of each go into one download, and what is deleted is asked for once', async () => {
    const {work} = await openScreen(shown, {tasks})
    fireEvent.click(group('b'), {ctrlKey: true})
    const chosen = await bar()
    fireEvent.click(group('c'), {ctrlKey: true})
    fireEvent.click(chosen.getByRole('button', {name: 'Download'}))
    expect(work.asked).toEqual([
      ['b', 'c'].flatMap((id) =>
        [1, 2].map((take) => ({
          url: `https://cdn.example/${id}-${take}.mp3`,
          name: `suno-song-${id}-${id}${take}-${take}.mp3`,
        })),
      ),
    ])
    fireEvent.keyDown(document.body, {key: 'Escape'})
    fireEvent.click(chosen.getByRole('button', {name: 'Delete'}))
    fireEvent.click(
      within(await screen.findByRole('dialog', {name: 'Delete 2 results?'})).getByRole('button', {name: 'Delete'}),
    )
    expect([...work.deletions.keys()]).toEqual(['suno/b', 'suno/c'])
  })
})
