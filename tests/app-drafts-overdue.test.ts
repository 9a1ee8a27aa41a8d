import {Subject} from 'rxjs'
import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createDrafts} from '#app/chat/drafts.ts'
import type {TabFact} from '#browser/tabs.ts'
import {draft, setUp} from './drafts-fixture.ts'
import {eventually} from './eventually.ts'

beforeEach(() => void vi.useFakeTimers({toFake: ['setTimeout', 'clearTimeout']}))
afterEach(() => void vi.useRealTimers())

/** Drafts of a user whose database has not answered for three seconds. */
const setUpOverdue = (stored: Parameters<typeof setUp>[0]) => {
  const tab = setUp(stored)
  tab.drafts.follow('foo')
  vi.advanceTimersByTime(2_999)
  expect(tab.drafts.isReady()).toBe(false)
  vi.advanceTimersByTime(1)
  expect(tab.drafts.isReady()).toBe(true)
  vi.useRealTimers()
  return tab
}

test('a database that never answers does not hold up the chat, and what is typed is there in the next page', async () => {
  const {drafts, written, left} = setUpOverdue({foo: {one: draft('stored')}})
  drafts.write('one', draft('typed'))
  expect(drafts.read('one')).toEqual(draft('typed'))
  drafts.leave()
  expect(written).toEqual({foo: {one: draft('stored')}})
  const next = setUp(written, left)
  next.drafts.follow('foo')
  await next.answerReads()
  expect(next.written['foo']).toEqual({one: draft('typed'), 'other/one': draft('stored')})
})

test('drafts that are read after their deadline wait beside the typed ones, and the next fields show them', async () => {
  const {drafts, written, answerReads} = setUpOverdue({
    foo: {one: draft('stored'), two: draft('stored'), 'other/two': draft('of another tab'), three: draft('stored')},
  })
  drafts.write('one', draft('typed'))
  drafts.write('three', draft('sent'))
  drafts.close('three')
  await answerReads()
  await eventually(() => expect(written['foo']?.['other/one']).toEqual(draft('stored')))
  // the fields of all three are open: what they show is replaced by nothing, and replaces nothing
  drafts.write('two', draft('typed'))
  drafts.write('three', draft('typed'))
  expect(written['foo']).toEqual({
    ...{one: draft('typed'), 'other/one': draft('stored')},
    ...{two: draft('typed'), 'other/two': draft('stored'), 'other/other/two': draft('of another tab')},
    ...{three: draft('typed'), 'other/three': draft('stored')},
  })
  drafts.close('one')
  expect(drafts.read('one')).toEqual(draft('stored'))
})

test('drafts that cannot be read hold nothing up', async () => {
  const drafts = createDrafts(
    {drafts: () => Promise.reject(new Error('foo')), saveDraft: () => undefined},
    {read: () => undefined, write: () => undefined},
    {facts$: new Subject<TabFact>(), tell: () => undefined},
  )
  vi.useRealTimers()
  await eventually(() => expect(drafts.isReady()).toBe(true))
})

test('a field that is empty when the drafts are read late gets its own', async () => {
  const {drafts, answerReads} = setUpOverdue({foo: {one: draft('stored'), two: draft('stored')}})
  drafts.subscribe(() => drafts.look('one'))
  drafts.write('two', draft('typed'))
  drafts.subscribe(() => drafts.look('two'))
  await answerReads()
  await eventually(() => expect(drafts.heard.get()).toEqual({keys: ['one'], draft: draft('stored')}))
  expect([drafts.read('one'), drafts.read('two')]).toEqual([draft('stored'), draft('typed')])
})

test('a field that is empty when the drafts are read in time gets its own, and its words replace no older ones', async () => {
  const withFile = {text: 'read it', references: [{url: '/f', name: 'f'}]}
  const {drafts, written, answerReads} = setUp({visitor: {one: draft('stored'), two: withFile, three: draft('stored')}})
  vi.useRealTimers()
  // as a field does that opens
  for (const key of ['one', 'two']) {
    drafts.write(key, drafts.read(key))
    drafts.subscribe(() => drafts.look(key))
  }
  await answerReads()
  expect(drafts.heard.get()).toEqual({keys: ['one'], draft: draft('stored')})
  drafts.write('one', draft('stored'))
  drafts.write('one', draft('stored and more'))
  // files come with a field that opens
  drafts.write('two', draft('typed'))
  drafts.write('three', draft('stored and more'))
  expect(written['visitor']).toEqual({
    one: draft('stored and more'),
    ...{two: draft('typed'), 'other/two': withFile},
    three: draft('stored and more'),
  })
})

test('a field that is empty as its user signs in gets what that user typed before', async () => {
  const {drafts, written, answerReads} = setUp({foo: {one: draft('stored')}})
  vi.useRealTimers()
  await answerReads()
  drafts.write('one', drafts.read('one'))
  drafts.subscribe(() => drafts.look('one'))
  drafts.follow('foo')
  await answerReads()
  expect(drafts.heard.get()).toEqual({keys: ['one'], draft: draft('stored')})
  drafts.write('one', draft('stored and more'))
  expect(written['foo']).toEqual({one: draft('stored and more')})
})

test.each(['in time', 'overdue'])(
  'a field with a name keeps what is typed over a text that is read %s',
  async (time) => {
    const {drafts, written, answerReads} = setUp({foo: {key: draft('stored')}}, undefined, (key) =>
      key === 'key' ? 'id' : undefined,
    )
    drafts.follow('foo')
    drafts.write('key', drafts.read('key'))
    drafts.subscribe(() => drafts.look('key'))
    if (time === 'overdue') vi.advanceTimersByTime(3_000)
    vi.useRealTimers()
    drafts.write('key', draft('typed'))
    await answerReads()
    await eventually(() => expect(written['foo']).toEqual({id: draft('typed'), 'other/id': draft('stored')}))
    expect(drafts.read('key')).toEqual(draft('typed'))
    drafts.write('key', draft('typed on'))
    expect(written['foo']).toEqual({id: draft('typed on'), 'other/id': draft('stored')})
    drafts.close('key')
    expect(drafts.read('key')).toEqual(draft('stored'))
  },
)

test('a field whose user signs in late keeps what it shows, and gets that of the user where its own is gone', async () => {
  const {drafts, written, answerReads} = setUp({
    visitor: {one: draft('visitor'), two: draft('visitor')},
    foo: {one: draft('stored'), two: draft('stored')},
  })
  await answerReads()
  for (const key of ['one', 'two']) drafts.write(key, drafts.read(key))
  drafts.follow('foo')
  // another tab has signed in and sent it
  written['visitor'] = {one: draft('visitor')}
  vi.advanceTimersByTime(3_000)
  vi.useRealTimers()
  await answerReads()
  await eventually(() => expect(written['visitor']).toEqual({}))
  for (const key of ['one', 'two']) drafts.write(key, draft('visitor and more'))
  expect(written['foo']).toEqual({
    ...{one: draft('visitor and more'), 'other/one': draft('stored')},
    ...{two: draft('visitor and more'), 'other/two': draft('stored')},
  })
})
