import {expect, test} from 'vitest'
import {draft, setUp, openTabs} from './drafts-fixture.ts'

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

test('however many drafts there are, all are kept', async () => {
  const {browser, one} = await openTabs({})
  for (let index = 0; index < 60; index += 1) one.write(`k${index}`, draft('typed'))
  expect(Object.keys(browser.written['foo'] ?? {})).toHaveLength(60)
})
