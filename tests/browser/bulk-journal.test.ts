import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import type {BulkStore} from '#browser/bulk-database.ts'
import {createBulkJournal} from '#browser/bulk-journal.ts'
import {createBulkStorage} from '#browser/bulk-storage.ts'
import {createStore, record} from './bulk-fixture.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const openStorage = (open: () => Promise<BulkStore>, journal: ReturnType<typeof createBulkJournal>) =>
  createBulkStorage(open, () => undefined, undefined, journal)
const createText = () => {
  let text: string | undefined
  return {read: () => text, write: (next: string | undefined) => void (text = next)}
}

test('what a leaving page had no time to write is there for the next page, and is written then', async () => {
  const {items, store} = createStore()
  const text = createText()
  const open = (target: Promise<BulkStore>) => openStorage(() => target, createBulkJournal(text))
  items.set('user/u-1/conversation/gone', record('gone', 1))
  // the page goes before its database is open
  const leaving = open(new Promise(() => undefined))
  leaving.saveConversation('u-1', record('a', 2, 'refused'))
  leaving.removeConversation('u-1', 'gone')
  void leaving.flush()
  leaving.saveDraft('u-1', 'k', {text: 'foo', references: []})
  leaving.leave()

  const next = open(Promise.resolve(store))
  expect(await next.conversations('u-1')).toEqual([record('a', 2, 'refused')])
  expect(await next.drafts('u-1')).toEqual({k: {text: 'foo', references: []}})
  expect(text.read()).toBeUndefined()
})

test('a page that stays writes over what another page left, also in the journal', async () => {
  const {store} = createStore()
  const text = createText()
  const journal = createBulkJournal(text)
  const staying = openStorage(async () => store, journal)
  journal.keep([['user/u-1/conversation/a', record('a', 1, 'older')]])
  staying.saveConversation('u-1', record('a', 2, 'newer'))
  await staying.flush()
  const next = openStorage(async () => store, journal)
  expect(await next.conversations('u-1')).toEqual([record('a', 2, 'newer')])
})

test('signing out empties the journal of the user', async () => {
  const {store} = createStore()
  const text = createText()
  const journal = createBulkJournal(text)
  const bulk = openStorage(async () => store, journal)
  journal.keep([
    ['user/u-1/draft/k', {text: 'foo', references: []}],
    ['user/u-2/draft/k', {text: 'bar', references: []}],
  ])
  await bulk.clearUser('u-1')
  expect(journal.read().map(([key]) => key)).toEqual(['user/u-2/draft/k'])
})

test('a tab that goes while another one signs out leaves no write of the user to the next page', async () => {
  const {items, store} = createStore()
  const journal = createBulkJournal(createText())
  const bulk = openStorage(async () => store, journal)
  bulk.saveConversation('u-1', record('running', 1, 'private'))
  void bulk.flush()
  bulk.saveConversation('u-1', record('pending', 1, 'private'))
  void bulk.dropUser('u-1')
  bulk.leave()
  const next = openStorage(async () => store, journal)
  await next.flush()
  expect([...items.keys()]).toEqual([])
  expect(journal.read()).toEqual([])
})

test('each write that fails is told, and stays in the journal for the next page', async () => {
  const {store} = createStore()
  const journal = createBulkJournal(createText())
  const bulk = openStorage(async () => store, journal)
  const onFailure = vi.fn()
  bulk.failed$.subscribe(onFailure)
  vi.mocked(store.setItem).mockRejectedValue(new DOMException('Full.', 'QuotaExceededError'))
  bulk.saveConversation('u-1', record('a', 1))
  bulk.leave()
  await bulk.flush()
  expect(onFailure).toHaveBeenCalledOnce()
  expect(journal.read()).toEqual([['user/u-1/conversation/a', record('a', 1)]])
  bulk.saveConversation('u-1', record('a', 2))
  await bulk.flush()
  expect(onFailure).toHaveBeenCalledTimes(2)
})

test('a journal of another shape is no journal, and what is too large is left out', () => {
  const text = createText()
  const journal = createBulkJournal(text)
  for (const broken of ['{', '[1]', '5']) {
    text.write(broken)
    expect(journal.read()).toEqual([])
  }
  journal.keep([
    ['large', 'x'.repeat(600_000)],
    ['small', 'y'],
  ])
  expect(journal.read()).toEqual([['small', 'y']])
})
