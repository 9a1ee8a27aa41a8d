import {createMemoryHistory} from '@tanstack/react-router'
import {expect, test} from 'vitest'
import {createAppRouter} from '#app/router.ts'
import {createTabUser} from '#app/tab-user.ts'
import {eventually} from '../../eventually.ts'

/** A tab at this address; `arrive` opens the session of a user, `early` before there is a page. */
async function openTab(path: string, stored: {text?: string | undefined} = {}, early: string[] = []) {
  const router = createAppRouter(
    {
      auth: () => {
        throw new Error('No page of this test needs a login')
      },
      prepareLanguage: () => Promise.resolve(),
      prepareWords: () => Promise.resolve(),
    },
    createMemoryHistory({initialEntries: [path]}),
  )
  const arrive = createTabUser({read: () => stored.text, write: (text) => (stored.text = text)}, router)
  early.forEach(arrive)
  await router.load()
  return {router, stored, arrive, href: () => router.state.location.href}
}

test.each([
  ['/grok/conversations/c-1', '/grok/conversations'],
  ['/profile#task-1', '/profile'],
])('another user leaves %s for %s', async (path, own) => {
  const {arrive, href, stored} = await openTab(path)
  arrive('foo')
  arrive('foo')
  expect(href()).toBe(path)
  arrive('bar')
  await eventually(() => expect(href()).toBe(own))
  expect(stored.text).not.toContain('bar')
})

test('another user who is known before the page stands leaves the record too', async () => {
  const {stored} = await openTab('/chatgpt/conversations/c-1', {}, ['foo'])
  const later = await openTab('/chatgpt/conversations/c-1', stored, ['bar'])
  await eventually(() => expect(later.href()).toBe('/chatgpt/conversations'))
})

test('the same user stays at the record after a reload', async () => {
  const path = '/chatgpt/conversations/c-1'
  const {stored, arrive} = await openTab(path)
  arrive('foo')
  const later = await openTab(path, stored)
  later.arrive('foo')
  await later.router.load()
  expect(later.href()).toBe(path)
})
