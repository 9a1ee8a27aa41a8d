import {render} from '@testing-library/react'
import {expect, test} from 'vitest'
import {focusedCommands} from '#app/commands/focused-commands.ts'

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
