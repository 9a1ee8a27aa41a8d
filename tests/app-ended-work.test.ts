import {expect, test} from 'vitest'
import type {AppActors} from '#app/logic/app-actors.ts'
import {followEndedWork} from '#app/logic/follow-ended-work.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {selectUnread} from '#machines/conversation-list/conversation-list.selectors.ts'
import {settled, start} from '#tests/machines/conversation-list-fixture.ts'

/** The work of a page whose session has this list, and what is reported of it. */
function follow(list: ReturnType<typeof start>['list']) {
  const session = {subscribe: () => undefined}
  const page: {session: typeof session | undefined; listeners: (() => void)[]} = {session, listeners: []}
  const reports: (string | number)[] = []
  // as: only these parts of the root are read
  const root = {subscribe: (listener: () => void) => void page.listeners.push(listener)} as unknown as AppActor
  const actors = {
    session: () => page.session,
    conversations: () => page.session && list,
    tasks: () => undefined,
  } as unknown as AppActors // as: see above
  followEndedWork(root, actors, {
    onList: () => undefined,
    onSession: () => reports.push(page.session === undefined ? 'ended' : 'began'),
    onUnread: (count) => reports.push(count),
    onEnd: () => undefined,
    onFailure: () => undefined,
  })
  const change = (next: typeof session | undefined) => {
    page.session = next
    for (const listener of page.listeners) listener()
  }
  return {reports, end: () => change(undefined), begin: () => change({subscribe: () => undefined})}
}

test('answers that were unread before the page are counted when its work begins', () => {
  const {list} = start([settled('a'), settled('b')], undefined, undefined, [], ['a', 'b'])
  expect(selectUnread(list.getSnapshot())).toEqual(['a', 'b'])
  expect(follow(list).reports).toEqual(['began', 2])
})

test('the end of a session is reported at once, not with the next one', () => {
  const {list} = start([settled('a')], undefined, undefined, [], ['a'])
  const {reports, end, begin} = follow(list)
  end()
  end()
  expect(reports).toEqual(['began', 1, 'ended'])
  begin()
  expect(reports.slice(3)).toEqual(['began'])
})
