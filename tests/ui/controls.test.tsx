import {act, fireEvent, screen} from '@testing-library/react'
import {useState} from 'react'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {ErrorState} from '#ui/error-state.tsx'
import {shownKeys} from '#ui/kbd.tsx'
import {MoneyText} from '#ui/money-text.tsx'
import {QrCode} from '#ui/qr-code.tsx'
import {Segmented} from '#ui/segmented.tsx'
import {TextField} from '#ui/text-field.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {Toasts, type Toast} from '#ui/toasts.tsx'
import {renderView} from './render.tsx'
import {eventually} from '../eventually.ts'

describe('button', () => {
  test('submits nothing by itself, and does nothing while loading but keeps the focus', () => {
    const press = vi.fn()
    const submit = vi.fn()
    const {rerender} = renderView(
      <form onSubmit={submit}>
        <Button onClick={press}>foo</Button>
      </form>,
    )
    const button = screen.getByRole('button', {name: 'foo'})
    fireEvent.click(button)
    expect(press).toHaveBeenCalledTimes(1)
    expect(submit).not.toHaveBeenCalled()
    rerender(
      <form onSubmit={submit}>
        <Button loading onClick={press}>
          foo
        </Button>
      </form>,
    )
    button.focus()
    fireEvent.click(button)
    expect(press).toHaveBeenCalledTimes(1)
    expect(button.getAttribute('aria-disabled')).toBe('true')
    expect(document.activeElement).toBe(button)
  })
})

describe('segmented', () => {
  function Choice({dir}: {dir: 'ltr' | 'rtl'}) {
    const [value, setValue] = useState<'a' | 'b' | 'c'>('a')
    const options = [
      {value: 'a', label: 'A'},
      {value: 'b', label: 'B', disabled: true},
      {value: 'c', label: 'C'},
    ] as const
    return (
      <div style={{direction: dir}}>
        <Segmented label="foo" options={options} value={value} onChange={setValue} />
      </div>
    )
  }
  test('arrow keys move, skip what is disabled, and go round', () => {
    renderView(<Choice dir="ltr" />)
    fireEvent.keyDown(screen.getByRole('radio', {name: 'A'}), {key: 'ArrowRight'})
    expect(screen.getByRole('radio', {name: 'C', checked: true})).toBe(document.activeElement)
    fireEvent.keyDown(screen.getByRole('radio', {name: 'C'}), {key: 'ArrowRight'})
    expect(screen.getByRole('radio', {name: 'A', checked: true})).toBe(document.activeElement)
    expect(screen.getAllByRole('radio').map(({tabIndex}) => tabIndex)).toEqual([0, -1, -1])
  })
})

describe('copy button', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('copies what the text is when it is pressed, says so, and forgets', async () => {
    const write = vi.fn(async () => undefined)
    let value = 'foo'
    renderView(<CopyButton labelled value={() => value} write={write} />)
    value = 'bar'
    await act(async () => fireEvent.click(screen.getByRole('button', {name: 'Copy'})))
    expect(write).toHaveBeenCalledExactlyOnceWith('bar')
    expect(screen.getByRole('status').textContent).toBe('Copied')
    act(() => void vi.advanceTimersByTime(1_200))
    expect(screen.getByRole('button', {name: 'Copy'})).toBeVisible()
    expect(screen.getByRole('status').textContent).toBe('')
  })

  test('says when the browser refused', async () => {
    renderView(<CopyButton value={() => 'foo'} write={() => Promise.reject(new Error('no'))} />)
    await act(async () => fireEvent.click(screen.getByRole('button')))
    expect(screen.getByRole('status').textContent).toBe("Couldn't copy")
  })
})

