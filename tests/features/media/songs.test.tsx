import {act, fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test, vi} from 'vitest'
import {tool as suno} from '#contract/media/suno.ts'
import {screen as sunoScreen} from '#contract/media/suno.screen.ts'
import {type Task} from '#contract/task.ts'
import {SongGroup, type NowPlaying} from '#features/media/songs/song-group.tsx'
import type {SongCommands} from '#features/media/songs/song-commands.ts'
import {renderView} from '#tests/ui/render.tsx'
import {card, createCommands, now, song} from './cards.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {openScreen, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))
// as: the world holds any tool, and a form of one tool is narrower than that
const shown = {tool: suno, screen: sunoScreen} as unknown as Parameters<typeof openScreen>[0]

const task = (id: string, type: string, data: Record<string, unknown>): Task => ({
  id,
  type,
  created_at: now - 60,
  request: {prompt: `prompt ${id}`},
  response: {success: true, task_id: id, data},
})
const songWith = (video: string) =>
  task('a', 'audios', {id: 's-1', title: 'Tide', audio_url: 'https://cdn.example/a.mp3', video_url: video, lyric: ''})

describe('the button of a song', () => {
  const show = (playing: NowPlaying | undefined) => {
    const commands: SongCommands = {
      ...createCommands(),
      play: vi.fn(),
      select: vi.fn(),
      watch: vi.fn(),
      lead: () => undefined,
      songMenu: () => [],
    }
    const view = renderView(
      <SongGroup
        card={card('succeeded', {key: 'foo', reading: {artifacts: [song()]}})}
        heading={undefined}
        index={0}
        count={1}
        isCurrent
        onCurrent={vi.fn()}
        marks={{}}
        now={playing}
        selected={undefined}
        commands={commands}
      />,
    )
    const drawn = screen.getByRole('button', {name: /^(?:Play|Pause) Tide$/}).innerHTML
    view.unmount()
    return drawn
  }

  test('looks the same for a song that waits paused and for one that was never on: it plays', () => {
    expect(show({id: 'foo/0', isPlaying: false})).toBe(show(undefined))
    expect(show({id: 'foo/0', isPlaying: true})).not.toBe(show(undefined))
  })
})

test('a pointer near the songs prepares the player, and a press asks it for the song among all of them', async () => {
  const {media} = await openScreen(shown, {tasks: [songWith('')], hasPlayer: false})
  expect(media.player.prepare).not.toHaveBeenCalled()
  const play = screen.getByRole('button', {name: 'Play Tide'})
  fireEvent.focus(play)
  expect(media.player.prepare).toHaveBeenCalled()
  fireEvent.click(play)
  const song = expect.objectContaining({url: 'https://cdn.example/a.mp3', title: 'Tide'})
  expect(media.player.play).toHaveBeenCalledExactlyOnceWith({track: song, queue: [song]})
})

test.each([
  [{prompt: 'foo'}, 'folk'],
  [{action: 'cover', audio_id: 's-1', custom: true}, 'Cover · folk'],
  [{action: 'extend', audio_id: 's-1', custom: true, continue_at: 95}, 'Extended from 1:35 · folk'],
  [{action: 'upload_extend', audio_id: 's-1', custom: true}, 'Extension · folk'],
  [{action: 'concat', audio_id: 's-1'}, 'Whole song · folk'],
  [{action: 'stems', audio_id: 's-1'}, 'Separate voice and music · folk'],
])('a row says under its title what the song is: %j', async (request, said) => {
  const data = {id: 's-2', title: 'Tide', style: 'folk', audio_url: 'https://cdn.example/a.mp3', lyric: ''}
  await openScreen(shown, {tasks: [{...task('a', 'audios', data), request}]})
  expect((await screen.findByText('Tide', {selector: 'b'})).nextElementSibling?.textContent).toBe(said)
})

test('a recording is called as its file and said to be an own one', async () => {
  const upload = {
    ...task('a', 'audios', {audio_id: 'u-1', title: 'Hum'}),
    request: {audio_url: 'https://cdn.example/hum.mp3'},
  }
  await openScreen(shown, {tasks: [upload]})
  expect((await screen.findByText('Hum', {selector: 'b'})).nextElementSibling?.textContent).toBe('Your own audio')
})

test('the filters count songs, as the list shows them', async () => {
  const song = (id: string) => ({id, title: id, audio_url: `https://cdn.example/${id}.mp3`})
  const pair: Task = {...songWith(''), response: {success: true, task_id: 'a', data: [song('s-1'), song('s-2')]}}
  await openScreen(shown, {tasks: [pair], total: 3})
  // of two tasks nothing is read yet
  expect(await screen.findByRole('button', {name: 'All 4'})).toBeVisible()
  expect(screen.getAllByRole('button', {name: /^Play s-/})).toHaveLength(2)
})

