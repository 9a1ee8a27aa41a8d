import {fireEvent, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {describe, expect, test, vi} from 'vitest'
import type {CommandGroup} from '#features/shell/commands/command-entry.ts'
import {CommandPalette} from '#features/shell/commands/command-palette.tsx'
import {matchingCommands} from '#features/shell/commands/matching-commands.ts'
import {renderView} from './render.tsx'

const entry = (id: string, label: string, words?: string) => ({id, label, words, run: () => undefined})
const groups = [
  {id: 'pages', heading: 'Go to', entries: [entry('usage', 'Nutzung', 'Usage'), entry('orders', 'Bestellungen')]},
  {
    id: 'tools',
    heading: 'Tools',
    entries: Array.from({length: 9}, (_, index) => entry(`tool/${index}`, `Tool ${index}`)),
  },
]
const listed = (query: string, recent: string[] = []) =>
  matchingCommands(groups, {query, recent, recentHeading: 'Recent'}).map(({heading, entries}) => [
    heading,
    entries.map(({id}) => id),
  ])

test('without a query what was used last comes first and is listed once; a command that is gone is left out', () =>
  expect(listed('', ['orders', 'gone'])).toEqual([
    ['Recent', ['orders']],
    ['Go to', ['usage']],
    ['Tools', ['tool/0', 'tool/1', 'tool/2', 'tool/3', 'tool/4', 'tool/5']],
  ]))

test('a query finds by the shown name and by the English one, the best group first', () => {
  expect(listed('usage')).toEqual([['Go to', ['usage']]])
  expect(listed('nutz')).toEqual([['Go to', ['usage']]])
  expect(listed('tool 7')).toEqual([['Tools', ['tool/7']]])
})

describe('two letters typed in the wrong order', () => {
  const named = [
    // the name counts more than another word
    {id: 'data', heading: 'Data', entries: [{...entry('daten', 'Daten'), moreWords: 'sichern export'}]},
    {
      id: 'actions',
      heading: 'Actions',
      entries: [
        entry('form', 'The form'),
        entry('export', 'Export all conversations'),
        entry('from', 'Go on from here'),
      ],
    },
  ]
  const found = (query: string) =>
    matchingCommands(named, {query, recent: [], recentHeading: 'Recent'}).flatMap(({entries}) =>
      entries.map(({id}) => id),
    )
  test.each([
    ['exprot', ['export', 'daten']],
    ['expor', ['export', 'daten']],
    ['xeport', ['export', 'daten']],
    ['exoprt', ['export', 'daten']],
    ['exprot all', ['export']],
    ['convesrations', ['export']],
    // one pair, and neighbours
    ['epxrot', []],
    ['exptro', []],
    // what is found as it is typed comes first
    ['form', ['form', 'from']],
    ['from', ['from', 'form']],
    // of three letters or fewer too many words are made
    ['ogn', []],
    ['teh', []],
  ])('%s', (query, ids) => expect(found(query)).toEqual(ids))
})

describe('what cannot be run now', () => {
  const unavailable = 'Needs a key.'
  const models = {
    id: 'models',
    heading: 'Models',
    entries: [{...entry('gpt-5', 'GPT-5'), unavailable}, entry('gpt-4', 'GPT-4 or GPT-5 turbo')],
  }
  const others = {id: 'conversations', heading: 'Conversations', entries: [entry('talk', 'Why is gpt-5 slow?')]}
  const ids = (query: string, some: readonly CommandGroup[], recent: string[] = []) =>
    matchingCommands(some, {query, recent, recentHeading: 'Recent'}).flatMap(({entries}) => entries.map(({id}) => id))

  test('is listed to a search alone, below what can be run', () => {
    expect(ids('', [models], ['gpt-5'])).toEqual(['gpt-4'])
    expect(ids('gpt-5', [models], ['gpt-5'])).toEqual(['gpt-4', 'gpt-5'])
    const alone = {...models, entries: models.entries.slice(0, 1)}
    expect(ids('gpt-5', [alone, others])).toEqual(['talk', 'gpt-5'])
  })

  test('says why, and neither Enter nor a click runs it', async () => {
    const onRun = vi.fn()
    await renderView(
      <CommandPalette groups={[models]} recent={[]} isToggle={() => false} onRun={onRun} onClose={() => undefined} />,
    )
    await userEvent.type(await screen.findByRole('combobox'), 'gpt-5{ArrowDown}{Enter}')
    const option = screen.getByRole('option', {selected: true})
    expect([option.getAttribute('aria-disabled'), option.textContent]).toEqual(['true', 'GPT-5Needs a key.'])
    await userEvent.click(option)
    expect(onRun).not.toHaveBeenCalled()
    await userEvent.keyboard('{ArrowUp}{Enter}')
    expect(onRun).toHaveBeenCalledOnce()
  })
})

test('arrow keys choose, Enter runs, and the list says what is chosen', async () => {
  const onRun = vi.fn()
  await renderView(
    <CommandPalette groups={groups} recent={[]} isToggle={() => false} onRun={onRun} onClose={() => undefined} />,
  )
  const field = await screen.findByRole('combobox')
  const chosen = () => document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.textContent
  await userEvent.click(field)
  expect(chosen()).toBe('Nutzung')
  await userEvent.keyboard('{ArrowUp}')
  expect(chosen()).toBe('Tool 5')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Enter}')
  expect(onRun.mock.calls.map(([run]) => (run as {id: string}).id)).toEqual(['orders'])
  await userEvent.type(field, 'tool 3')
  expect(screen.getByRole('option', {selected: true}).textContent).toBe('Tool 3')
})

