import {act, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useRef} from 'react'
import {expect, test} from 'vitest'
import {useRowKeys} from '#features/chat/list/use-row-keys.ts'
import {renderView} from '#tests/ui/render.tsx'

const order = Array.from({length: 250}, (_, index) => `row${index}`)

/** A long list: of its rows those near the viewport are in the page, once their part is loaded. */
function createList(keys: readonly string[]) {
  function List({shown}: {shown: readonly string[]}) {
    const scroller = useRef<HTMLDivElement>(null)
    const {focusFirst} = useRowKeys(scroller, keys, keys[100])
    return (
      <>
        <button onClick={focusFirst}>Archive</button>
        <input aria-label="Elsewhere" />
        <div ref={scroller} data-testid="list">
          <button>All</button>
          {shown.map((key) => (
            <a key={key} href="#row" data-row={key}>
              {key}
            </a>
          ))}
        </div>
      </>
    )
  }
  const {rerender} = renderView(<List shown={[]} />)
  const list = screen.getByTestId('list')
  list.scrollTop = 3_000
  const nextFrame = () => act(() => new Promise((resolve) => void requestAnimationFrame(resolve)))
  return {list, nextFrame, show: (shown: readonly string[]) => rerender(<List shown={shown} />)}
}

test('a long list that is scrolled goes to its top, and its first row has the focus once it is there', async () => {
  const user = userEvent.setup()
  const {list, nextFrame, show} = createList(order)
  const opener = screen.getByRole('button', {name: 'Archive'})
  await user.click(opener)
  await waitFor(() => expect(list.scrollTop).toBe(0))
  expect(document.activeElement).toBe(opener)
  // the row at which Tab stops is kept in the page, wherever the list is
  show(order.slice(100, 101))
  await nextFrame()
  expect(document.activeElement).toBe(opener)
  show([...order.slice(0, 20), ...order.slice(100, 101)])
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('link', {name: 'row0'})))
})

test('a key before the rows are there keeps the focus where the user is', async () => {
  const user = userEvent.setup()
  const {nextFrame, show} = createList(order)
  await user.click(screen.getByRole('button', {name: 'Archive'}))
  const field = screen.getByRole('textbox', {name: 'Elsewhere'})
  await user.click(field)
  await user.keyboard('a')
  show(order.slice(0, 20))
  await nextFrame()
  expect(document.activeElement).toBe(field)
})

test('without rows the way back to all has the focus', async () => {
  createList([])
  await userEvent.setup().click(screen.getByRole('button', {name: 'Archive'}))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', {name: 'All'})))
})
