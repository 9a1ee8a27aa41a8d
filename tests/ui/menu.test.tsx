import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {describe, expect, test, vi} from 'vitest'
import {Menu} from '#ui/menu.tsx'
// loaded beforehand, so that a busy machine does not wait for them inside a test
import '#ui/overlays/dialog-overlay.tsx'
import '#ui/overlays/drawer-overlay.tsx'
import '#ui/overlays/menu-overlay.tsx'
import {Toasts} from '#ui/toasts.tsx'
import {renderView} from './render.tsx'

describe('menu', () => {
  const show = () => {
    const select = vi.fn()
    renderView(
      <Menu
        label="foo"
        entries={[
          {id: 'a', label: 'A', onSelect: () => select('a')},
          {kind: 'separator', id: 's'},
          {
            kind: 'group',
            id: 'g',
            label: 'group',
            items: [{id: 'b', label: 'B', disabled: true, description: 'why', onSelect: () => select('b')}],
          },
          {
            kind: 'submenu',
            id: 'm',
            label: 'M',
            entries: [{id: 'c', label: 'C', onSelect: () => select('c')}],
          },
        ]}
        trigger={(props) => (
          <button type="button" {...props}>
            open
          </button>
        )}
      />,
    )
    return select
  }
  test('opens by its button, chooses, closes, and gives the focus back', async () => {
    const user = userEvent.setup()
    const select = show()
    const trigger = screen.getByRole('button', {name: 'open'})
    expect(trigger.getAttribute('aria-haspopup')).toBe('menu')
    await user.click(trigger)
    await user.click(await screen.findByRole('menuitem', {name: 'A'}))
    expect(select).toHaveBeenCalledExactlyOnceWith('a')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
    expect(trigger.getAttribute('aria-expanded')).toBe('false')
    await waitFor(() => expect(document.activeElement).toBe(trigger))
  })
  test('notices wait while it is open, also those that come meanwhile, and while the pointer stays on them', async () => {
    const user = userEvent.setup()
    const rest = vi.fn()
    const types = () => rest.mock.calls.flat().map(({type}) => type)
    const toasts = (...ids: string[]) => (
      <Toasts toasts={ids.map((id) => ({id, tone: 'info', message: id}))} onDismiss={vi.fn()} onRest={rest} />
    )
    show()
    const {rerender} = renderView(toasts('foo'))
    const press = async (key: string) => act(() => user.keyboard(key))
    await user.click(screen.getByRole('button', {name: 'open'}))
    await screen.findByRole('menu')
    await waitFor(() => expect(types()).toEqual(['pointer.entered']))
    rerender(toasts('foo', 'bar'))
    expect(types()).toEqual(['pointer.entered', 'pointer.entered'])
    await press('{Escape}')
    await waitFor(() => expect(types().at(-1)).toBe('pointer.left'))

    await user.click(screen.getByRole('button', {name: 'open'}))
    await screen.findByRole('menu')
    await waitFor(() => expect(types().at(-1)).toBe('pointer.entered'))
    const region = screen.getByRole('region', {name: 'Notifications'})
    fireEvent.pointerEnter(region)
    fireEvent.pointerLeave(region)
    fireEvent.pointerEnter(region)
    // the page of the test has no pointer
    const matches = vi.spyOn(region, 'matches').mockImplementation((selector) => selector === ':hover')
    await press('{Escape}')
    await waitFor(() => expect(document.documentElement.dataset.menus).toBeUndefined())
    expect(types().at(-1)).toBe('pointer.entered')
    fireEvent.pointerLeave(region)
    expect(types().at(-1)).toBe('pointer.left')

    // a press dismisses the last notice: in some browsers no event says that the pointer is on nothing then
    fireEvent.pointerEnter(region)
    matches.mockRestore()
    rerender(toasts())
    await user.click(screen.getByRole('button', {name: 'open'}))
    await screen.findByRole('menu')
    rerender(toasts('baz'))
    expect(types().at(-1)).toBe('pointer.entered')
    await press('{Escape}')
    await waitFor(() => expect(types().at(-1)).toBe('pointer.left'))
  })
  test('a press of Escape before it is there takes it back, and is heard by nothing else', async () => {
    show()
    const trigger = screen.getByRole('button', {name: 'open'})
    fireEvent.click(trigger)
    expect(fireEvent.keyDown(trigger, {key: 'Escape'})).toBe(false)
    expect(trigger.getAttribute('aria-expanded')).toBe('false')
    expect(fireEvent.keyDown(trigger, {key: 'Escape'})).toBe(true)
  })
  test('what is disabled says why and does nothing', async () => {
    const user = userEvent.setup()
    const select = show()
    await user.click(screen.getByRole('button', {name: 'open'}))
    const item = await screen.findByRole('menuitem', {name: /B/})
    expect(item.textContent).toContain('why')
    await user.click(item)
    expect(select).not.toHaveBeenCalled()
  })
  test('a line that opens more does so by arrow and by press; a choice there closes all of it', async () => {
    const user = userEvent.setup()
    const select = show()
    await user.click(screen.getByRole('button', {name: 'open'}))
    const line = await screen.findByRole('menuitem', {name: 'M'})
    expect(line.getAttribute('aria-haspopup')).toBe('menu')
    act(() => line.focus())
    await user.keyboard('{ArrowRight}')
    const inner = await screen.findByRole('menuitem', {name: 'C'})
    await waitFor(() => expect(document.activeElement).toBe(inner))
    await user.keyboard('{ArrowLeft}')
    await waitFor(() => expect(screen.queryByRole('menuitem', {name: 'C'})).toBeNull())
    fireEvent.click(screen.getByRole('menuitem', {name: 'M'}))
    fireEvent.click(await screen.findByRole('menuitem', {name: 'C'}))
    expect(select).toHaveBeenCalledExactlyOnceWith('c')
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })
  test('a second press on the button closes it', async () => {
    const user = userEvent.setup()
    show()
    const trigger = screen.getByRole('button', {name: 'open'})
    await user.click(trigger)
    await screen.findByRole('menu')
    await user.click(trigger)
    await waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
  })
})
