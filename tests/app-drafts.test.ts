import {Subject} from 'rxjs'
import {expect, test} from 'vitest'
import type {TabFact} from '#browser/tabs.ts'
import {createDrafts} from '#app/chat/drafts.ts'
import type {StoredDrafts} from '#domain/draft.ts'
import {eventually} from './eventually.ts'

const draft = (text: string) => ({text, references: []})

type Browser = {
  left: {text?: string | undefined}
  written: Record<string, StoredDrafts>
  /** The channels of its tabs: each tab hears the others. */
  tabs: Set<Subject<TabFact>>
}
const createBrowser = (stored: Record<string, StoredDrafts>, left: Browser['left'] = {}): Browser => ({
  left,
  written: {...stored},
  tabs: new Set(),
})

/** A tab of a browser whose storage answers reads when the test says so. */
const openTab = (browser: Browser) => {
  const waiting: (() => void)[] = []
  const {written, left, tabs} = browser
  const facts$ = new Subject<TabFact>()
  tabs.add(facts$)
  const drafts = createDrafts(
    {
      drafts: (userId) => new Promise((resolve) => waiting.push(() => resolve(written[userId] ?? {}))),
      saveDraft: (userId, key, value) => {
        const {[key]: _before, ...others} = written[userId] ?? {}
        written[userId] = value === undefined ? others : {...others, [key]: value}
      },
    },
    {
      read: () => left.text,
      write: (text) => {
        left.text = text
      },
    },
    {
      facts$,
      tell: (fact) => {
        for (const tab of tabs) if (tab !== facts$) tab.next(fact)
      },
    },
  )
  const answerReads = async () => {
    for (const answer of waiting.splice(0)) answer()
    // the part that reads what was left is loaded with its first use
    await eventually(() => expect(drafts.isReady()).toBe(true))
  }
  return {drafts, written, left, answerReads}
}
const setUp = (stored: Record<string, StoredDrafts>, left?: Browser['left']) => openTab(createBrowser(stored, left))

/** Tabs of one user and browser, whose drafts were read. */
async function openTabs(stored: StoredDrafts) {
  const browser = createBrowser({foo: stored})
  const open = async () => {
    const {drafts, answerReads} = openTab(browser)
    drafts.follow('foo')
    await answerReads()
    return drafts
  }
  return {browser, open, one: await open(), other: await open()}
}

test('an empty composer that shows before the drafts were read empties nothing', async () => {
  const kept = {foo: {'new/chatgpt': draft('kept')}}
  const {drafts, written, answerReads} = setUp(kept)
  drafts.follow('foo')
  drafts.write('new/chatgpt', undefined)
  expect(written).toEqual(kept)
  await answerReads()
  expect(drafts.isReady()).toBe(true)
  expect(drafts.read('new/chatgpt')).toEqual(draft('kept'))
})

test('what is typed before the drafts were read joins them, and what was stored waits beside it', async () => {
  const {drafts, written, answerReads} = setUp({
    foo: {one: draft('stored'), two: draft('stored'), three: draft('same')},
  })
  drafts.follow('foo')
  drafts.write('two', draft('typed'))
  drafts.write('three', draft('same'))
  await answerReads()
  expect(written['foo']).toEqual({
    one: draft('stored'),
    two: draft('typed'),
    'other/two': draft('stored'),
    three: draft('same'),
  })
  drafts.close('two')
  expect(drafts.read('two')).toEqual(draft('stored'))
  drafts.close('three')
  expect(drafts.read('three')).toBeUndefined()
})

test('what a visitor typed replaces no draft of the user who signs in', async () => {
  const {drafts, written, answerReads} = setUp({foo: {one: draft('stored')}})
  await answerReads()
  drafts.write('one', draft('typed'))
  drafts.write('one', draft('typed more'))
  drafts.follow('foo')
  // the database may be behind
  written['visitor'] = {one: draft('typed')}
  await answerReads()
  expect(written).toEqual({visitor: {}, foo: {one: draft('typed more'), 'other/one': draft('stored')}})
})