test.each([
  ['done', {success: true, state: 'succeeded'}, ['Extend', 'Cover', 'Separate voice and music', 'Make a video']],
  ['still being made', {state: 'running'}, []],
])(
  'what can be made of a song that is %s',
  async (_what, {success, state}: {success?: boolean; state: string}, offered) => {
    const data = [{id: 's-1', title: 'Tide', audio_url: 'https://cdn.example/a.mp3', lyric: '', state}]
    await openScreen(shown, {tasks: [{...songWith(''), response: {task_id: 'a', success, data}}]})
    const row = within(await screen.findByRole('article'))
    expect(row.getByText('Tide')).toBeVisible()
    for (const more of row.queryAllByRole('button', {name: 'More for Tide'})) {
      fireEvent.focus(more)
      fireEvent.click(more)
      await screen.findByRole('menu')
    }
    const labels = screen.queryAllByRole('menuitem').map(({textContent}) => textContent)
    const known = ['Extend', 'Cover', 'Separate voice and music', 'Make a video']
    expect(known.filter((name) => labels.some((label) => label.startsWith(name)))).toEqual(offered)
  },
)

describe('the video of a song', () => {
  const openMenu = async () => {
    const more = await screen.findByRole('button', {name: 'More for Tide'})
    fireEvent.focus(more)
    fireEvent.click(more)
    return within(await screen.findByRole('menu'))
  }

  test('can be watched over the page and saved', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response('foo', {status: 404}))
    const {media} = await openScreen(shown, {tasks: [songWith('https://cdn.example/a.mp4')]})
    fireEvent.click((await openMenu()).getByRole('menuitem', {name: 'Watch video'}))
    const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
    expect(dialog.querySelector('video')?.src).toBe('https://cdn.example/a.mp4')
    fireEvent.click(within(dialog).getByRole('button', {name: 'Close'}))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click((await openMenu()).getByRole('menuitem', {name: 'Download video'}))
    await waitFor(() => expect(media.notify).toHaveBeenCalledTimes(1))
    expect(fetched.mock.calls.map(([url]) => url)).toEqual(['https://cdn.example/a.mp4'])
  })

  test('is not offered where there is none: it can be made', async () => {
    await openScreen(shown, {tasks: [songWith('')]})
    const menu = await openMenu()
    expect(menu.queryByRole('menuitem', {name: 'Watch video'})).toBeNull()
    expect(menu.getByRole('menuitem', {name: /^Make video|video/i})).toBeVisible()
  })

  const videoTask = (id: string, data?: {video_url: string}): Task => ({
    id,
    type: 'audios',
    created_at: now - 30,
    request: {audio_id: 's-1'},
    response: data === undefined ? {task_id: id} : {success: true, task_id: id, data},
  })
  const rows = () => screen.getAllByRole('article')
  const menuLabels = async () => (await openMenu()).getAllByRole('menuitem').map(({textContent}) => textContent)

  test('shows in the line of its song while it is made and is not sold twice, then it is there to save', async () => {
    const {actors} = await openScreen(shown, {tasks: [songWith(''), videoTask('f')]})
    expect(await screen.findByText('Preparing video')).toBeVisible()
    expect(rows()).toHaveLength(1)
    const early = await menuLabels()
    expect(early.filter((label) => /video/i.test(label))).toEqual([])
    fireEvent.keyDown(screen.getByRole('menu'), {key: 'Escape'})
    const made = toTaskRecord(suno, videoTask('f', {video_url: 'https://cdn.example/f.mp4'}))
    act(() => actors.list.send({type: 'tasks.polled', records: [made]}))
    expect(screen.queryByText('Preparing video')).toBeNull()
    expect(rows()).toHaveLength(1)
    expect((await menuLabels()).filter((label) => /video/i.test(label))).toEqual(['Watch video', 'Download video'])
  })

  test('counts with its song, and alone where that one does not show', async () => {
    await openScreen(shown, {tasks: [songWith(''), videoTask('f')]})
    expect(await screen.findByRole('button', {name: 'All 1'})).toBeVisible()
    expect(screen.getByRole('button', {name: 'In progress 1'})).toBeVisible()
  })

  test('that failed stands in a line of its own and can be made again', async () => {
    const failed: Task = {
      ...videoTask('f'),
      response: {success: false, task_id: 'f', error: {code: 'api_error', message: 'foo'}},
    }
    await openScreen(shown, {tasks: [songWith(''), failed]})
    expect(rows()).toHaveLength(2)
    expect(screen.queryByText('Preparing video')).toBeNull()
    expect((await menuLabels()).filter((label) => /make a video/i.test(label))).toHaveLength(1)
  })

  test('is called as its song where that one does not show', async () => {
    await openScreen(shown, {tasks: [songWith(''), videoTask('f')]})
    fireEvent.click(await screen.findByRole('button', {name: /^In progress/}))
    expect(await screen.findByRole('article', {name: 'Tide'})).toBeVisible()
    expect(rows()).toHaveLength(1)
    expect(screen.queryByText('Untitled')).toBeNull()
  })

  test('that the address names leads to the line of its song', async () => {
    const made = videoTask('f', {video_url: 'https://cdn.example/f.mp4'})
    const {goTo} = await openScreen(shown, {tasks: [songWith(''), made]})
    goTo('f', 'visit')
    await waitFor(() => expect(document.activeElement).toBe(rows()[0]))
  })

  test('that was made by a task of its own opens from its line', async () => {
    await openScreen(shown, {tasks: [task('b', 'mp4', {video_url: 'https://cdn.example/b.mp4'})]})
    fireEvent.click(await screen.findByRole('button', {name: 'Play prompt b'}))
    const dialog = await screen.findByRole('dialog', {name: 'Viewer'})
    expect(dialog.querySelector('video')?.src).toBe('https://cdn.example/b.mp4')
  })
})
