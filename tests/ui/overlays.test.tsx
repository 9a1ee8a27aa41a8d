import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import {useRef, useState, type ReactElement, type ReactNode, type RefObject} from 'react'
import {describe, expect, onTestFinished, test, vi} from 'vitest'
import {Dialog} from '#ui/dialog.tsx'
import {Drawer} from '#ui/drawer.tsx'
import {Menu} from '#ui/menu.tsx'
import {Popover} from '#ui/popover.tsx'
// loaded beforehand, so that a busy machine does not wait for them inside a test
import '#ui/overlays/dialog-overlay.tsx'
import '#ui/overlays/drawer-overlay.tsx'
import '#ui/overlays/menu-overlay.tsx'
import {PaletteDialog} from '#ui/overlays/palette-dialog.tsx'
import {PopoverOverlay} from '#ui/overlays/popover-overlay.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {renderView} from './render.tsx'

describe('dialog', () => {
  test('is named, modal, and left by Esc or its button', async () => {
    const user = userEvent.setup()
    const close = vi.fn()
    renderView(
      <Dialog open title="foo" description="bar" onClose={close}>
        content
      </Dialog>,
    )
    const dialog = await screen.findByRole('dialog', {name: 'foo'})
    expect(dialog.textContent).toContain('content')
    await user.click(screen.getByRole('button', {name: 'Close'}))
    await user.keyboard('{Escape}')
    expect(close).toHaveBeenCalledTimes(2)
  })
  test('without a way out it has none', async () => {
    const user = userEvent.setup()
    renderView(<Dialog open title="foo" />)
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog')).toBeVisible()
    expect(screen.queryByRole('button', {name: 'Close'})).toBeNull()
  })
})

/** Lets the element with the role fade out until the returned function is called. */
function fadeSlowly(role: 'menu' | 'dialog'): () => void {
  let endFade: () => void = () => undefined
  const finished = new Promise<void>((resolve) => (endFade = resolve))
  // as: jsdom has no animations, and this is what the overlays read of them
  const fade = {finished, pending: false, playState: 'running'} as unknown as Animation
  Object.assign(HTMLElement.prototype, {
    getAnimations(this: HTMLElement) {
      return this.getAttribute('role') === role ? [fade] : []
    },
  })
  onTestFinished(() => void Reflect.deleteProperty(HTMLElement.prototype, 'getAnimations'))
  return endFade
}

test('a dialog from a menu that fades out slowly gives the focus back to the button of the menu', async () => {
  const endFade = fadeSlowly('menu')
  function Page() {
    const [isOpen, setOpen] = useState(false)
    return (
      <>
        <h1 tabIndex={-1}>page</h1>
        <Menu
          label="foo"
          entries={[{id: 'a', label: 'A', onSelect: () => setOpen(true)}]}
          trigger={(props) => (
            <button type="button" {...props}>
              open
            </button>
          )}
        />
        {isOpen && (
          <Dialog open title="bar" onClose={() => setOpen(false)}>
            inside
          </Dialog>
        )}
      </>
    )
  }
  const user = userEvent.setup()
  renderView(<Page />)
  const trigger = screen.getByRole('button', {name: 'open'})
  await user.click(trigger)
  await user.click(await screen.findByRole('menuitem', {name: 'A'}))
  await waitFor(() => expect(document.activeElement?.closest('[role=dialog]')).not.toBeNull())
  expect(document.querySelector('[role=menu]')).not.toBeNull()
  endFade()
  await waitFor(() => expect(document.querySelector('[role=menu]')).toBeNull())
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(trigger))
})

type Overlaid = (props: {isOpen: boolean; close: () => void; anchor: RefObject<HTMLButtonElement | null>}) => ReactNode

describe('the focus that moved on while an overlay fades out stays where it is', () => {
  const inside = <button type="button">inside</button>
  const overlays: Record<string, Overlaid> = {
    popover: ({isOpen, close, anchor}) => (
      <PopoverOverlay label="bar" align="start" open={isOpen} onClose={close} anchor={anchor}>
        {inside}
      </PopoverOverlay>
    ),
    dialog: ({isOpen, close}) => (
      <Dialog open={isOpen} title="bar" onClose={close}>
        {inside}
      </Dialog>
    ),
    drawer: ({isOpen, close}) => (
      <Drawer open={isOpen} title="bar" onClose={close}>
        {inside}
      </Drawer>
    ),
  }
  test.each(Object.entries(overlays))('%s', async (_name, Overlay) => {
    const user = userEvent.setup()
    const endFade = fadeSlowly('dialog')
    let close: () => void = () => undefined
    function Page() {
      const [isOpen, setOpen] = useState(false)
      const anchor = useRef<HTMLButtonElement>(null)
      close = () => setOpen(false)
      return (
        <>
          <button type="button" ref={anchor} onClick={() => setOpen(true)}>
            opener
          </button>
          <textarea aria-label="field" />
          <Overlay isOpen={isOpen} close={close} anchor={anchor} />
        </>
      )
    }
    renderView(<Page />)
    await user.click(screen.getByRole('button', {name: 'opener'}))
    const popup = await screen.findByRole('dialog', {name: 'bar'})
    await waitFor(() => expect(popup.contains(document.activeElement)).toBe(true))
    act(() => close())
    const field = document.querySelector('textarea')
    act(() => field?.focus())
    expect(popup.isConnected).toBe(true)
    endFade()
    await waitFor(() => expect(popup.isConnected).toBe(false))
    // the overlays give the focus back in a microtask after that
    await act(async () => {})
    expect(document.activeElement).toBe(field)
  })
})

