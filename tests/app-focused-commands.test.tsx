import {render} from '@testing-library/react'
import {expect, test, vi} from 'vitest'
import {focusedCommands} from '#app/commands/focused-commands.ts'
import {LazyMenu} from '#features/media/feed/lazy-menu.tsx'
import {TextProvider} from '#tests/ui/render.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {Menu} from '#ui/menu.tsx'

const opener = 'Search and commands'

test('a command that is a button of the page has the icon of the button', () => {
  render(
    <form>
      <button type="button" aria-label="Attach files">
        <svg width="20" height="20" data-icon="clip" />
      </button>
      <button type="button">Plain</button>
      <input aria-label="Message" />
    </form>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const [group] = focusedCommands(document.querySelector('input'), headings, opener)
  const [attach, plain] = group?.entries ?? []
  expect([attach?.label, plain?.label]).toEqual(['Attach files', 'Plain'])
  expect(plain?.icon).toBeUndefined()
  const {container} = render(<span>{attach?.icon}</span>)
  const icon = container.querySelector('svg')
  expect(icon?.getAttribute('data-icon')).toBe('clip')
  expect(icon?.getAttribute('width')).toBe('16')
})

test('the message field has no commands, and the last message none of its code and tables', () => {
  render(
    <>
      <div role="log">
        <article>
          <figure>
            <button type="button">Download</button>
          </figure>
          <table>
            <tbody>
              <tr>
                <td>
                  <a href="/foo">Foo</a>
                </td>
              </tr>
            </tbody>
          </table>
          <button type="button">Answer again</button>
        </article>
      </div>
      <form data-composer>
        <button type="button">Attach files</button>
        <input aria-label="Message" />
      </form>
    </>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const labelsOf = (focused: Element | null) =>
    focusedCommands(focused, headings, opener).map(({id, entries}) => [id, entries.map(({label}) => label)])
  expect(labelsOf(document.querySelector('input'))).toEqual([['last', ['Answer again']]])
  expect(labelsOf(document.querySelector('figure button'))).toEqual([['focused', ['Download', 'Foo', 'Answer again']]])
})

test('a focused answer has its own actions before those of its code', () => {
  render(
    <article tabIndex={0}>
      <figure>
        <button type="button">Wrap</button>
      </figure>
      <button type="button">Copy as Markdown</button>
    </article>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const [group] = focusedCommands(document.querySelector('article'), headings, opener)
  expect(group?.entries.map(({label}) => label)).toEqual(['Copy as Markdown', 'Wrap'])
})

test.each([
  ['Download Harbour', 'Download'],
  ['Harbour herunterladen', 'Herunterladen'],
  ['Harbourをダウンロード', 'ダウンロード'],
])('%s on a card is %s of its menu, whose entries have an icon', (button, label) => {
  render(
    <TextProvider>
      <article aria-labelledby="title">
        <p id="title">Harbour</p>
        <button type="button" aria-label={button}>
          <svg data-icon="download" />
        </button>
        <Menu
          label="More"
          trigger={(props) => (
            <button type="button" {...props} aria-label="More">
              <svg data-icon="more" />
            </button>
          )}
          entries={[
            {id: 'save', label, onSelect: () => undefined},
            {id: 'video', label: `${label} (MP4)`, onSelect: () => undefined},
          ]}
        />
      </article>
    </TextProvider>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const entries = focusedCommands(document.querySelector('button'), headings, opener)[0]?.entries ?? []
  expect(entries.map((entry) => entry.label)).toEqual([label, `${label} (MP4)`])
  const {container} = render(
    <>
      {entries.map(({id, icon}) => (
        <span key={id}>{icon}</span>
      ))}
    </>,
  )
  const icons = [...container.querySelectorAll('svg')].map((icon) => icon.dataset['icon'])
  expect(icons).toEqual(['download', 'more'])
})

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

test('a word of which a part is marked or emphasized is one word, as is one of two texts', () => {
  render(
    <ul>
      <li>
        <a href="/foo">
          <bdi>
            The <mark>har</mark>bour
          </bdi>
          <span>
            <em>salt</em>y {5}%
          </span>
        </a>
      </li>
    </ul>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const [group] = focusedCommands(document.querySelector('a'), headings, opener)
  expect(group?.entries.map(({label}) => label)).toEqual(['The harbour salty 5%'])
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

test('the button that opened the palette is not offered in it', () => {
  render(
    <ul>
      <li>
        <button type="button">{opener}</button>
      </li>
    </ul>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  expect(focusedCommands(document.querySelector('button'), headings, opener)).toEqual([])
})

test('an action is found by the English of its label too', () => {
  render(
    <ul>
      <li>
        <button type="button">Umbenennen</button>
      </li>
    </ul>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const english = (label: string) => (label === 'Umbenennen' ? 'Rename' : undefined)
  const [group] = focusedCommands(document.querySelector('button'), headings, opener, english)
  expect(group?.entries.map(({label, words}) => [label, words])).toEqual([['Umbenennen', 'Rename']])
})

test('a conversation is offered by its row and by its head, each action once and its search among those with keys', () => {
  const item = (id: string) => ({id, label: id, onSelect: () => undefined})
  render(
    <TextProvider>
      <ul>
        <li>
          <a href="/chatgpt/conversations/foo" aria-current="page">
            Foo
          </a>
          <Menu
            label="Row"
            entries={[item('rename'), item('export')]}
            trigger={(trigger) => (
              <button type="button" {...trigger}>
                Row
              </button>
            )}
          />
        </li>
      </ul>
      <Menu
        label="Head"
        entries={[item('find'), item('flow'), item('rename')]}
        trigger={(trigger) => (
          <button type="button" {...trigger} data-thread-menu>
            Head
          </button>
        )}
      />
    </TextProvider>,
  )
  const headings = {focused: 'In focus', last: 'Last message', conversation: 'This conversation'}
  const labelsOf = (focusedElement: Element | null) =>
    focusedCommands(focusedElement, headings, opener).map(({id, entries}) => [id, entries.map(({label}) => label)])
  expect(labelsOf(null)).toEqual([['conversation', ['rename', 'export', 'flow']]])
  expect(labelsOf(document.querySelector('a'))).toEqual([
    ['focused', ['rename', 'export']],
    ['conversation', ['flow']],
  ])
  document.querySelector('a')?.removeAttribute('aria-current')
  expect(labelsOf(null)).toEqual([['conversation', ['flow', 'rename']]])
})
