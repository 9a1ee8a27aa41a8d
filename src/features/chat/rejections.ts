import {distinctUntilChanged, filter, Observable, skip, startWith} from 'rxjs'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectRejection} from '#machines/conversation/conversation.selectors.ts'

type Rejection = NonNullable<ReturnType<typeof selectRejection>>

/** The questions of a conversation that do not go out from now on, each once. */
export const rejectionsOf = (actor: ConversationActor): Observable<Rejection> =>
  new Observable<Rejection | undefined>((observer) =>
    actor.subscribe((snapshot) => observer.next(selectRejection(snapshot))),
  ).pipe(
    startWith(selectRejection(actor.getSnapshot())),
    distinctUntilChanged(),
    skip(1),
    filter((rejection) => rejection !== undefined),
  )
