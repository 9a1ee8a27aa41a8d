import {useCallback, useContext, useSyncExternalStore} from 'react'
import {fromEvent, merge, Observable, share, startWith, switchMap, timer} from 'rxjs'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {ChatContext} from './chat.context.tsx'

/** Local midnight in milliseconds, that of today or of a day after it. */
const midnight = (at: number, days = 0) => {
  const date = new Date(at)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

const looks = new WeakMap<object, Observable<unknown>>()

/**
 * It may be another day: midnight has passed, or the page is shown again after a sleep, when timers are behind; or a
 * server has answered, whose clock this browser did not know. Later days are looked for each hour, since not each has
 * 24 of them.
 * @param owner one for each list and clock, whose views share the looks
 */
function looksOf(owner: object, list: ConversationListActor | undefined, now: () => number): Observable<unknown> {
  const answers$ = new Observable<void>((subscriber) => list?.subscribe(() => subscriber.next()))
  const first$ = merge(fromEvent(document, 'visibilitychange'), answers$).pipe(startWith(undefined))
  const untilMidnight = () => timer(midnight(now(), 1) - now(), 3_600_000).pipe(startWith(undefined))
  const ownLooks = looks.get(owner) ?? first$.pipe(switchMap(untilMidnight), share())
  looks.set(owner, ownLooks)
  return ownLooks
}

/** The reader of a shared link asks no server for the time. */
const device = {now: () => Date.now() / 1_000, actors: undefined}

/**
 * The midnight that today began with, in milliseconds, by the server's clock, which dates conversations and messages: a
 * view with a day in it is shown anew when it is over.
 */
export function useToday(): number {
  const clock = useContext(ChatContext) ?? device
  const list = clock.actors?.conversations
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscription = looksOf(list ?? clock, list, () => clock.now() * 1_000).subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    [clock, list],
  )
  return useSyncExternalStore(subscribe, () => midnight(clock.now() * 1_000))
}
