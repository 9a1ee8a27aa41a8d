import {fireEvent, screen} from '@testing-library/react'
import {expect, onTestFinished, test} from 'vitest'
import {remembered, sendKey} from '#browser/remembered-value.ts'
import {SendKeyChoice} from '#features/chat/send-key-choice.tsx'
import {renderView} from '#tests/ui/render.tsx'

test('the key that sends is chosen in the settings and is that of the next page too', async () => {
  onTestFinished(() => sendKey.set('enter'))
  renderView(<SendKeyChoice />)
  fireEvent.click(screen.getByRole('radio', {name: 'Ctrl + Enter'}))
  expect(sendKey.get()).toBe('modifier')
  const nextPage = remembered('atrium.send', (text) => text, String)
  expect(nextPage.get()).toBe('modifier')
})
