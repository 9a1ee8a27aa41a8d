import {describe, expect, test} from 'vitest'
import type {CommandGroup} from '#features/shell/commands/command-entry.ts'
import {matchingCommands} from '#features/shell/commands/matching-commands.ts'
import {withLatin, withMoreWords} from '#features/shell/commands/more-words.ts'
import {tools} from '#features/shell/tools.ts'
import {readLocale} from '#tools/locales.mjs'

const entry = (label: string, words?: string) => ({id: label, label, words, run: () => undefined})
const english: CommandGroup[] = [
  {id: 'actions', heading: 'Actions', entries: [entry('New chat'), entry('Print'), entry('Log out')]},
  {id: 'conversation', heading: 'This conversation', entries: [entry('Share…'), entry('Rename'), entry('Delete')]},
  {id: 'conversations', heading: 'Conversations', entries: [entry('Rename the harbour'), entry('Night trains')]},
  {id: 'pages', heading: 'Go to', entries: [entry('Applications'), entry('Profile'), entry('Usage')]},
  {
    id: 'settings',
    heading: 'Settings',
    entries: [entry('Settings: General', 'Settings General'), entry('Theme: Dark', 'Theme Dark')],
  },
]
function wordsOf(locale: string): (id: string) => string {
  const messages = readLocale(locale)
  return (id) => messages[`words.${id}`] ?? ''
}
const inEnglishWords = wordsOf('en')
const found = (
  groups: readonly CommandGroup[],
  query: string,
  inEnglish: Record<string, string> = {},
  others = inEnglishWords,
) =>
  matchingCommands(
    groups.map((group) => withMoreWords(group, {english: (text) => inEnglish[text], others})),
    {query, recent: [], recentHeading: 'Recent'},
  ).flatMap(({entries}) => entries.map(({label}) => label))

describe('commands are found by what one calls them', () => {
  test.each([
    ['share conversation', 'Share…'],
    ['delete this conversation', 'Delete'],
    ['start a new conversation', 'New chat'],
    ['dark mode', 'Theme: Dark'],
    ['credits', 'Applications'],
    ['api key', 'Applications'],
    ['password', 'Profile'],
    ['notifications', 'Settings: General'],
    ['sign out', 'Log out'],
    ['pdf', 'Print'],
    ['go to usage', 'Usage'],
  ])('%s', (query, first) => expect(found(english, query)[0]).toBe(first))
  test('after those whose names are like it, and of titles by nothing but their heading', () => {
    expect(found(english, 'night')).toEqual(['Night trains', 'Theme: Dark'])
    expect(found(english, 'title')).toEqual(['Rename'])
    expect(found(english, 'conversation harbour')).toEqual(['Rename the harbour'])
  })
  test('in another language too, by its headings and by English words', () => {
    const german: CommandGroup[] = [
      {id: 'conversation', heading: 'Diese Unterhaltung', entries: [entry('Teilen…', 'Share…')]},
      {id: 'settings', heading: 'Einstellungen', entries: [entry('Design: Dunkel', 'Theme Dark')]},
    ]
    const headings = {'Diese Unterhaltung': 'This conversation'}
    expect(found(german, 'unterhaltung teilen', headings)).toEqual(['Teilen…'])
    expect(found(german, 'share conversation', headings)).toEqual(['Teilen…'])
    expect(found(german, 'night', headings)).toEqual(['Design: Dunkel'])
  })
  test('in Serbian, written in Latin letters, with and without their marks', () => {
    const serbian = withMoreWords(
      {id: 'actions', heading: 'Радње', entries: [entry('Подешавања', 'Settings'), entry('Пређи', 'Profile')]},
      {english: () => undefined, others: wordsOf('sr')},
    )
    const labels = (query: string) =>
      matchingCommands([withLatin(serbian)], {query, recent: [], recentHeading: ''}).flatMap(({entries}) =>
        entries.map(({label}) => label),
      )
    for (const query of ['podešavanja', 'podesavanja', 'konfiguracija']) expect(labels(query)).toEqual(['Подешавања'])
    for (const query of ['pređi', 'predji', 'uređaji']) expect(labels(query)).toEqual(['Пређи'])
  })
  test('short Latin words count without their last letter in Serbian alone', () => {
    expect(found(english, 'themu')).toEqual([])
  })
  test('every message of the words belongs to a command', () => {
    const names = [
      ...[
        'new chat',
        'go to the message field',
        'copy the last answer',
        'find in conversation',
        'stop the answer',
        'undo',
      ],
      ...['search conversations', 'show or hide the panel', 'settings general', 'settings chat', 'settings appearance'],
      ...['settings data', 'settings keys', 'theme dark', 'theme light', 'theme system', 'language german', 'export'],
      ...[
        'import conversations',
        'applications',
        'orders',
        'usage',
        'rewards',
        'invite',
        'invitees',
        'profile',
        'site',
      ],
      ...['ask several models', 'shared links', 'log out', 'print', 'delete', 'rename', 'share…', 'pin', 'archive'],
      ...['labels…', 'select', 'instructions', 'answer again', 'answer with a model', 'read aloud', 'what happened'],
      ...['branch from here', 'questions', 'edit', 'copy message', 'image', 'video', 'music', 'kling history'],
      ...['show the archive', 'save as a file'],
    ]
    const toolEntries = tools.map(({id}) => ({...entry(''), id: `tool/${id}`}))
    const ids = new Set<string>()
    withMoreWords(
      {id: 'conversation', heading: '', entries: [...names.map((name) => entry(name)), ...toolEntries]},
      {english: () => undefined, others: (id) => `${ids.add(id).size}`},
    )
    const keys = Object.keys(readLocale('en')).filter((id) => id.startsWith('words.'))
    expect([...ids].map((id) => `words.${id}`).toSorted()).toEqual(keys.toSorted())
  })
})
