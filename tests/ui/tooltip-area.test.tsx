import {act, fireEvent, screen, waitFor} from '@testing-library/react'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {TooltipArea} from '#ui/tooltip-area.tsx'
// loaded beforehand, so that a busy machine does not wait for it inside a test
import '#ui/overlays/tooltip-overlay.tsx'
import {renderView} from './render.tsx'

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true}))
afterEach(() => void vi.useRealTimers())

/** An area with one control that its own component renders, as an answer does. */
function showArea() {
  renderView(
    <TooltipArea data-testid="area">
      <button type="button" aria-label="Copy" data-named />
    </TooltipArea>,
  )
  return screen.getByRole('button', {name: 'Copy'})
}
const rest = (control: Element) => {
  fireEvent.pointerOver(control, {pointerType: 'mouse'})
  act(() => void vi.advanceTimersByTime(500))
}

test('a control that the pointer rests on shows its name, until the pointer leaves', async () => {
  const control = showArea()
  rest(control)
  await screen.findByText('Copy')
  fireEvent.pointerOut(control, {pointerType: 'mouse', relatedTarget: document.body})
  await waitFor(() => expect(screen.queryByText('Copy')).toBeNull())
})

test('a screen reader does not read the name a second time, beside the control', async () => {
  rest(showArea())
  expect((await screen.findByText('Copy')).closest('[aria-hidden=true]')).not.toBeNull()
})

test('the name is true while it is shown', async () => {
  const control = showArea()
  control.setAttribute('aria-label', 'Copied')
  rest(control)
  await screen.findByText('Copied')
  control.setAttribute('aria-label', 'Copy')
  await screen.findByText('Copy')
  expect(screen.queryByText('Copied')).toBeNull()
})

test('a control that is removed takes its name along', async () => {
  const control = showArea()
  rest(control)
  await screen.findByText('Copy')
  control.remove()
  await waitFor(() => expect(screen.queryByText('Copy')).toBeNull())
})

test('a control that is removed before its name shows does not show it', async () => {
  const control = showArea()
  const other = control.cloneNode() as Element // cloneNode is typed as Node
  other.setAttribute('aria-label', 'Wrap')
  control.after(other)
  fireEvent.pointerOver(control, {pointerType: 'mouse'})
  control.remove()
  act(() => void vi.advanceTimersByTime(500))
  expect(screen.queryByText('Copy')).toBeNull()
  rest(other)
  await screen.findByText('Wrap')
  expect(screen.queryByText('Copy')).toBeNull()
})
