import {expect, test} from 'vitest'
import {pageGroup} from '#app/commands/page-commands.tsx'
import {englishWords} from '#app/english-words.ts'

test('the palette finds pages by English words beside those of the language of the page', async () => {
  const english = await englishWords(['commands'])
  const {entries} = pageGroup({text: (id) => `de ${id}`, english, go: () => undefined}, true)
  expect(entries.find(({label}) => label === 'de index.commandSharedLinks')?.words).toBe('Shared links')
  expect(entries.filter(({words}) => words === undefined)).toEqual([])
})
