import {beforeEach, expect, test} from 'vitest'
import {recentCommands, rememberCommand} from '#browser/recent-commands.ts'
import {usedCommands} from '#browser/remembered-value.ts'

const key = 'atrium.commands'

/** The stored text is read, as by another page. */
const readStored = () => dispatchEvent(new StorageEvent('storage', {key, newValue: localStorage.getItem(key)}))

beforeEach(() => usedCommands.set([]))

test('another page has the commands that were used last, the last one first', () => {
  const ids = ['page/profile#shares', 'tool/kling', 'history/kling', 'settings/data', 'model/chatgpt/gpt-4.1', 'print']
  for (const id of [...ids, 'tool/kling']) rememberCommand(id)
  readStored()
  expect(recentCommands()).toEqual([
    'tool/kling',
    'print',
    'model/chatgpt/gpt-4.1',
    'settings/data',
    'history/kling',
    'page/profile#shares',
  ])
})

test('conversations and tasks are remembered by their id', () => {
  const ids = ['chat/0192f0c4-7d1c-7c3e-9c55-3f5f6d0b8a11', 'task/kling/0192f0c4-7d1c-7c3e-9c55-3f5f6d0b8a12']
  for (const id of ids) rememberCommand(id)
  readStored()
  expect(recentCommands()).toEqual(ids.toReversed())
})

test('words of a user and the end of the session are not remembered', () => {
  for (const id of [
    'focused/My divorce and the house',
    'last/Copy',
    'conversation/rename',
    'task/kling/My divorce',
    'chat/My divorce and the house',
    'chat/short',
    'model/chatgpt/two words',
    'signOut',
  ])
    rememberCommand(id)
  expect(localStorage.getItem(key)).toBeNull()
})

test('what an older build stored with words of a user is not listed', () => {
  localStorage.setItem(key, 'settings/data focused/My divorce and the house print')
  readStored()
  expect(recentCommands()).toEqual([])
  rememberCommand('print')
  expect(localStorage.getItem(key)).toBe('print')
})

test('with the session they are gone, from the device too', () => {
  rememberCommand('print')
  usedCommands.set([])
  expect([recentCommands(), localStorage.getItem(key)]).toEqual([[], null])
})