describe('toasts', () => {
  const toasts = [
    {id: 'a', tone: 'info', message: 'foo', action: {label: 'Undo', run: vi.fn()}},
    {id: 'b', tone: 'error', message: 'bar'},
  ] as const

  test('say what happened, carry one action, and can be dismissed; errors are alerts', () => {
    const dismiss = vi.fn()
    renderView(<Toasts toasts={toasts} onDismiss={dismiss} />)
    expect(screen.getByRole('status').textContent).toContain('foo')
    expect(screen.getByRole('alert').textContent).toContain('bar')
    fireEvent.click(screen.getByRole('button', {name: 'Undo'}))
    expect(toasts[0].action.run).toHaveBeenCalledTimes(1)
    fireEvent.click(screen.getAllByRole('button', {name: 'Dismiss'})[1] ?? document.body)
    expect(dismiss).toHaveBeenCalledExactlyOnceWith('b')
  })

  test('F6 moves the focus there from anywhere; what comes and goes of focus and pointer is reported', () => {
    const rest = vi.fn()
    const {rerender} = renderView(<Toasts toasts={[]} onDismiss={vi.fn()} onRest={rest} />)
    const region = screen.getByRole('region', {name: 'Notifications'})
    fireEvent.keyDown(document.body, {key: 'F6'})
    expect(document.activeElement).not.toBe(region)
    rerender(<Toasts toasts={toasts} onDismiss={vi.fn()} onRest={rest} />)
    fireEvent.keyDown(document.body, {key: 'F6'})
    expect(document.activeElement).toBe(region)
    act(() => screen.getByRole('button', {name: 'Undo'}).focus())
    fireEvent.pointerEnter(region)
    expect(rest.mock.calls.flat()).toEqual([{type: 'focus.entered'}, {type: 'pointer.entered'}])
    act(() => screen.getByRole('button', {name: 'Undo'}).blur())
    fireEvent.pointerLeave(region)
    expect(rest.mock.calls.flat().slice(2)).toEqual([{type: 'focus.left'}, {type: 'pointer.left'}])
  })

  test('a toast that is taken away with the focus in it lets go of it', () => {
    const rest = vi.fn()
    const view = (shown: readonly Toast[]) => (
      <>
        <button type="button">before</button>
        <Toasts toasts={shown} onDismiss={vi.fn()} onRest={rest} />
      </>
    )
    const {rerender} = renderView(view(toasts))
    const before = screen.getByRole('button', {name: 'before'})
    act(() => before.focus())
    act(() => screen.getByRole('button', {name: 'Undo'}).focus())
    rerender(view(toasts.slice(1)))
    expect(rest.mock.calls.flat()).toEqual([{type: 'focus.entered'}, {type: 'focus.left'}])
    expect(document.activeElement).toBe(before)
    rerender(view([]))
    expect(rest).toHaveBeenCalledTimes(2)
  })

  test('a modal overlay that opens over them does not hide them', async () => {
    renderView(
      <main>
        <p>behind</p>
        <Toasts toasts={toasts} onDismiss={vi.fn()} />
        <Dialog open title="over" onClose={vi.fn()} />
      </main>,
    )
    await screen.findByRole('dialog', {name: 'over'})
    expect(screen.getByText('behind').closest('[aria-hidden]')).not.toBeNull()
    expect(screen.getByRole('button', {name: 'Undo'}).closest('[aria-hidden]')).toBeNull()
  })

  test('the focus is where it was before, when the toast that has it goes', () => {
    const dismiss = vi.fn()
    renderView(
      <>
        <button type="button">before</button>
        <Toasts toasts={toasts} onDismiss={dismiss} />
      </>,
    )
    const before = screen.getByRole('button', {name: 'before'})
    for (const button of [
      screen.getByRole('button', {name: 'Undo'}),
      ...screen.getAllByRole('button', {name: 'Dismiss'}),
    ]) {
      act(() => before.focus())
      act(() => button.focus())
      fireEvent.click(button)
      expect(document.activeElement).toBe(before)
    }
    expect(dismiss.mock.calls).toEqual([['a'], ['b']])
  })
})