test('a dialog without actions gives the focus to its first control, not to its close button', async () => {
  renderView(
    <Dialog open title="foo" onClose={() => undefined}>
      <button type="button" tabIndex={-1}>
        a
      </button>
      <p>
        <button type="button">b</button>
      </p>
    </Dialog>,
  )
  await waitFor(() => expect(document.activeElement?.textContent).toBe('b'))
})

test('a dialog whose action cannot be pressed yet does not leave the focus behind it', async () => {
  renderView(
    <>
      <button type="button" autoFocus>
        opener
      </button>
      <Dialog open title="foo" onClose={() => undefined} actions={<button disabled>make</button>}>
        bar
      </Dialog>
    </>,
  )
  const dialog = await screen.findByRole('dialog')
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true))
})

test('a drawer closes by Esc and gives the focus back to what opened it', async () => {
  const user = userEvent.setup()
  function Page() {
    const [open, setOpen] = useState(false)
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          bar
        </button>
        <Drawer open={open} onClose={() => setOpen(false)} title="foo">
          content
        </Drawer>
      </>
    )
  }
  renderView(<Page />)
  const opener = screen.getByRole('button', {name: 'bar'})
  opener.focus()
  await user.keyboard('{Enter}')
  const drawer = await screen.findByRole('dialog', {name: 'foo'})
  await waitFor(() => expect(drawer.contains(document.activeElement)).toBe(true))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(opener))
})

test('a popover shows its content and closes itself on demand', async () => {
  const user = userEvent.setup()
  renderView(
    <Popover
      label="foo"
      trigger={(props) => (
        <button type="button" {...props}>
          open
        </button>
      )}
    >
      {(close) => (
        <button type="button" onClick={close}>
          done
        </button>
      )}
    </Popover>,
  )
  await user.click(screen.getByRole('button', {name: 'open'}))
  await user.click(await screen.findByRole('button', {name: 'done'}))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

/** A popover with a button beside a field. Returns a function that opens and closes it. */
function showPopover(): (isOpen: boolean) => void {
  let show: (isOpen: boolean) => void = () => undefined
  function Page() {
    const [isOpen, setOpen] = useState(false)
    const anchor = useRef<HTMLButtonElement>(null)
    show = setOpen
    return (
      <>
        <button type="button" ref={anchor}>
          opener
        </button>
        <textarea aria-label="field" />
        <PopoverOverlay label="bar" align="start" open={isOpen} onClose={() => setOpen(false)} anchor={anchor}>
          <button type="button">inside</button>
        </PopoverOverlay>
      </>
    )
  }
  renderView(<Page />)
  return (isOpen) => act(() => show(isOpen))
}

test('a popover that was opened from elsewhere gives the focus back there, else to its button', async () => {
  const user = userEvent.setup()
  const show = showPopover()
  const [button, field] = [screen.getByRole('button', {name: 'opener'}), screen.getByRole('textbox')]
  for (const [before, after] of [
    [field, field],
    [button, button],
    [undefined, button],
  ]) {
    act(() => (before === undefined ? (document.activeElement as HTMLElement).blur() : before.focus()))
    show(true)
    await waitFor(() => expect(document.activeElement?.textContent).toBe('inside'))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(after))
  }
  // what is typed next is not for the popover, which fades out
  const endFade = fadeSlowly('dialog')
  act(() => field.focus())
  show(true)
  await waitFor(() => expect(document.activeElement?.textContent).toBe('inside'))
  await user.keyboard('{Escape}foo')
  expect(field).toHaveProperty('value', 'foo')
  expect(document.querySelector('[role=dialog]')).not.toBeNull()
  endFade()
  await waitFor(() => expect(document.querySelector('[role=dialog]')).toBeNull())
  expect(document.activeElement).toBe(field)
})

test('by touch a popover gives the focus to its button, since the field would bring up the keyboard', async () => {
  const original = window.matchMedia.bind(window)
  const media = vi
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => original(query === coarsePointer ? 'all' : query))
  onTestFinished(() => media.mockRestore())
  const user = userEvent.setup()
  const show = showPopover()
  act(() => screen.getByRole('textbox').focus())
  show(true)
  await waitFor(() => expect(document.activeElement?.textContent).toBe('inside'))
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('opener'))
})

describe('Escape of an input method closes no', () => {
  const anchor = {current: null}
  const overlays: Record<string, (close: () => void) => ReactElement> = {
    dialog: (close) => (
      <Dialog open title="foo" onClose={close}>
        <input />
      </Dialog>
    ),
    drawer: (close) => (
      <Drawer open title="foo" onClose={close}>
        <input />
      </Drawer>
    ),
    palette: (close) => (
      <PaletteDialog title="foo" onClose={close}>
        <input />
      </PaletteDialog>
    ),
    popover: (close) => (
      <PopoverOverlay label="foo" align="start" open onClose={close} anchor={anchor}>
        <input />
      </PopoverOverlay>
    ),
  }

  test.each(Object.entries(overlays))('%s', async (_, show) => {
    const close = vi.fn()
    renderView(show(close))
    await screen.findByRole('dialog')
    const field = screen.getByRole('textbox')
    act(() => field.focus())
    // Safari: the composition has ended
    fireEvent.keyDown(field, {key: 'Escape', keyCode: 229})
    expect(close).not.toHaveBeenCalled()
    fireEvent.keyDown(field, {key: 'Escape', keyCode: 27})
    expect(close).toHaveBeenCalledTimes(1)
  })
})
