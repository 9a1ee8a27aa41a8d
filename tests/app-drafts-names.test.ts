import {expect, test} from 'vitest'
import {createBrowser, draft, openTab, openTabs, setUp} from './drafts-fixture.ts'

/** A tab in which the conversation began, and one that knows it by the server's name alone. */
async function openBoth(stored: Parameters<typeof openTabs>[0] = {}) {
  const names = new Map<string, string>()
  const {browser, open, other} = await openTabs(stored)
  const first = await open((key) => names.get(key))
  return {browser, open, first, other, name: () => void names.set('key', 'id')}
}

test('a draft goes to the name of the server once that is known, and is one for both tabs from then on', async () => {
  const {browser, first, other, name} = await openBoth()
  first.write('key', draft('typed'))
  expect(other.read('id')).toBeUndefined()
  name()
  first.write('key', draft('typed on'))
  expect(browser.written['foo']).toEqual({id: draft('typed on')})
  other.look('id')
  expect([other.read('id'), other.heard.get()?.keys]).toEqual([draft('typed on'), ['id']])
  first.write('key', draft('typed on and on'))
  expect(other.read('id')).toEqual(draft('typed on and on'))
  first.close('key')
  expect([other.read('id'), browser.written['foo']]).toEqual([undefined, {}])
})

test('what the tab hears under the name of the server concerns the field under its own key', async () => {
  const {first, other, name} = await openBoth({id: draft('stored')})
  name()
  expect(first.read('key')).toEqual(draft('stored'))
  other.write('id', draft('stored and more'))
  expect(first.heard.get()).toEqual({keys: ['id', 'key'], draft: draft('stored and more')})
})

test('of two texts under both names the field keeps its own, and the other waits beside it, over a reload too', async () => {
  const {open, first, other, name} = await openBoth()
  first.write('key', draft('here'))
  other.write('id', draft('there'))
  name()
  expect(first.read('key')).toEqual(draft('here'))
  const later = await open()
  expect(later.read('id')).toEqual(draft('here'))
  later.close('id')
  expect(later.read('id')).toEqual(draft('there'))
  expect(other.read('id')).toEqual(draft('there'))
})

test('what was stored under a key goes to the name as the stored drafts are read', async () => {
  const {browser, open} = await openTabs({key: draft('began'), id: draft('there')})
  const names = (key: string) => (key === 'key' ? 'id' : undefined)
  const later = await open(names)
  expect(later.read('key')).toEqual(draft('began'))
  expect(browser.written['foo']).toEqual({id: draft('began'), 'other/id': draft('there')})
})

test('an empty field takes nothing with files as the page is looked at, and nothing that stands in it already', async () => {
  const {first, other} = await openBoth()
  const withFile = {text: 'read it', references: [{url: '/f', name: 'f'}]}
  other.write('a', withFile)
  other.write('b', draft('there'))
  first.write('b', draft('here'))
  for (const key of ['a', 'b', 'c']) first.look(key)
  expect(first.heard.get()).toBeUndefined()
  expect(first.read('b')).toEqual(draft('here'))
})

test('an empty field gets what was stored under its key, also where that has a name as it is read', async () => {
  const idOf = (key: string) => (key === 'key' ? 'id' : undefined)
  const {drafts, written, answerReads} = setUp({visitor: {key: draft('began')}}, undefined, idOf)
  drafts.write('key', drafts.read('key'))
  drafts.subscribe(() => drafts.look('key'))
  await answerReads()
  expect(drafts.heard.get()).toEqual({keys: ['id', 'key'], draft: draft('began')})
  drafts.write('key', draft('began and more'))
  expect(written['visitor']).toEqual({id: draft('began and more')})
})

test('an empty field that gets a name later takes what waits there, and its words replace nothing', async () => {
  const {browser, first, name} = await openBoth({a: draft('there'), id: draft('there')})
  first.write('key', undefined)
  name()
  first.write('key', draft('typed'))
  expect(browser.written['foo']).toEqual({a: draft('there'), id: draft('typed'), 'other/id': draft('there')})
})

test('an empty field that was given the text of another tab is not empty as its user signs in', async () => {
  const browser = createBrowser({})
  const [one, other] = [openTab(browser), openTab(browser)]
  for (const {answerReads} of [one, other]) await answerReads()
  one.drafts.write('a', undefined)
  other.drafts.write('a', draft('there'))
  expect(one.drafts.heard.get()).toBeUndefined()
  one.drafts.look('a')
  expect(one.drafts.heard.get()).toEqual({keys: ['a'], draft: draft('there')})
  browser.written['foo'] = {a: draft('stored')}
  one.drafts.follow('foo')
  await one.answerReads()
  one.drafts.write('a', draft('there and more'))
  expect(browser.written['foo']).toEqual({a: draft('there and more'), 'other/a': draft('stored')})
})

test('what was under the key of a tab replaces nothing that another one shows under the name', async () => {
  const {browser, open, other} = await openBoth({key: draft('began'), id: draft('there')})
  const later = await open((key) => (key === 'key' ? 'id' : undefined))
  expect(later.read('key')).toEqual(draft('began'))
  expect(other.read('id')).toEqual(draft('began'))
  other.write('id', draft('began and more'))
  expect(browser.written['foo']).toEqual({id: draft('began and more'), 'other/id': draft('there')})
})