describe('texts', () => {
  test('a moment is written as its format says, and in full for machines; what is no moment is shown as it came', () => {
    const moment = new Date(2026, 0, 2, 3, 4, 5)
    const year = (date: Date) => String(date.getFullYear())
    const {container} = renderView(
      <>
        <TimeText value={moment.getTime()} format={year} />
        <TimeText value="never" format={year} />
      </>,
    )
    expect(container.textContent).toBe('2026never')
    expect(container.querySelector('time')?.dateTime).toBe(moment.toISOString())
  })

  test.each([
    ['en', '1,284.50'],
    ['de', '1.284,50'],
  ] as const)('credits in %s', (locale, shown) => {
    const {container} = renderView(<MoneyText amount={1284.5} />, {locale})
    expect(container.textContent?.replace(/\s/g, ' ')).toBe(shown)
  })

  test('Arabic keeps Latin digits in prices', () => {
    const {container} = renderView(<MoneyText amount={12} />, {locale: 'ar'})
    expect(container.textContent).toMatch(/12/)
    expect(container.querySelector('bdi')?.dir).toBe('ltr')
  })

  test('keys are written as the platform writes them', () => {
    expect(shownKeys('Ctrl ⇧ O', 'MacIntel')).toBe('⌘ ⇧ O')
    expect(shownKeys('Ctrl ⇧ O', 'Win32')).toBe('Ctrl ⇧ O')
    expect(shownKeys('Mod+Shift+O', 'Win32')).toBe('Ctrl ⇧ O')
    expect(shownKeys('Mod++', 'MacIntel')).toBe('⌘ +')
    expect(shownKeys('Control+Alt+K', 'MacIntel')).toBe('⌃ ⌥ K')
    expect(shownKeys('Alt+↑', 'Win32')).toBe('Alt ↑')
  })
})

test('a field names its error and ties it to the input', () => {
  const {rerender} = renderView(<TextField label="foo" help="help" />)
  const field = screen.getByRole('textbox', {name: 'foo'})
  const note = () => document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent
  expect(note()).toBe('help')
  expect(field.getAttribute('aria-invalid')).toBeNull()
  rerender(<TextField label="foo" help="help" error="wrong" />)
  expect(note()).toBe('wrong')
  expect(field.getAttribute('aria-invalid')).toBe('true')
})

test('an error state is an alert with its detail and a retry', () => {
  const retry = vi.fn()
  renderView(<ErrorState title="foo" detail="code - detail" onRetry={retry} />)
  expect(screen.getByRole('alert').textContent).toContain('code - detail')
  fireEvent.click(screen.getByRole('button', {name: 'Retry'}))
  expect(retry).toHaveBeenCalledTimes(1)
})

describe('qr code', () => {
  test('nothing to show says so', () => {
    renderView(<QrCode value="" />)
    expect(screen.getByRole('alert').textContent).toBe('There is no link to show yet.')
  })
  test('too much data says so', async () => {
    renderView(<QrCode value={'x'.repeat(5_000)} />)
    expect((await screen.findByRole('alert')).textContent).toBe('This link is too long for a QR code.')
  })
  test.each(['x', 'x'.repeat(100), 'x'.repeat(200), 'x'.repeat(1_000)])(
    'a code is as large as asked for, whatever it holds',
    async (value) => {
      const drawn = vi.fn()
      const pencil = {
        createImageData: (side: number) => ({data: new Uint8ClampedArray(side * side * 4)}),
        clearRect: () => {},
        putImageData: drawn,
      }
      // as: the library uses these three only, and this DOM does not draw
      vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(pencil as unknown as null)
      renderView(<QrCode value={value} size={230} />)
      await eventually(() => expect(drawn).toHaveBeenCalled())
      const {width, height, style} = screen.getByRole<HTMLCanvasElement>('img', {name: 'QR code'})
      expect([width, height, style.width, style.height]).toEqual([230, 230, '230px', '230px'])
      vi.restoreAllMocks()
    },
  )
})
