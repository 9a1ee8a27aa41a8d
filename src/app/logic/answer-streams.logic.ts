import {defer, mergeMap, NEVER, startWith, type Observable} from 'rxjs'
import {fromEventObservable} from 'xstate'
import type {AnswerInput} from '#domain/answer.ts'
import type {AnswerStreamEvent} from '#machines/conversation/conversation.types.ts'
import {loadedPart, loadPart} from '#ui/load-part.ts'
import {lazyModule} from '#ui/use-lazy.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/**
 * The streams of a conversation: its own, as far as there are slots, or its part of the one that all tabs share. The
 * latter comes with the first answer that is followed.
 */
export function createAnswerStreams(deps: RootDeps, services: Services, user: () => string) {
  const {leadership, createUuid} = deps
  const {chat} = services
  /** The same each time: loaded once it waits for no network, which the browser may miss where there is one. */
  const loadSlots = () => import('./answer-slot.ts')
  const slots$ = defer(() => loadPart(loadSlots))
  const feed = lazyModule(async () => {
    const [{openFeed, followed$}, channel] = await Promise.all([
      import('./answer-feed.logic.ts'),
      deps.openAnswerChannel(),
    ])
    return {open: openFeed(deps, services, channel), followed$}
  })
  return {
    answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}): Observable<AnswerStreamEvent> => {
      const userId = user()
      const stream$ = slots$.pipe(mergeMap(({inSlot}) => inSlot(leadership, userId, input, chat.answer$(input))))
      return loadedPart(loadSlots) === undefined ? stream$.pipe(startWith({type: 'answer.unsent'} as const)) : stream$
    }),
    followAnswer: fromEventObservable<AnswerStreamEvent, AnswerInput>(
      ({input, system}): Observable<AnswerStreamEvent> => {
        if (!input.capabilities.includes('follow')) return NEVER
        return defer(() => feed.load()).pipe(
          mergeMap(({open, followed$}) => followed$(open(system), createUuid(), input)),
        )
      },
    ),
  }
}
