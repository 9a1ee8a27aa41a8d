import {render} from '@testing-library/react'
import {expect, test} from 'vitest'
import {focusedCommands} from '#app/commands/focused-commands.ts'

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
  const [group] = focusedCommands(document.querySelector('input'), headings)
  const [attach, plain] = group?.entries ?? []
  expect([attach?.label, plain?.label]).toEqual(['Attach files', 'Plain'])
  expect(plain?.icon).toBeUndefined()
  const {container} = render(<span>{attach?.icon}</span>)
  const icon = container.querySelector('svg')
  expect(icon?.getAttribute('data-icon')).toBe('clip')
  expect(icon?.getAttribute('width')).toBe('16')
})
