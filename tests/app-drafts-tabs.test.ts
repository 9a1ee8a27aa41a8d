import {expect, test} from 'vitest'
import {draft, openTab, openTabs} from './drafts-fixture.ts'

test('what two tabs type for two conversations is all kept', async () => {
  const {browser, one, other} = await openTabs({})
  one.write('a', draft('one'))
  other.write('b', draft('other'))
  one.write('a', draft('one more'))
  expect(browser.written['foo']).toEqual({a: draft('one more'), b: draft('other')})
})

test('what one tab sends goes from the other that shows it, and does not come back', async () => {
  const {browser, open, one, other} = await openTabs({a: draft('asked'), b: draft('other')})
  one.write('a', draft('asked'))
  other.close('a')
  expect(one.read('a')).toBeUndefined()
  expect(one.heard.get()).toEqual({keys: ['a'], draft: undefined})
  one.write('b', draft('other one'))
  one.leave()
  expect(browser.written['foo']).toEqual({b: draft('other one')})
  expect((await open()).read('a')).toBeUndefined()
})

test('what was typed here goes when another tab sends the same, and stays when that is emptied there', async () => {
  const {open, one} = await openTabs({})
  one.write('a', draft('typed'))
  one.write('b', draft('typed'))
  const later = await open()
  later.write('a', undefined)
  expect(one.read('a')).toEqual(draft('typed'))
  later.close('b')
  expect(one.read('b')).toBeUndefined()
})

test('what another tab makes of a draft shows where nobody changed it, and replaces nothing that was typed', async () => {
  const {one, other} = await openTabs({a: draft('stored')})
  other.write('a', draft('stored and more'))
  expect(one.heard.get()).toEqual({keys: ['a'], draft: draft('stored and more')})
  one.write('a', draft('own'))
  other.write('a', draft('stored and much more'))
  other.close('a')
  expect(one.read('a')).toEqual(draft('own'))
})

test('a field that is empty stays empty; the draft of another tab is there for the next one that opens', async () => {
  const {browser, one, other} = await openTabs({})
  one.write('new/grok', undefined)
  other.write('new/grok', draft('waits'))
  expect(one.heard.get()).toBeUndefined()
  one.write('new/grok', draft('asked'))
  one.close('new/grok')
  expect(browser.written['foo']).toEqual({'new/grok': draft('waits')})
  expect(one.read('new/grok')).toEqual(draft('waits'))
  expect(other.read('new/grok')).toEqual(draft('waits'))
})

test('tabs that close one after the other leave what each of them changed', async () => {
  const {browser, open, one, other} = await openTabs({})
  one.write('a', draft('one'))
  other.write('b', draft('other'))
  browser.written = {}
  one.leave()
  other.leave()
  const next = await open()
  expect([next.read('a'), next.read('b')]).toEqual([draft('one'), draft('other')])
})

test('what a tab left is older than what another one typed since', async () => {
  const {open, one, other} = await openTabs({})
  one.write('a', draft('left'))
  one.leave()
  other.write('a', draft('since'))
  expect((await open()).read('a')).toEqual(draft('since'))
})

test('tabs of another user hear nothing', async () => {
  const {browser, one} = await openTabs({})
  const {drafts, answerReads} = openTab(browser)
  drafts.follow('bar')
  await answerReads()
  one.write('a', draft('secret'))
  expect(drafts.read('a')).toBeUndefined()
})
