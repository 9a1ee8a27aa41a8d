import {afterEach, beforeEach, expect, test, vi} from 'vitest'
import {createBulkStorage} from '#browser/bulk-storage.ts'
import {createKeptPaths} from '#browser/kept-paths.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import {createStore, record} from './bulk-fixture.ts'

/* Paths that were read are there without a network (decision 172). */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function openPaths() {
  const {items, store} = createStore()
  const bulk = createBulkStorage(
    async () => store,
    () => undefined,
  )
  return {
    items,
    bulk,
    of: (conversation: string, userId = 'u-1') => createKeptPaths(bulk, {userId, conversation}),
    /** The last messages of the paths in the store. */
    ends: async () => {
      await bulk.flush()
      return [...items.keys()].map((key) => key.split('/').at(-1))
    },
  }
}

const message = (id: string, more: Partial<RecordMessage> = {}): RecordMessage => ({
  role: 'assistant',
  content: id,
  id,
  state: 'finished',
  ...more,
})

test('the newest path through a message is found', async () => {
  const kept = openPaths().of('a/b')
  await kept.keep([message('q'), message('a-1')])
  vi.advanceTimersByTime(1)
  await kept.keep([message('q'), message('a-2')])
  expect(await kept.find('q', [])).toEqual([message('q'), message('a-2')])
  expect(await kept.find('a-1', [])).toEqual([message('q'), message('a-1')])
  expect(await kept.find('other', [])).toBeUndefined()
})

test('a path names versions that were added after it was kept', async () => {
  const kept = openPaths().of('a')
  const versions = ['a-1', 'a-2']
  await kept.keep([message('q-1'), message('a-1')])
  // the page that asked for it names those before it alone
  expect(await kept.find('a-1', [message('q-1'), message('a-2', {versions: ['a-1']})])).toEqual([
    message('q-1'),
    message('a-1', {versions}),
  ])
  vi.advanceTimersByTime(1)
  await kept.keep([message('q-1'), message('a-2', {versions})])
  expect(await kept.find('a-1', [message('q-2', {versions: ['q-1', 'q-2']})])).toEqual([
    message('q-1', {versions: ['q-1', 'q-2']}),
    message('a-1', {versions}),
  ])
})

test('a path is kept as far as the server has it, and replaces what it goes on from', async () => {
  const paths = openPaths()
  const kept = paths.of('a')
  await kept.keep([message('q'), message('a/1')])
  vi.advanceTimersByTime(1)
  await kept.keep([
    message('q'),
    message('a/1'),
    message('gone', {removing: true}),
    message('q-2'),
    message('growing', {state: 'answering'}),
    message('refused', {unsent: true}),
  ])
  expect(await paths.ends()).toEqual(['q-2'])
  expect(await kept.find('q', [])).toEqual([message('q'), message('a/1'), message('q-2')])
  await paths.of('empty').keep([message('growing', {state: 'answering'})])
  expect(await paths.ends()).toEqual(['q-2'])
})

test('of a conversation the newest 20 are kept, of a user the newest 200', async () => {
  const paths = openPaths()
  for (let conversation = 0; conversation < 11; conversation += 1)
    for (let path = 0; path < 21; path += 1) {
      vi.advanceTimersByTime(1)
      await paths.of(`c-${conversation}`).keep([message(`a-${conversation}-${path}`)])
    }
  const ends = await paths.ends()
  expect(ends).toHaveLength(200)
  expect([ends[0], ends.at(-1)]).toEqual(['a-1-1', 'a-10-20'])
})

test('the path that is left for another version is kept, one through a deleted message is not', async () => {
  const paths = openPaths()
  const kept = paths.of('a')
  const one = [message('q'), message('a-1', {versions: ['a-1', 'a-2']}), message('below')]
  const other = [message('q'), message('a-2', {versions: ['a-1', 'a-2']})]
  await kept.follow([], one)
  expect(await paths.ends()).toEqual([])
  await kept.follow(one, other)
  expect(await kept.find('a-1', [])).toEqual(one)
  await kept.follow(other, [...other, message('more')])
  expect(await paths.ends()).toEqual(['below'])
  await kept.follow(other, [message('a-2', {versions: ['a-1', 'a-2']})])
  expect(await paths.ends()).toEqual([])
})

test('paths go with their conversation, wherever it was deleted, and with their user', async () => {
  const paths = openPaths()
  const {bulk} = paths
  for (const key of ['a', 'ab', 'elsewhere']) {
    bulk.saveConversation('u-1', {...record(key, 1), id: key})
    await paths.of(key).keep([message(`end-of-${key}`)])
  }
  await paths.of('a', 'u-2').keep([message('end-of-another')])
  await bulk.flush()
  bulk.removeConversation('u-1', 'a')
  await bulk.pruneConversations('u-1', (key) => key === 'ab')
  await vi.advanceTimersByTimeAsync(1000)
  expect(await paths.ends()).toEqual(['ab', 'end-of-ab', 'end-of-another'])
  await bulk.clearUser('u-1')
  expect(await paths.ends()).toEqual(['end-of-another'])
})

test('what cannot be read is no path', async () => {
  const {items, of} = openPaths()
  items.set('user/u-1/path/a/1/a-1', [{id: 'a-1'}])
  expect(await of('a').find('a-1', [])).toBeUndefined()
})
