import {render} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {focusedCommands} from '#app/commands/focused-commands.ts'
import {LazyMenu} from '#features/media/feed/lazy-menu.tsx'
import {TextProvider} from '#tests/ui/render.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {Menu} from '#ui/menu.tsx'

const opener = 'Search and commands'

test('the actions of a card with a long title say what they do before the line ends', () => {
  const title = 'A harbour of marble and salt at the end of the coast'
  render(
    <article aria-labelledby="title">
      <p id="title">{title}</p>
      <button type="button" aria-label={`${title} herunterladen`} />
      <button type="button" aria-label={`Ergebnis von: ${title} öffnen`} />
      <button type="button">
        <b>Salt</b>
        <small>slow waltz</small>
      </button>
    </article>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const [group] = focusedCommands(document.querySelector('button'), headings, opener)
  expect(group?.entries.map(({label}) => label)).toEqual([
    'A harbour of marble and… herunterladen',
    'Ergebnis von: A harbour of marble and… öffnen',
    'Salt slow waltz',
  ])
})

test('a card with many results has all of its actions', () => {
  render(
    <article>
      {Array.from({length: 40}, (_, index) => (
        <button key={index} type="button">
          Action {index}
        </button>
      ))}
    </article>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const [group] = focusedCommands(document.querySelector('button'), headings, opener)
  expect(group?.entries.at(-1)?.label).toBe('Action 39')
})

test('an action of a submenu says which one, and is found by its English too', () => {
  const onSelect = vi.fn()
  const kling = {id: 'kling', label: 'Kling', onSelect: () => onSelect('prompt')}
  render(
    <TextProvider>
      <article>
        <Menu
          label="Mehr"
          trigger={(props) => (
            <button type="button" {...props}>
              Mehr
            </button>
          )}
          entries={[
            {
              kind: 'submenu',
              id: 'use',
              label: 'Verwenden in…',
              entries: [{...kling, onSelect: () => onSelect('use')}],
            },
            {kind: 'group', id: 'prompt', label: 'Prompt verwenden in…', items: [kling]},
            {kind: 'group', id: 'video', label: 'Video', items: [{...kling, id: 'suno', use: 'Verwenden in…'}]},
            {kind: 'group', id: 'chat', label: 'Chat', items: [{...kling, label: 'Grok', use: 'Verwenden in…'}]},
          ]}
        />
      </article>
    </TextProvider>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const english = (label: string) => ({'Verwenden in…': 'Use in…'})[label]
  const entries = focusedCommands(document.querySelector('button'), headings, opener, english)[0]?.entries ?? []
  expect(entries.map(({label, note, words}) => [label, note, words])).toEqual([
    ['Kling', 'Verwenden in…', 'Use in…'],
    ['Kling', 'Prompt verwenden in…', ''],
    // under the heading of its group it would be like the tool itself
    ['Grok', 'Verwenden in…', 'Use in…'],
  ])
  expect(new Set(entries.map(({id}) => id)).size).toBe(3)
  for (const {run} of entries) void run()
  expect(onSelect.mock.calls).toEqual([['use'], ['prompt'], ['prompt']])
})

test('a focused card has the entries of its menu, which no pointer has reached; one without entries is its button', () => {
  const entries = vi.fn((): MenuEntry[] => [{id: 'remove', label: 'Delete', onSelect: () => undefined}])
  render(
    <TextProvider>
      <article tabIndex={0}>
        <LazyMenu
          label="More"
          entries={entries}
          trigger={(props) => <IconButton label="More" icon={null} {...props} />}
        />
        <LazyMenu
          label="Use"
          entries={() => []}
          trigger={(props) => <IconButton label="Use" icon={null} {...props} />}
        />
      </article>
    </TextProvider>,
  )
  expect(entries).not.toHaveBeenCalled()
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const [group] = focusedCommands(document.querySelector('article'), headings, opener)
  expect(group?.entries.map(({label}) => label)).toEqual(['Delete', 'Use'])
})

test('what a card does comes before the choices of its menus', () => {
  const onSelect = () => undefined
  render(
    <TextProvider>
      <article tabIndex={0}>
        <LazyMenu
          label="Use"
          entries={() => [{id: 'kling', label: 'Kling', use: 'Use in…', onSelect}]}
          trigger={(props) => <IconButton label="Use" icon={null} {...props} />}
        />
        <LazyMenu
          label="More"
          entries={() => [
            {kind: 'submenu', id: 'use', label: 'Use in…', entries: [{id: 'kling', label: 'Kling', onSelect}]},
            {id: 'remove', label: 'Delete', onSelect},
          ]}
          trigger={(props) => <IconButton label="More" icon={null} {...props} />}
        />
      </article>
    </TextProvider>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const [group] = focusedCommands(document.querySelector('article'), headings, opener)
  expect(group?.entries.map(({label}) => label)).toEqual(['Delete', 'Kling'])
})