test('what a visitor typed becomes that of the user who signs in', async () => {
  const {drafts, written, answerReads} = setUp({})
  await answerReads()
  drafts.write('new/chatgpt', draft('typed'))
  expect(written['visitor']).toEqual({'new/chatgpt': draft('typed')})
  drafts.follow('foo')
  await answerReads()
  expect(written).toEqual({visitor: {}, foo: {'new/chatgpt': draft('typed')}})
})

test('an emptied composer is forgotten, and another user sees nothing of it', async () => {
  const {drafts, written, answerReads} = setUp({foo: {one: draft('stored')}})
  drafts.follow('foo')
  await answerReads()
  drafts.write('one', draft(''))
  expect(written['foo']).toEqual({})
  drafts.write('one', draft('again'))
  drafts.follow('bar')
  await answerReads()
  expect(drafts.read('one')).toBeUndefined()
  expect(written['bar']).toBeUndefined()
})

test('what was typed and emptied in the last moment of a page is there in the next one, once', async () => {
  const stored = {foo: {one: draft('stored'), two: draft('stored'), three: draft('stored')}}
  const before = setUp(stored)
  before.drafts.follow('foo')
  before.drafts.write('three', undefined)
  await before.answerReads()
  before.drafts.write('one', draft('typed'))
  before.drafts.write('two', undefined)
  before.drafts.leave()
  // the database had no time
  const next = setUp(stored, before.left)
  next.drafts.follow('foo')
  await next.answerReads()
  expect(['one', 'two', 'three'].map(next.drafts.read)).toEqual([draft('typed'), undefined, draft('stored')])
  expect(next.written['foo']).toEqual({one: draft('typed'), three: draft('stored')})
  expect(next.left.text).toBeUndefined()
})

test('what one user left another one neither sees nor keeps', async () => {
  const before = setUp({})
  before.drafts.follow('foo')
  await before.answerReads()
  before.drafts.write('one', draft('typed'))
  before.drafts.leave()
  const next = setUp({}, before.left)
  next.drafts.follow('bar')
  await next.answerReads()
  expect(next.drafts.read('one')).toBeUndefined()
  next.drafts.follow(undefined)
  expect(next.left.text).toBeUndefined()
})

test('a page that changed nothing leaves nothing, and what cannot be read is nothing', async () => {
  const left = {text: '{"owner":"foo","drafts":{"one":3}}'}
  const {drafts, answerReads} = setUp({foo: {one: draft('stored')}}, left)
  drafts.follow('foo')
  await answerReads()
  expect(drafts.read('one')).toEqual(draft('stored'))
  drafts.leave()
  expect(left.text).toContain('"one":3')
})

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
  expect(one.heard.get()).toEqual({key: 'a', draft: undefined})
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
  expect(one.heard.get()).toEqual({key: 'a', draft: draft('stored and more')})
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

test('of two tabs that typed under one key both texts are kept, and the one that waits is there once the field is free', async () => {
  const {browser, open, one, other} = await openTabs({})
  one.write('a', draft('one'))
  other.write('a', draft('other'))
  one.write('a', draft('one more'))
  other.leave()
  one.leave()
  const next = await open()
  expect(next.read('a')).toEqual(draft('one more'))
  next.close('a')
  expect(next.read('a')).toEqual(draft('other'))
  expect(browser.written['foo']).toEqual({a: draft('other')})
  next.write('a', draft('other'))
  next.close('a')
  expect([next.read('a'), browser.written['foo']]).toEqual([undefined, {}])
})

test('of two tabs that typed under one key none takes the text of the other along', async () => {
  const {browser, one, other} = await openTabs({})
  one.write('a', draft('one'))
  other.write('a', draft('other'))
  other.close('a')
  expect(browser.written['foo']).toEqual({a: draft('one')})
  one.close('a')
  expect([one.read('a'), other.read('a'), browser.written['foo']]).toEqual([undefined, undefined, {}])
})

test('of a text that two tabs went on with both ends are kept', async () => {
  const {open, one, other} = await openTabs({a: draft('both')})
  one.write('a', draft('one'))
  other.write('a', draft('other'))
  one.leave()
  other.leave()
  const next = await open()
  expect(next.read('a')).toEqual(draft('other'))
  next.close('a')
  expect(next.read('a')).toEqual(draft('one'))
})

