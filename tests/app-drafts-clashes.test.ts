import {expect, test} from 'vitest'
import {draft, setUp, openTabs} from './drafts-fixture.ts'

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
