import {NEVER, Observable} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, SimulatedClock} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {messageChangesMachine} from '#machines/message-changes/message-changes.machine.ts'
import {removalHoldMachine} from '#machines/message-changes/removal-hold.machine.ts'
import {selectRemoval} from '#machines/message-changes/message-changes.selectors.ts'
import type {MessageChange, MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'

export const refused = {code: 'bad_request', detail: 'foo', status: 400}
export const answering = {code: 'duplication', detail: 'foo', status: 409}
export const askInBranch = {
  action: 'askInBranch',
  message: 'a-2',
  upTo: 'a-1',
  title: 'foo',
  group: 'grok',
  model: 'grok-4',
  ask: {question: 'foo', references: [], key: 'key'},
  at: 1,
} as const satisfies MessageChange

/** The changes of one conversation, and what they sent, marked and reported. `answer`: of the server. */
export function start(
  answer: () => Promise<string | undefined> = () => Promise.resolve(undefined),
  unconfirmed: string[] = [],
) {
  const sent: unknown[] = []
  const marks: unknown[] = []
  const restoredKeys: string[] = []
  const held = new Set<string>()
  const clock = new SimulatedClock()
  const actor = createActor(
    messageChangesMachine.provide({
      actors: {
        changeConversation: fromPromise<string | undefined, MessageChange | undefined>(({input}) => {
          sent.push(input)
          return answer()
        }),
        deletePending: fromPromise<void, undefined>(() => {
          sent.push('deletePending')
          return answer().then(() => undefined)
        }),
        followConversation: fromEventObservable<MessageChangesEvent, undefined>(() => NEVER),
        removalHold: removalHoldMachine.provide({
          actors: {
            standInLine: fromEventObservable<LeadershipFact, {message: string}>(
              ({input: {message}}) =>
                new Observable(() => {
                  held.add(message)
                  return () => void held.delete(message)
                }),
            ),
          },
        }),
        removal: removalMachine.provide({
          actors: {
            remove: fromPromise<void, {id: string}>(({input}) => {
              sent.push(input)
              return answer().then(() => undefined)
            }),
          },
        }),
      },
      actions: {
        logFailure: () => undefined,
        resumeReachable: () => undefined,
        mark: (_, mark) => marks.push(mark),
        tellRestored: (_, {key}) => restoredKeys.push(key),
      },
    }),
    {clock, input: {unconfirmed}},
  ).start()
  const removal = () => selectRemoval(actor.getSnapshot(), 'a-1')
  return {actor, clock, sent, marks, restoredKeys, held, removal}
}
