import {describe, expect, test} from 'vitest'
import type {CommandGroup} from '#features/shell/commands/command-entry.ts'
import {matchingCommands} from '#features/shell/commands/matching-commands.ts'
import {withMoreWords} from '#features/shell/commands/more-words.ts'

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
const found = (groups: readonly CommandGroup[], query: string, inEnglish: Record<string, string> = {}) =>
  matchingCommands(
    groups.map((group) => withMoreWords(group, (text) => inEnglish[text])),
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
})
