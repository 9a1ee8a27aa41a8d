import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createBulkJournal} from '#browser/bulk-journal.ts'
import {createBulkStorage} from '#browser/bulk-storage.ts'
import {createKeptVersions} from '#browser/kept-versions.ts'
import type {HiddenMessage} from '#domain/hidden-versions.ts'
import {createStore} from './bulk-fixture.ts'

/* Hidden versions that were read for the search stay on the device (decision 210). */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openVersions(userId = 'u-1') {
  const {items, store} = createStore()
  let journalText: string | undefined
  const journal = createBulkJournal({read: () => journalText, write: (next) => void (journalText = next)})
  const open = () =>
    createBulkStorage(
      async () => store,
      () => undefined,
      undefined,
      journal,
    )
  const bulk = open()
  return {items, store, bulk, open, journal, kept: createKeptVersions(bulk, userId)}
}

const stay = new AbortController().signal
const messages = (content: string): HiddenMessage[] => [
  {id: 'a-1', role: 'assistant', content, state: 'finished', parent: 'q-1', hidden_at: 7},
]
const entry = (id: string, name: string, content = name) => ({id, name, messages: messages(content)})

test('they are there for the next page, by conversation and name', async () => {
  const {kept, open} = openVersions()
  await kept.keep([entry('a/b', 'x/1%3A7'), entry('c', 'y/')], stay)
  const next = createKeptVersions(open(), 'u-1')
  expect(await next.names()).toEqual({'a/b': 'x/1%3A7', c: 'y/'})
  expect(await next.read([{id: 'a/b', name: 'x/1%3A7'}])).toEqual(new Map([['a/b', messages('x/1%3A7')]]))
  expect(await createKeptVersions(open(), 'u-2').names()).toEqual({})
})

test('a newer name of a conversation replaces the one before; another name reads nothing', async () => {
  const {kept, items} = openVersions()
  await kept.keep([entry('a', 'x/1'), entry('b', 'x/1')], stay)
  await kept.keep([entry('a', 'x/2')], stay)
  expect([...items.keys()].sort()).toEqual(['user/u-1/versions/a/x/2', 'user/u-1/versions/b/x/1'])
  expect(await kept.read([{id: 'a', name: 'x/1'}])).toEqual(new Map([['a', []]]))
  kept.forget([{id: 'b', name: 'x/1'}])
  expect(await kept.names()).toEqual({a: 'x/2'})
})

test('they go with their conversation and with the sign-out, and none is written after it', async () => {
  const {kept, items, bulk} = openVersions()
  await kept.keep([entry('a/b', 'x/1'), entry('c', 'x/1')], stay)
  bulk.removeConversation('u-1', 'a/b')
  await vi.waitFor(async () => expect(await kept.names()).toEqual({c: 'x/1'}))
  const leaving = new AbortController()
  const writing = kept.keep([entry('d', 'x/1')], leaving.signal)
  leaving.abort()
  await bulk.clearUser('u-1')
  await writing
  await bulk.flush()
  expect([...items.keys()]).toEqual([])
})

test('a page that goes leaves none in the journal, where drafts wait, and takes those back that a sign-out ended', async () => {
  const {bulk, journal} = openVersions()
  bulk.versions.put('user/u-1/versions/b/x/1', messages('b'))
  bulk.saveDraft('u-1', 'k', {text: 'foo', references: []})
  bulk.leave()
  expect(journal.read().map(([key]) => key)).toEqual(['user/u-1/draft/k'])
  void bulk.dropUser('u-1')
  bulk.leave()
  expect(journal.read()).toContainEqual(['user/u-1/versions/b/x/1', undefined])
})

test('what the database refuses is there until the page is left', async () => {
  const {kept, store} = openVersions()
  vi.mocked(store.setItem).mockRejectedValue(new DOMException('Full.', 'QuotaExceededError'))
  await kept.keep([entry('a', 'x/1')], stay)
  expect(await kept.names()).toEqual({a: 'x/1'})
  expect(await kept.read([{id: 'a', name: 'x/1'}])).toEqual(new Map([['a', messages('x/1')]]))
})
