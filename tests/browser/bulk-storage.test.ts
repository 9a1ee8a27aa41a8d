import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {openBulkStore} from '#browser/bulk-database.ts'
import {createBulkStorage} from '#browser/bulk-storage.ts'
import {rememberBulkUsage} from '#browser/bulk-usage.ts'
import {createStore, record} from './bulk-fixture.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('conversations of a user, newest first, with what only this client knows', async () => {
  const {store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  bulk.saveConversation('u-1', record('a', 1))
  bulk.saveConversation('u-1', record('b', 2))
  bulk.saveConversation('u-2', record('c', 3))
  expect(await bulk.conversations('u-1')).toEqual([record('b', 2), record('a', 1)])
  bulk.removeConversation('u-1', 'b')
  expect(await bulk.conversations('u-1')).toEqual([record('a', 1)])
})

test('a prefix of a user id is another user', async () => {
  const bulk = createBulkStorage(
    async () => createStore().store,
    () => undefined,
  )
  bulk.saveConversation('u/1', record('a', 1))
  bulk.saveConversation('u', record('b', 1))
  expect(await bulk.conversations('u')).toEqual([record('b', 1)])
})

test('conversations under some names are read without the others', async () => {
  const {store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  for (const key of ['a', 'b']) bulk.saveConversation('u-1', record(key, 1))
  expect(await bulk.conversations('u-1', (name) => name !== 'a')).toEqual([record('b', 1)])
  expect(store.getItem).toHaveBeenCalledTimes(1)
})

test('several writes of one conversation become one, within 250 ms', async () => {
  const {store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  for (const text of ['a', 'b', 'c']) bulk.saveConversation('u-1', record('k', 1, text))
  await vi.advanceTimersByTimeAsync(249)
  expect(store.setItem).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(store.setItem).toHaveBeenCalledOnce()
  expect(await bulk.conversations('u-1')).toEqual([record('k', 1, 'c')])
})

test('nothing is opened before it is used', () => {
  const open = vi.fn(async () => createStore().store)
  createBulkStorage(open, () => undefined)
  expect(open).not.toHaveBeenCalled()
})

test('drafts: each has its record, the last one counts at once, and none leaves none', async () => {
  const {items, store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  expect(await bulk.drafts('u-1')).toEqual({})
  const draft = {text: 'foo', references: [{url: '/a.png', name: 'a.png'}]}
  bulk.saveDraft('u-1', 'k', draft)
  bulk.saveDraft('u-1', 'new/chatgpt', draft)
  expect(await bulk.drafts('u-1')).toEqual({k: draft, 'new/chatgpt': draft})
  bulk.saveDraft('u-1', 'k', undefined)
  expect(await bulk.drafts('u-1')).toEqual({'new/chatgpt': draft})
  bulk.saveDraft('u-1', 'new/chatgpt', undefined)
  expect(await bulk.drafts('u-1')).toEqual({})
  expect(items.size).toBe(0)
})

const earlierDrafts = {
  k: {text: 'older', references: []},
  'new/chatgpt': {text: 'foo', references: [{url: '/a.png', name: 'a.png', size: 3}]},
}

test.each([
  ['in one record', earlierDrafts],
  ['as JSON in a text', {text: JSON.stringify(earlierDrafts), references: []}],
])('drafts that an earlier version stored %s are read, and get records of their own', async (_name, stored) => {
  const {items, store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  items.set('user/u-1/draft/composer', stored)
  const newer = {text: 'newer', references: []}
  bulk.saveDraft('u-1', 'k', newer)
  expect(await bulk.drafts('u-1')).toEqual({...earlierDrafts, k: newer})
  await bulk.flush()
  expect([...items.keys()].sort()).toEqual(['user/u-1/draft/k', 'user/u-1/draft/new/chatgpt'])
  expect(await bulk.drafts('u-1')).toEqual({...earlierDrafts, k: newer})
})

test('drafts that nobody touched for half a year go once there are very many', async () => {
  const {items, store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  const now = Date.now()
  const day = 24 * 60 * 60 * 1000
  const ages = [...Array<number>(150).fill(1), ...Array<number>(100).fill(170), ...Array<number>(50).fill(200)]
  for (const [index, age] of ages.entries()) {
    items.set(`user/u-1/draft/k${index}`, {text: 'foo', references: [], at: now - age * day})
  }
  expect(Object.keys(await bulk.drafts('u-1'))).toHaveLength(250)
  await bulk.flush()
  expect(items.size).toBe(250)
})

test('a caller that asks for keys while they are read waits for the same reading; one after a write sees it', async () => {
  const {store} = createStore()
  const keys = vi.spyOn(store, 'keys')
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  await Promise.all([bulk.drafts('u-1'), bulk.drafts('u-2'), bulk.conversations('u-1')])
  expect(keys).toHaveBeenCalledOnce()
  bulk.saveConversation('u-1', record('a', 1))
  expect(await bulk.conversations('u-1')).toEqual([record('a', 1)])
})

test.each([
  ['a broken text', {text: '{"one":', references: []}],
  ['a text of another shape', {text: '{"one":3}', references: []}],
  ['no record', 5],
])('%s is no draft', async (_name, stored) => {
  const {items, store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  items.set('user/u-1/draft/composer', stored)
  expect(await bulk.drafts('u-1')).toEqual({})
})

test('records of another shape are left out', async () => {
  const {items, store} = createStore()
  const log = vi.fn()
  const bulk = createBulkStorage(async () => store, log)
  bulk.saveConversation('u-1', record('a', 1))
  await bulk.flush()
  items.set('user/u-1/conversation/b', {key: 'b'})
  items.set('user/u-1/conversation/c', 'text')
  expect(await bulk.conversations('u-1')).toEqual([record('a', 1)])
  expect(log).toHaveBeenCalledOnce()
})

test('signing out removes all of the user, also what waits, and nothing else', async () => {
  const {items, store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  bulk.saveConversation('u-1', record('a', 1))
  bulk.saveDraft('u-1', 'a', {text: 'foo', references: []})
  bulk.saveConversation('u-2', record('b', 1))
  await bulk.flush()
  bulk.saveConversation('u-1', record('c', 1))
  await bulk.clearUser('u-1')
  await vi.advanceTimersByTimeAsync(1000)
  expect(Array.from(items.keys())).toEqual(['user/u-2/conversation/b'])
})

test('a database that cannot be opened is replaced by memory', async () => {
  const log = vi.fn()
  const bulk = createBulkStorage(() => Promise.reject(new Error('blocked')), log)
  bulk.saveConversation('u-1', record('a', 1))
  expect(await bulk.conversations('u-1')).toEqual([record('a', 1)])
  expect(log).toHaveBeenCalledOnce()
})

test('a write or read that fails is logged, and the next one works', async () => {
  const {store} = createStore()
  const log = vi.fn()
  const bulk = createBulkStorage(async () => store, log)
  vi.mocked(store.setItem).mockRejectedValueOnce(new DOMException('Full.', 'QuotaExceededError'))
  bulk.saveConversation('u-1', record('a', 1))
  await bulk.flush()
  expect(log).toHaveBeenCalledOnce()
  bulk.saveConversation('u-1', record('a', 2))
  vi.mocked(store.keys).mockRejectedValueOnce(new Error('broken'))
  expect(await bulk.conversations('u-1')).toEqual([])
  expect(await bulk.conversations('u-1')).toEqual([record('a', 2)])
})

test('tasks alone do not open the database of a browser that has none; they go with the next write, or when asked', async () => {
  const {items, store} = createStore()
  const open = vi.fn(async () => store)
  const used = {is: false}
  const bulk = createBulkStorage(open, () => undefined, {
    isUsed: async () => used.is,
    markUsed: () => {
      used.is = true
    },
  })
  const task = (id: string) => ({id, created_at: 1})
  bulk.saveTask('u-1', 'flux', task('t-1'))
  await vi.advanceTimersByTimeAsync(10_000)
  expect(open).not.toHaveBeenCalled()
  await bulk.flush()
  expect([...items.values()]).toEqual([task('t-1')])
  // from then on they are written as everything else
  bulk.saveTask('u-1', 'flux', task('t-2'))
  await vi.advanceTimersByTimeAsync(250)
  expect([...items.values()]).toEqual([task('t-1'), task('t-2')])
})

test.each([
  ['without the database is not asked for anything', async () => [{name: 'other', version: 1}], false],
  ['with it is read', async () => [{name: 'atrium', version: 1}], true],
  ['that does not say is read', () => Promise.reject(new Error('foo')), true],
  ['that has no such list is read', undefined, true],
])('a browser %s', async (_, databases, isRead) => {
  const {items, store} = createStore()
  items.set('user/u-1/draft/a', {text: 'foo', references: [], at: 1})
  const open = vi.fn(async () => store)
  vi.stubGlobal('indexedDB', {databases})
  localStorage.clear()
  const bulk = createBulkStorage(open, () => undefined, rememberBulkUsage(localStorage))
  expect(Object.keys(await bulk.drafts('u-1'))).toEqual(isRead ? ['a'] : [])
  expect(open).toHaveBeenCalledTimes(isRead ? 1 : 0)
})

test('a browser whose other tab has just begun is read before its database is listed', async () => {
  const {items, store} = createStore()
  items.set('user/u-1/draft/a', {text: 'foo', references: [], at: 1})
  vi.stubGlobal('indexedDB', {databases: async () => []})
  localStorage.clear()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
    rememberBulkUsage(localStorage),
  )
  expect(Object.keys(await bulk.drafts('u-1'))).toEqual([])
  rememberBulkUsage(localStorage).markUsed()
  expect(Object.keys(await bulk.drafts('u-1'))).toEqual(['a'])
})

test('a first write counts that comes while the database is looked for, also where nothing can be noted', async () => {
  const usage = rememberBulkUsage(undefined)
  const databases = async () => {
    usage.markUsed()
    return []
  }
  vi.stubGlobal('indexedDB', {databases})
  expect(await usage.isUsed()).toBe(true)
  expect(await usage.isUsed()).toBe(true)
})

test('a task that is removed at once is not written behind its removal', async () => {
  const {items, store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  const task = {id: 't-1', created_at: 1}
  bulk.saveTask('u-1', 'flux', task)
  bulk.removeTask('u-1', 'flux', task)
  await vi.advanceTimersByTimeAsync(1_000)
  await bulk.flush()
  expect([...items.keys()]).toEqual([])
})

test('localforage keeps what it is given', async () => {
  vi.useRealTimers()
  const store = await openBulkStore((load) => load())
  await store.setItem('foo', {bar: 1})
  expect(await store.getItem('foo')).toEqual({bar: 1})
  expect(await store.keys()).toEqual(['foo'])
  await store.removeItem('foo')
  expect(await store.getItem('foo')).toBeNull()
})

test('a conversation has one record, which the page that changed it last wrote, whatever name that knows it by', async () => {
  const {items, store} = createStore()
  const open = () =>
    createBulkStorage(
      async () => store,
      () => undefined,
    )
  const waiting = [{question: 'two', references: [], key: 'ask'}]
  const where = {...record('key', 1), followUps: waiting}
  const [began, other] = [open(), open()]
  began.saveConversation('u-1', where)
  await began.flush()
  began.saveConversation('u-1', {...where, id: 'id'})
  await began.flush()
  expect([...items.keys()]).toEqual(['user/u-1/conversation/id'])
  other.saveConversation('u-1', {...record('id', 1), id: 'id'})
  await other.flush()
  expect((await open().conversations('u-1')).map(({followUps}) => followUps)).toEqual([undefined])
  other.saveConversation('u-1', {...record('id', 1), id: 'id', followUps: waiting})
  await other.flush()
  began.saveConversation('u-1', {...record('key', 1), id: 'id'})
  await began.flush()
  expect((await open().conversations('u-1')).map(({followUps}) => followUps)).toEqual([undefined])
})
