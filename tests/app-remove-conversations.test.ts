import {expect, test} from 'vitest'
import {createRemover} from '#app/logic/remove-conversations.ts'
import {setUp} from './api/chat-fixture.ts'
import {createFakeFetch, json, type Seen} from './api/fake-fetch.ts'

const idOf = (index: number) => `0000-aaaa-bbbb-cccc-dddd-${String(index).padStart(11, '0')}`
const idsIn = ({body}: Seen) => (body as {ids: string[]}).ids // what a deletion of several sends

/** A browser, which keeps 64 KiB of bodies alive at once, and a server that refuses calls with this conversation. */
function createBrowser(busyId?: string) {
  const mostKept = 64 * 1024
  let kept = 0
  const answer = async (seen: Seen) => {
    const size = seen.keepalive ? JSON.stringify(seen.body).length : 0
    if (kept + size > mostKept) throw new TypeError('Failed to fetch')
    kept += size
    await Promise.resolve()
    kept -= size
    const ids = idsIn(seen)
    return busyId !== undefined && ids.includes(busyId)
      ? json({error: {code: 'busy', message: 'foo'}}, 409)
      : json({items: ids})
  }
  const fake = createFakeFetch(answer)
  const {chat} = setUp(fake)
  return {fake, remove: (ids: readonly string[], keepsAlive: boolean) => chat.remove(ids, keepsAlive)}
}

const removeAll = (remove: ReturnType<typeof createBrowser>['remove'], count: number) => {
  const removeSoon = createRemover({remove, takesSeveral: () => true})
  return Promise.allSettled(Array.from({length: count}, (_, index) => removeSoon(idOf(index))))
}

test('two thousand deletions of one moment all arrive: a hundred in a call, as many kept alive as a browser allows', async () => {
  const {fake, remove} = createBrowser()
  const results = await removeAll(remove, 2_000)
  expect(results.filter(({status}) => status === 'rejected')).toEqual([])
  expect(fake.seen.map((seen) => idsIn(seen).length)).toEqual(Array.from({length: 20}, () => 100))
  expect(fake.seen.slice(0, 2).map(({keepalive}) => keepalive)).toEqual([true, true])
})

test('a call that is refused fails its own deletions alone', async () => {
  const {remove} = createBrowser(idOf(100))
  const results = await removeAll(remove, 250)
  const failed = results.flatMap(({status}, index) => (status === 'rejected' ? [index] : []))
  expect(failed).toEqual(Array.from({length: 100}, (_, index) => 100 + index))
})
