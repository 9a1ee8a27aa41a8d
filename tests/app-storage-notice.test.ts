import {Subject} from 'rxjs'
import {expect, test} from 'vitest'
import {createActor} from 'xstate'
import {connectStorage} from '#app/logic/connect-browser.ts'
import {noticesMachine} from '#machines/notices/notices.machine.ts'
import {selectNotices} from '#machines/notices/notices.selectors.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'

function connect() {
  const notices = stopAfterTest(createActor(noticesMachine).start())
  const [blocked, failed] = [new Subject<void>(), new Subject<void>()]
  const clock = {now: 1_000}
  let count = 0
  const timers = {now: () => clock.now, setTimeout, clearTimeout}
  const subscription = connectStorage(
    {createUuid: () => `n-${(count += 1)}`, timers, state: {volatile$: blocked}, bulk: {failed$: failed}},
    {notices: () => notices},
  )
  const shown = () => selectNotices(notices.getSnapshot()).map(({id, textId}) => [id, textId])
  stopAfterTest({stop: () => subscription.unsubscribe()})
  return {blocked, failed, clock, shown}
}

test('one notice covers all failures of the storage within 15 s', () => {
  const {blocked, failed, clock, shown} = connect()
  expect(shown()).toEqual([])
  failed.next()
  blocked.next()
  clock.now += 14_999
  failed.next()
  expect(shown()).toEqual([['n-1', 'common.storageBlocked']])
  clock.now += 1
  failed.next()
  expect(shown()).toContainEqual(['n-2', 'common.storageBlocked'])
})

test('a clock that is set back silences no failure', () => {
  const {failed, clock, shown} = connect()
  clock.now = 3_600_000
  failed.next()
  clock.now = 0
  failed.next()
  expect(shown()).toHaveLength(2)
})
