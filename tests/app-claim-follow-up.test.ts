import {defer, firstValueFrom} from 'rxjs'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {claim, hold$, turn$} from '#app/logic/claim-follow-up.ts'
import {createLeadership, type Leadership} from '#browser/leadership.ts'
import {createLeaseLeadership} from '#browser/without-locks.ts'
import {startSession} from './session-with-parts.ts'
import {stopAfterTest} from './stop-after-test.ts'
import {createQueues} from './browser/fake-leadership.ts'
import {createLocks} from './browser/fake-locks.ts'
import {createFakeStorage} from './browser/fake-storage.ts'

const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
const withLease = (): Leadership => {
  let tabs = 0
  return createLeaseLeadership({
    storage: createFakeStorage().storage,
    now: () => Date.now(),
    sleep,
    createId: () => `tab ${(tabs += 1)}`,
  })
}
const withLocks = () => createLeadership(createLocks(), () => Promise.reject(new Error('unused with locks')))

/** Returns unix seconds. */
const now = () => Math.floor(Date.now() / 1_000)

/** One browser in which this tab and another one know a question that waits. */
function open(leadership: Leadership) {
  const key = 'foo'
  const {session} = startSession()
  const {system} = stopAfterTest(session)
  const deps = {leadership, clock: {now: () => Date.now() / 1_000}}
  return {
    session,
    claim: () => claim(deps, system, key),
    edit: () => {
      const editor = hold$(deps, system, key).subscribe()
      return () => editor.unsubscribe()
    },
    /** It waits behind a turn of this tab. */
    wait: () => {
      const waiting = turn$({lockLeadership: undefined}, system, key).subscribe()
      return () => waiting.unsubscribe()
    },
    /** Another tab stands in line for it. */
    other: () => {
      let isFirst = false
      const standing = leadership(`atrium.follow-up.${key}`, {isClaiming: false}).subscribe(
        ({type}) => void (isFirst = type === 'leader.won'),
      )
      return {isFirst: () => isFirst, leave: () => standing.unsubscribe()}
    },
    key,
  }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

describe.each([
  ['locks', withLocks],
  ['a lease', withLease],
  ['lines', createQueues],
])('with %s', (_name, leadership) => {
  test('the first to claim a question sends it, and asks again without losing it', async () => {
    const {key, ...tab} = open(leadership())
    expect(await tab.claim()).toEqual({key, isOurs: true, at: now()})
    const other = tab.other()
    await pass(59_000)
    expect([other.isFirst(), await tab.claim()]).toEqual([false, {key, isOurs: true, at: now()}])
    // others have a minute to hear of the second claim too
    await pass(59_000)
    expect(other.isFirst()).toBe(false)
    await pass(20_000)
    expect(other.isFirst()).toBe(true)
    other.leave()
  })

  test('a question that another tab claimed is not sent here, until that tab is gone', async () => {
    const {key, ...tab} = open(leadership())
    const other = tab.other()
    await pass(0)
    expect(await tab.claim()).toEqual({key, isOurs: false, at: now()})
    await pass(0)
    other.leave()
    await pass(20_000)
    expect(await tab.claim()).toEqual({key, isOurs: true, at: now()})
  })

  test('no other tab sends what is edited here; the tab that edited it sends it', async () => {
    const {key, ...tab} = open(leadership())
    const close = tab.edit()
    await pass(0)
    const other = tab.other()
    await pass(30_000)
    expect(other.isFirst()).toBe(false)
    close()
    expect(await tab.claim()).toEqual({key, isOurs: true, at: now()})
    await pass(30_000)
    expect(other.isFirst()).toBe(false)
    other.leave()
  })

  test('where it is not sent after the edit, another tab may, a second later', async () => {
    const tab = open(leadership())
    const close = tab.edit()
    await pass(0)
    const other = tab.other()
    await pass(0)
    close()
    await pass(900)
    expect(other.isFirst()).toBe(false)
    await pass(20_000)
    expect(other.isFirst()).toBe(true)
    other.leave()
  })

  test('an editor that opens again within that second keeps it', async () => {
    const tab = open(leadership())
    tab.edit()()
    await pass(500)
    const close = tab.edit()
    await pass(500)
    const other = tab.other()
    await pass(30_000)
    expect(other.isFirst()).toBe(false)
    close()
    await pass(20_000)
    expect(other.isFirst()).toBe(true)
    other.leave()
  })

  test('the second of two tabs that edit it takes over when the first ends', async () => {
    const {key, ...tab} = open(leadership())
    const other = tab.other()
    await pass(0)
    const close = tab.edit()
    await pass(0)
    other.leave()
    await pass(20_000)
    close()
    expect(await tab.claim()).toEqual({key, isOurs: true, at: now()})
  })
  test('a claim counts for a minute; then the key is claimed anew, and another tab may be first', async () => {
    const {key, ...tab} = open(leadership())
    expect(await tab.claim()).toEqual({isOurs: true, key: 'foo', at: expect.any(Number)})
    const other = tab.other()
    await pass(80_000)
    expect([other.isFirst(), await tab.claim()]).toEqual([true, {key, isOurs: false, at: expect.any(Number)}])
    other.leave()
  })

  test('a claimed question that waits behind a turn again may be sent by another tab, a second later', async () => {
    const tab = open(leadership())
    await tab.claim()
    const other = tab.other()
    await pass(0)
    tab.wait()
    await pass(900)
    expect(other.isFirst()).toBe(false)
    await pass(20_000)
    expect(other.isFirst()).toBe(true)
    other.leave()
  })

  test('where the turn ends within that second, this tab sends it', async () => {
    const {key, ...tab} = open(leadership())
    await tab.claim()
    const other = tab.other()
    await pass(0)
    tab.wait()()
    await pass(500)
    expect(await tab.claim()).toEqual({key, isOurs: true, at: now()})
    await pass(30_000)
    expect(other.isFirst()).toBe(false)
    other.leave()
  })

  test("a question that waits here leaves another tab's claim alone", async () => {
    const {key, ...tab} = open(leadership())
    const other = tab.other()
    await pass(0)
    tab.wait()
    await pass(30_000)
    expect([other.isFirst(), await tab.claim()]).toEqual([true, {key, isOurs: false, at: now()}])
    other.leave()
  })

  test('a claim is a part of the session, and free when that ends', async () => {
    const {session, ...tab} = open(leadership())
    expect(await tab.claim()).toEqual({isOurs: true, key: 'foo', at: expect.any(Number)})
    expect(Object.keys(session.getSnapshot().children)).toContain(`followUpClaim/${tab.key}`)
    const other = tab.other()
    await pass(0)
    session.stop()
    await pass(20_000)
    expect(other.isFirst()).toBe(true)
    other.leave()
  })
})

test('where the browser does not say which tab is first, claim and edit hear why', async () => {
  const leadership: Leadership = () => defer(() => Promise.reject(new Error('no locks')))
  const {session, key, ...tab} = open(leadership)
  await expect(tab.claim()).rejects.toMatchObject({cause: new Error('no locks')})
  await expect(firstValueFrom(hold$({leadership}, session.system, key))).rejects.toThrow('no locks')
})