test('a tab that opens with two texts keeps what it shows, and hears how the other one goes on', async () => {
  const {browser, open, one, other} = await openTabs({})
  one.write('a', draft('one'))
  other.write('a', draft('other'))
  const next = await open()
  expect(next.read('a')).toEqual(draft('other'))
  one.write('a', draft('one more'))
  expect(next.heard.get()).toBeUndefined()
  next.write('a', draft('next'))
  expect(browser.written['foo']).toEqual({a: draft('next'), 'other/a': draft('one more')})
})

test('what is typed in a page that closes before the stored draft is read stands before that one, which waits', async () => {
  const stored = {foo: {one: draft('stored'), 'other/one': draft('waits'), two: draft('stored')}}
  const before = setUp(stored)
  before.drafts.follow('foo')
  before.drafts.write('one', draft('typed'))
  before.drafts.write('two', draft('typed'))
  before.drafts.write('two', undefined)
  before.drafts.leave()
  const next = setUp(stored, before.left)
  next.drafts.follow('foo')
  await next.answerReads()
  expect(next.written['foo']).toEqual({
    one: draft('typed'),
    'other/one': draft('stored'),
    'other/other/one': draft('waits'),
    two: draft('stored'),
  })
  expect(next.left.text).toBeUndefined()
})

test('what one user left stays when another one finds a text of their own', async () => {
  const {written, left, drafts, answerReads} = setUp(
    {},
    {text: '{"owner":"bar","drafts":{"one":null}}\n{"owner":"foo","drafts":{"one":{"text":"left","references":[]}}}'},
  )
  drafts.follow('foo')
  await answerReads()
  expect(written['foo']).toEqual({one: draft('left')})
  expect(left.text).toBe('{"owner":"bar","drafts":{"one":null}}')
})

test('of three tabs that typed under one key all texts are kept, the newest first, also of tabs that went on', async () => {
  const {browser, open, one, other} = await openTabs({})
  const third = await open()
  const tabs = [one, other, third]
  for (const end of ['', ' more', ' and more'])
    for (const [index, tab] of tabs.entries()) tab.write('a', draft(`tab ${index}${end}`))
  expect(browser.written['foo']).toEqual({
    a: draft('tab 2 and more'),
    'other/a': draft('tab 1 and more'),
    'other/other/a': draft('tab 0 and more'),
  })
  browser.written = {}
  for (const tab of tabs) tab.leave()
  const next = await open()
  for (const text of ['tab 2 and more', 'tab 1 and more', 'tab 0 and more']) {
    expect(next.read('a')).toEqual(draft(text))
    next.write('a', draft(text))
    next.close('a')
  }
  expect([next.read('a'), browser.written['foo']]).toEqual([undefined, {}])
})

test('of many texts under one key the four newest are kept', async () => {
  const {browser, open, one, other} = await openTabs({})
  const tabs = [one, other, await open(), await open(), await open(), await open()]
  for (const [index, tab] of tabs.entries()) tab.write('a', draft(`tab ${index}`))
  expect(browser.written['foo']).toEqual({
    a: draft('tab 5'),
    'other/a': draft('tab 4'),
    'other/other/a': draft('tab 3'),
    'other/other/other/a': draft('tab 2'),
  })
})

test('the same text of two tabs is kept once', async () => {
  const {browser, one, other} = await openTabs({})
  one.write('a', draft('same'))
  other.write('a', draft('sam'))
  other.write('a', draft('same'))
  expect(browser.written['foo']).toEqual({a: draft('same')})
  other.close('a')
  expect([one.read('a'), other.read('a'), browser.written['foo']]).toEqual([undefined, undefined, {}])
})

test('however many drafts there are, all are kept', async () => {
  const {browser, one} = await openTabs({})
  for (let index = 0; index < 60; index += 1) one.write(`k${index}`, draft('typed'))
  expect(Object.keys(browser.written['foo'] ?? {})).toHaveLength(60)
})

test('tabs of another user hear nothing', async () => {
  const {browser, one} = await openTabs({})
  const {drafts, answerReads} = openTab(browser)
  drafts.follow('bar')
  await answerReads()
  one.write('a', draft('secret'))
  expect(drafts.read('a')).toBeUndefined()
})
