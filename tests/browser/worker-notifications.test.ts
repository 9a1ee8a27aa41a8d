import {expect, test, vi} from 'vitest'
import {notify, openPage, type NotifyingScope} from '../../src/service-worker/notifications.ts'

const pageOf = (visibilityState: DocumentVisibilityState, path = '/') => ({
  url: `https://hub.example${path}`,
  visibilityState,
  postMessage: vi.fn(),
  focus: vi.fn(async () => undefined),
})
type Page = ReturnType<typeof pageOf>

function scopeOf(pages: Page[]) {
  const shown: unknown[] = []
  const openWindow = vi.fn()
  const scope: NotifyingScope = {
    registration: {showNotification: async (title, options) => void shown.push({title, ...options})},
    clients: {matchAll: async () => pages, openWindow},
  }
  return {scope, shown, openWindow}
}
const notice = (tag: string) => ({tag, title: 'foo', body: 'bar', href: '/chatgpt/conversations/1'})

test('nothing is shown while a page is visible, and each end once over all tabs', async () => {
  const seen = scopeOf([pageOf('hidden'), pageOf('visible')])
  await notify(seen.scope, notice('answer/1'))
  expect(seen.shown).toEqual([])
  const {scope, shown} = scopeOf([pageOf('hidden'), pageOf('hidden')])
  await Promise.all([notify(scope, notice('answer/2')), notify(scope, notice('answer/2'))])
  await notify(scope, notice('answer/2'))
  expect(shown).toEqual([
    {title: 'foo', body: 'bar', tag: 'answer/2', icon: '/icon-192.png', data: {href: '/chatgpt/conversations/1'}},
  ])
})

test('a click leads to the open page, else to a new one', async () => {
  const close = vi.fn()
  const notification = {close, data: {href: '/flux#1'}} as unknown as Notification // as: of it only this is used
  const page = pageOf('hidden')
  const open = scopeOf([page])
  await openPage(open.scope, notification)
  expect(page.postMessage).toHaveBeenCalledWith({type: 'open', href: '/flux#1'})
  expect([page.focus.mock.calls.length, open.openWindow.mock.calls.length]).toEqual([1, 0])
  const none = scopeOf([])
  await openPage(none.scope, notification)
  expect(none.openWindow).toHaveBeenCalledWith('/flux#1')
  expect(close).toHaveBeenCalledTimes(2)
})

test('the click takes the one of several pages that shows it, and none that is not of the app', async () => {
  const notification = {close: vi.fn(), data: {href: '/chatgpt/conversations/1'}} as unknown as Notification // as: see above
  const pages = ['/share/foo', '/grok', '/chatgpt/conversations/1'].map((path) => pageOf('hidden', path))
  const calls = () => pages.map(({postMessage}) => postMessage.mock.calls.length)
  await openPage(scopeOf(pages).scope, notification)
  expect(calls()).toEqual([0, 0, 1])
  await openPage(scopeOf(pages.slice(0, 2)).scope, notification)
  expect(calls()).toEqual([0, 1, 1])
  const {scope, openWindow} = scopeOf(pages.slice(0, 1))
  await openPage(scope, notification)
  expect(openWindow).toHaveBeenCalledWith('/chatgpt/conversations/1')
})
