import {expect, test, vi} from 'vitest'
import {actionGroup, pageGroup, settingsGroup, toolGroup} from '#app/commands/page-commands.tsx'
import {matchingCommands} from '#features/shell/commands/matching-commands.ts'
import {withMoreWords} from '#features/shell/commands/more-words.ts'
import {tools} from '#features/shell/tools.ts'

const making = (go = vi.fn()) => ({text: (id: string) => id, english: (id: string) => `english ${id}`, go})

test('the palette leads to the links to copies where the back end makes them', () => {
  const go = vi.fn()
  const find = (offersShares: boolean) =>
    pageGroup(making(go), offersShares).entries.find(({label}) => label === 'index.commandSharedLinks')
  expect(find(false)).toBeUndefined()
  void find(true)?.run()
  expect(go).toHaveBeenCalledWith('/profile#shares')
})

test('the palette leads to the pages, to every tool and to the results of media tools', () => {
  const go = vi.fn()
  for (const {run} of [...pageGroup(making(go), false).entries, ...toolGroup(making(go), tools).entries]) void run()
  const addresses = go.mock.calls.map(([address]) => address)
  expect(addresses).toEqual(expect.arrayContaining(['/compare', '/console/usages', '/console/orders', '/profile']))
  expect(addresses).toEqual(expect.arrayContaining(tools.map(({id}) => `/${id}`)))
  expect(addresses).toContain('/kling/history')
  expect(addresses).not.toContain('/chatgpt/history')
})

test('the word of a section finds its pages, in the language of the page and in English', () => {
  const words: Record<string, string> = {'index.console': 'Konsole', 'index.distribution': 'Einladen'}
  const german = {...making(), text: (id: string) => words[id] ?? id}
  const group = withMoreWords(pageGroup(german, true), {english: () => undefined, others: () => ''})
  const found = (query: string) =>
    matchingCommands([group], {query, recent: [], recentHeading: ''})
      .flatMap(({entries}) => entries.map(({id}) => id.replace('page/', '')))
      .toSorted()
  const ofConsole = ['console/applications', 'console/orders', 'console/usages']
  expect(found('konsole')).toEqual(ofConsole)
  expect(found('english index.console')).toEqual(ofConsole)
  expect(found('einladen')).toEqual(['distribution', 'distribution/history', 'distribution/invitees'])
})

test('the palette has every tab of the settings, each theme and each language', () => {
  const onTheme = vi.fn()
  const onLocale = vi.fn()
  const {entries} = settingsGroup(making(), {onTheme, onLocale, offersImport: true, locale: 'fr'})
  const ids = entries.map(({id}) => id)
  const tabs = ['general', 'chat', 'appearance', 'language', 'keys', 'data'].map((tab) => `settings/${tab}`)
  expect(ids).toEqual(expect.arrayContaining([...tabs, 'import', 'export']))
  for (const {id, run} of entries) if (/^(theme|language)\//.test(id)) void run()
  expect(onTheme.mock.calls.flat()).toEqual(['light', 'dark', 'system'])
  expect(onLocale).toHaveBeenCalledTimes(18)
  // a language by its own name, in English and in the language of the page
  for (const name of ['Deutsch', 'German', 'allemand'])
    expect(entries.filter(({label, words}) => `${label} ${words}`.includes(name)).map(({id}) => id)).toEqual([
      'language/de',
    ])
})

test('the palette prints a conversation and signs out, where there is one to print and a user', () => {
  const others = {print: vi.fn(), signOut: vi.fn()}
  const {entries} = actionGroup(making(), others)
  expect(entries.map(({id, label}) => [id, label])).toEqual([
    ['print', 'index.commandPrint'],
    ['signOut', 'index.signOut'],
  ])
  for (const {run} of entries) void run()
  for (const run of Object.values(others)) expect(run).toHaveBeenCalledOnce()
  expect(actionGroup(making(), {print: undefined, signOut: undefined}).entries).toEqual([])
})
