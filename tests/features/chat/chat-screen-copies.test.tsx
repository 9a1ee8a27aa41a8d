import {fireEvent, screen, waitFor} from '@testing-library/react'
import {beforeAll, expect, onTestFinished, test, vi} from 'vitest'
import {listenToKeys} from '#browser/key-listener.ts'
import '#ui/overlays/menu-overlay.tsx'
import {record} from './chat-fixture.tsx'
import {showScreen, settled} from './chat-screen-fixture.tsx'

beforeAll(async () => void (await listenToKeys()()))

/** Records the texts that the page copies. */
function watchCopies() {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async () => undefined)
  onTestFinished(() => write.mockRestore())
  return write
}

test('an answer is copied without its reasoning, by its button and by the key for the last one', async () => {
  const write = watchCopies()
  await showScreen('a', {records: [settled({content: '<think>hm</think>\n\nthe **answer**'})]})
  fireEvent.click(await screen.findByRole('button', {name: 'Copy as Markdown'}))
  await waitFor(() => expect(write).toHaveBeenCalledTimes(1))
  fireEvent.keyDown(document.body, {key: 'C', ctrlKey: true, shiftKey: true})
  await waitFor(() => expect(write).toHaveBeenCalledTimes(2))
  expect(write.mock.calls).toEqual([['the **answer**'], ['the **answer**']])
})

test('nothing is copied of an answer that has reasoning alone', async () => {
  const write = watchCopies()
  await showScreen('a', {records: [settled({content: '<think>hm</think>'})]})
  await screen.findAllByRole('button', {name: 'More actions'})
  expect(screen.queryByRole('button', {name: 'Copy as Markdown'})).toBeNull()
  fireEvent.keyDown(document.body, {key: 'C', ctrlKey: true, shiftKey: true})
  expect(write).not.toHaveBeenCalled()
})

test.each([
  ['Copied', async () => undefined],
  ["Couldn't copy", () => Promise.reject(new Error('foo'))],
])('the key that copies the last answer says what became of it: %s', async (said, writeText) => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText)
  onTestFinished(() => write.mockRestore())
  await showScreen('a', {records: [settled({content: 'the answer'})]})
  await screen.findByText('the answer')
  fireEvent.keyDown(document.body, {key: 'C', ctrlKey: true, shiftKey: true})
  expect((await screen.findByText(said)).getAttribute('role')).toBe('status')
})

test('a question is copied as it was written from its menu, also where the browser refuses the clipboard', async () => {
  const write = watchCopies()
  const selected: string[] = []
  // as: the field of the copy
  document.execCommand = () => selected.push((document.activeElement as HTMLTextAreaElement).value) > 0
  onTestFinished(() => void Reflect.deleteProperty(document, 'execCommand'))
  await showScreen('a', {
    records: [record('a', {messages: [{role: 'user', content: '#include <x>\n* the **question**'}]})],
  })
  const copyText = async () => {
    fireEvent.click(await screen.findByRole('button', {name: 'More actions'}))
    fireEvent.click(await screen.findByRole('menuitem', {name: 'Copy as text'}))
  }
  await copyText()
  expect(write.mock.calls).toEqual([['#include <x>\n* the **question**']])
  write.mockRejectedValue(new DOMException('no', 'NotAllowedError'))
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  await copyText()
  await waitFor(() => expect(selected).toEqual(['#include <x>\n* the **question**']))
})