test('the keys that opened it close it again, and not while they are held', async () => {
  const onClose = vi.fn()
  await renderView(
    <CommandPalette
      groups={groups}
      recent={[]}
      isToggle={({key, ctrlKey}) => key === 'k' && ctrlKey}
      onRun={() => undefined}
      onClose={onClose}
    />,
  )
  const field = await screen.findByRole('combobox')
  const isTaken = (repeat: boolean) => !fireEvent.keyDown(field, {key: 'k', ctrlKey: true, repeat})
  expect([isTaken(true), onClose.mock.calls.length]).toEqual([true, 0])
  expect([isTaken(false), onClose.mock.calls.length]).toEqual([true, 1])
})

test('Home and End lead to the ends of the list, or through the text where there is one', async () => {
  await renderView(
    <CommandPalette
      groups={groups}
      recent={[]}
      isToggle={() => false}
      onRun={() => undefined}
      onClose={() => undefined}
    />,
  )
  const field = await screen.findByRole<HTMLInputElement>('combobox')
  const chosen = () => screen.getByRole('option', {selected: true}).textContent
  await userEvent.click(field)
  await userEvent.keyboard('{End}')
  expect(chosen()).toBe('Tool 5')
  await userEvent.keyboard('{Home}')
  expect(chosen()).toBe('Nutzung')
  await userEvent.keyboard('{PageDown}{Shift>}{ArrowDown}{/Shift}{Control>}{ArrowDown}{/Control}')
  expect(chosen()).toBe('Tool 5')
  await userEvent.type(field, 'ool{Home}t')
  expect([field.value, chosen()]).toEqual(['tool', 'Tool 0'])
})

test('the last entry searches elsewhere for what is typed, also where nothing matches', async () => {
  const onRun = vi.fn()
  await renderView(
    <CommandPalette
      groups={groups}
      recent={[]}
      isToggle={() => false}
      searchOf={(query) => entry(`search/${query}`, `Search for ${query}`)}
      onRun={onRun}
      onClose={() => undefined}
    />,
  )
  const field = await screen.findByRole('combobox')
  const options = () => screen.getAllByRole('option').map(({textContent}) => textContent)
  expect(options()).not.toContain('Search for ')
  await userEvent.type(field, 'nutz')
  expect(options()).toEqual(['Nutzung', 'Search for nutz'])
  await userEvent.clear(field)
  await userEvent.type(field, ' kite ')
  expect(options()).toEqual(['Search for kite'])
  expect(screen.getByRole('status').textContent).toBe('Nothing matches.')
  await userEvent.keyboard('{Enter}')
  expect(onRun.mock.calls.map(([run]) => (run as {id: string}).id)).toEqual(['search/kite'])
})
