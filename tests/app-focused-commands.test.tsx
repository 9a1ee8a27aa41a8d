import {render} from '@testing-library/react'
import {expect, test} from 'vitest'
import {focusedCommands} from '#app/commands/focused-commands.ts'
import {TextProvider} from '#tests/ui/render.tsx'
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
