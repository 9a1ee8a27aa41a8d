import {expect, test} from 'vitest'
import {pageGroup} from '#app/commands/page-commands.tsx'
import {englishLabels, englishWords} from '#app/english-words.ts'

test('the palette finds pages by English words beside those of the language of the page', async () => {
  const english = await englishWords(['commands'])
  const {entries} = pageGroup({text: (id) => `de ${id}`, english, go: () => undefined}, true)
  expect(entries.find(({label}) => label === 'de index.commandSharedLinks')?.words).toBe('Shared links')
  expect(entries.filter(({words}) => words === undefined)).toEqual([])
})

test('what a button says in another language has its English, in English itself there is nothing to add', async () => {
  const german = await englishLabels('de', ['commands', 'thread'])
  expect(german('Umbenennen')).toBe('Rename')
  expect(german('Neu antworten')).toBe('Answer again')
  expect(german('Reiher')).toBe('')
  expect((await englishLabels('en', ['commands', 'thread']))('Rename')).toBeUndefined()
})

test('a language that cannot be read leaves the actions with their own words', async () => {
  const none = await englishLabels('xx', ['thread'])
  expect(none('Umbenennen') ?? '').toBe('')
})
