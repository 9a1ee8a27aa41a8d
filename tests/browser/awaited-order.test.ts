import {expect, test, vi} from 'vitest'
import {awaitOrder, forgetAwaited, forgetAwaitedIn, isAwaited} from '#browser/awaited-order.ts'

/** A tab that has just been opened: it has a copy of this tab's storage. */
const openTab = (removeItem: (name: string) => void) => ({sessionStorage: {removeItem}}) as unknown as Window // as: the one member that is used

test('a tab that was opened to pay does not wait for the order, whose tab does', () => {
  awaitOrder('foo')
  const removed = vi.fn<(name: string) => void>()
  forgetAwaitedIn(openTab(removed))
  expect(removed.mock.calls).toEqual([['atrium.awaited']])
  expect(isAwaited('foo')).toBe(true)
  forgetAwaited('foo')
  expect(isAwaited('foo')).toBe(false)
})

test('where storage is forbidden nothing was copied', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  expect(() => forgetAwaitedIn(openTab(forbid))).not.toThrow()
})
