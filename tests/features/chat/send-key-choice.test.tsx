import {fireEvent, screen} from '@testing-library/react'
import {expect, onTestFinished, test, vi} from 'vitest'
import {remembered, sendKey} from '#browser/remembered-value.ts'
import {SendKeyChoice} from '#features/chat/send-key-choice.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {renderView} from '#tests/ui/render.tsx'

test('the key that sends is chosen in the settings and is that of the next page too', async () => {
  onTestFinished(() => sendKey.set('enter'))
  renderView(<SendKeyChoice />)
  fireEvent.click(screen.getByRole('radio', {name: 'Ctrl + Enter'}))
  expect(sendKey.get()).toBe('modifier')
  const nextPage = remembered('atrium.send', (text) => text, String)
  expect(nextPage.get()).toBe('modifier')
})

test('on touch, where Enter breaks the line whatever is chosen, there is no choice', () => {
  const original = window.matchMedia.bind(window)
  const pointer = vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => original(query === coarsePointer ? 'all' : query))
  onTestFinished(() => pointer.mockRestore())
  const {container} = renderView(<SendKeyChoice />)
  expect(container.textContent).toBe('')
})
