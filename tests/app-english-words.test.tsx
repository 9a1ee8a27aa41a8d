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

test('what a button says about a value, a number or a choice has its English too', async () => {
  const german = await englishLabels('de', ['thread', 'media', 'midjourney'])
  expect(german('Von tracker.example laden')).toBe('Load from')
  expect(german('Aktionen für Reiher am See')).toBe('Actions for')
  expect(german('In Kling verwenden')).toBe('Use in')
  expect(german('4 Einträge')).toBe('entries')
  expect(german('Hochskaliert, oben rechts')).toBe('Upscaled, top right')
  // a label that is put together
  expect(german('Varianten: Reiher · Oben links')).toBe('Variations Top left')
  expect(german('Reiher am See')).toBe('')
})

test('a label of all languages has words in each', async () => {
  for (const [locale, label] of [
    ['ar', 'تحميل من tracker.example'],
    ['ja', 'tracker.example から読み込む'],
    ['fr', 'Charger depuis tracker.example'],
  ] as const) {
    const labels = await englishLabels(locale, ['thread'])
    expect(labels(label), locale).toBe('Load from')
  }
})
