import {fireEvent, screen} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {expect, test, vi} from 'vitest'
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
