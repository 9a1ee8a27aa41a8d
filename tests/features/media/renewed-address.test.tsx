import {fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, expect, test} from 'vitest'
import {klingTask, openKling, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

const own = 'https://own.test/a.mp4'
const task = klingTask('a', {
  response: {success: true, task_id: 'a', video_id: 'v-a', video_url: own, state: 'succeed'},
})
const askDialog = () => screen.findByRole('dialog', {name: 'Give this file a new address?'})
const gone = () =>
  waitFor(() => expect(screen.queryByRole('dialog', {name: 'Give this file a new address?'})).toBeNull())

test('the address of a result is renewed from the viewer once that is confirmed, and its task is read again', async () => {
  const {media, pages} = await openKling({tasks: [task]})
  fireEvent.click(await screen.findByRole('button', {name: 'Play Result of: prompt a'}))
  const viewer = within(await screen.findByRole('dialog', {name: 'Viewer'}))
  expect((await viewer.findByRole('link', {name: 'Open original'})).getAttribute('href')).toBe(own)
  fireEvent.click(await viewer.findByRole('button', {name: 'Renew address'}))
  fireEvent.click(within(await askDialog()).getByRole('button', {name: 'Cancel'}))
  await gone()
  expect(media.renewal.renew).not.toHaveBeenCalled()

  const reads = pages.length
  fireEvent.click(viewer.getByRole('button', {name: 'Renew address'}))
  fireEvent.click(within(await askDialog()).getByRole('button', {name: 'Renew address'}))
  await gone()
  expect(media.renewal.renew).toHaveBeenCalledExactlyOnceWith(own)
  expect(media.notify).toHaveBeenCalledWith({kind: 'success', textId: 'common.mediaRenewed'})
  await waitFor(() => expect(pages.length).toBeGreaterThan(reads))
})

test('it is renewed from the menu of its card, where the file is one of this server', async () => {
  const {media} = await openKling({tasks: [klingTask('b'), task]})
  const entryOf = async (prompt: string) => {
    const card = screen.getAllByRole('article').find((each) => within(each).queryByText(prompt) !== null)
    if (card === undefined) throw new Error(`No card has the prompt ${prompt}.`)
    fireEvent.click(within(card).getByRole('button', {name: /^More/}))
    await screen.findByRole('menu')
    return screen.queryByRole('menuitem', {name: /^Renew address/})
  }
  expect(await entryOf('prompt b')).toBeNull()
  fireEvent.keyDown(screen.getByRole('menu'), {key: 'Escape'})
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  fireEvent.click((await entryOf('prompt a')) ?? document.body)
  fireEvent.click(within(await askDialog()).getByRole('button', {name: 'Renew address'}))
  await gone()
  expect(media.renewal.renew).toHaveBeenCalledExactlyOnceWith(own)
})
