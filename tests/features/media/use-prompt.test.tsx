import {fireEvent, screen, waitFor, within} from '@testing-library/react'
import {beforeEach, describe, expect, test} from 'vitest'
import {klingTask, openKling, useWidth} from './open-screen.tsx'

beforeEach(() => void useWidth(1_440))

const names = (items: readonly HTMLElement[]) => items.map(({textContent}) => textContent)

describe('the prompt of a video goes to what takes words', () => {
  test('from its card', async () => {
    const {media} = await openKling({tasks: [klingTask('a')]})
    fireEvent.click(useInButton())
    fireEvent.click(await screen.findByRole('menuitem', {name: 'Use prompt in…'}))
    const targets = within(await screen.findByRole('menu', {name: 'Use prompt in…'}))
    expect(targets.getAllByRole('group').map((group) => names(within(group).getAllByRole('menuitem')))).toEqual([
      ['ChatGPTAs a message'],
      ['KlingPrompt'],
    ])
    fireEvent.click(targets.getByRole('menuitem', {name: /^ChatGPT/}))
    expect(media.useIn.mock.lastCall?.[0]).toEqual({
      kind: 'chat',
      as: 'question',
      value: 'prompt a',
      group: 'chatgpt',
      name: 'ChatGPT',
    })
  })

  test('from the viewer', async () => {
    const {media} = await openKling({tasks: [klingTask('a')]})
    fireEvent.click(await screen.findByRole('button', {name: 'Play Result of: prompt a'}))
    const dialog = within(await screen.findByRole('dialog', {name: 'Viewer'}))
    fireEvent.click(await dialog.findByRole('button', {name: 'Use prompt in…'}))
    fireEvent.click(await screen.findByRole('menuitem', {name: /^Kling/}))
    expect(media.useIn.mock.lastCall?.[0]).toEqual({
      kind: 'tool',
      tool: 'kling',
      input: {field: 'prompt', medium: 'text', label: 'common.mediaPrompt', most: 1},
      value: 'prompt a',
    })
  })

  test('and is not offered where nothing was written', async () => {
    await openKling({tasks: [klingTask('a', {request: {start_image_url: 'https://cdn.example/a.png'}})]})
    fireEvent.click(useInButton())
    await waitFor(() => expect(screen.getByRole('menu')).toBeVisible())
    expect(screen.queryByRole('menuitem', {name: 'Use prompt in…'})).toBeNull()
    fireEvent.keyDown(screen.getByRole('menu'), {key: 'Escape'})
    fireEvent.click(await screen.findByRole('button', {name: 'Play Result of: Untitled'}))
    const dialog = within(await screen.findByRole('dialog', {name: 'Viewer'}))
    await dialog.findByRole('button', {name: 'Reuse settings'})
    expect(dialog.queryByRole('button', {name: 'Use prompt in…'})).toBeNull()
  })
})

function useInButton(): HTMLElement {
  const button = document.querySelector<HTMLElement>('[data-use-in]')
  if (button === null) throw new Error('No button')
  return button
}
