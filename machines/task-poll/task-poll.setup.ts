import {assign, enqueueActions, or, raise, setup, stateIn} from 'xstate'
import type {LeadershipFact} from '#domain/leadership.ts'
import {pollBackoff, pollInterval, pollRules} from '#domain/poll-rules.ts'
import {isSameData} from '#domain/same-data.ts'
import {toFailure} from '#domain/failure.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {selectIsOnline, selectIsVisible} from '#machines/environment/environment.selectors.ts'
import {promisePort, streamPort, unfilledAction} from '#machines/lib/ports.ts'
import type {
  LeadershipInput,
  PeerMessage,
  PeerReport,
  PollInput,
  PollOutput,
  TaskPollContext,
  TaskPollEvent,
  TaskPollInput,
} from './task-poll.types.ts'

/** Without a port for chance, the middle of the jitter: charts and their tests stay deterministic. */
const middle = 0.5

const goneOf = ({misses}: Pick<TaskPollContext, 'misses'>) =>
  Object.keys(misses).filter((id) => (misses[id] ?? 0) >= pollRules.misses)

const isPageHidden = ({environment}: Pick<TaskPollContext, 'environment'>) =>
  !selectIsVisible(environment.getSnapshot())

/** The message to other tabs after a poll: the answer, and the time of the next. `isLost`: the server is silent. */
export const peerMessage = (
  context: TaskPollContext,
  {records = [], isLost = false}: Partial<Pick<PeerReport, 'records' | 'isLost'>> = {},
): PeerMessage => {
  const {ref, userId, watched, age, failures, leastRest} = context
  const isHidden = isPageHidden(context)
  const nextIn = failures > 0 ? Math.max(leastRest, pollBackoff(failures, middle)) : pollInterval({isHidden, age})
  return {ref, userId, report: {records, watched, gone: goneOf(context), isHidden, isLost, nextIn}}
}

/** Ports, guards, delays and actions of the poller. */
export const taskPollSetup = setup({
  types: {
    input: {} as TaskPollInput,
    context: {} as TaskPollContext,
    events: {} as TaskPollEvent,
    tags: {} as 'leading' | 'asking' | 'lost',
  },
  actors: {
    environmentChanges,
    /** One tab at a time per service and user. */
    leadership: streamPort<LeadershipFact, LeadershipInput>('leadership'),
    pollTasks: promisePort<PollOutput, PollInput>('pollTasks'),
  },
  delays: {
    pollInterval: ({context}) => pollInterval({isHidden: isPageHidden(context), age: context.age}),
    /** Filled with chance by `src/app`: full jitter. */
    pollBackoff: ({context}) => Math.max(context.leastRest, pollBackoff(context.failures, middle)),
    callDeadline: 25_000,
    offlineDeadline: 60_000,
    leftOutDelay: 2_000,
    silence: ({context}) => context.peerNextIn + pollRules.silence,
  },
  guards: {
    isWatching: ({context}) => context.watched.length > 0,
    isNothing: ({context}) => context.watched.length === 0,
    hasNew: ({context}, {ids}: {ids: string[]}) => ids.some((id) => !context.watched.includes(id)),
    isOffline: ({context}) => !selectIsOnline(context.environment.getSnapshot()),
    isLost: or([
      ({context}) => context.failures >= pollRules.breaker,
      stateIn({active: {work: {leading: {question: 'offline'}}}}),
      stateIn({active: {work: {leading: {contact: 'lost'}}}}),
    ]),
    isAnswered: stateIn({active: {work: {leading: {question: 'waiting'}}}}),
    /** The tab that polls does not watch some tasks of this tab, so that it would never ask for them. */
    isLeftOut: ({context}, {watched}: {watched: string[]}) => context.watched.some((id) => !watched.includes(id)),
    isUnasked: ({context: {peerWatched}}, {ids}: {ids: string[]}) =>
      peerWatched !== undefined && ids.some((id) => !peerWatched.includes(id)),
    isPeerHidden: (_, {isHidden}: {isHidden: boolean}) => isHidden,
    /** The other tab is hidden and this one is looked at. */
    isSleeping: ({context}, {isHidden}: {isHidden: boolean}) => isHidden && !isPageHidden(context),
  },
  actions: {
    storeWatch: assign(({context}, {ids}: {ids: string[]}) =>
      isSameData(context.watched, ids)
        ? {}
        : {
            watched: ids,
            misses: Object.fromEntries(Object.entries(context.misses).filter(([id]) => ids.includes(id))),
          },
    ),
    storePeer: assign((_, {nextIn, watched}: Pick<PeerReport, 'nextIn' | 'watched'>) => ({
      peerNextIn: nextIn,
      peerWatched: watched,
    })),
    forgetPeer: assign({peerNextIn: 0, peerWatched: undefined}),
    takeLead: raise({type: 'leader.won'}),
    quicken: assign({age: 0}),
    storePoll: assign(({context}, {output}: {output: PollOutput}) => {
      const misses: Record<string, number> = {}
      for (const id of output.missing) misses[id] = (context.misses[id] ?? 0) + 1
      return {failures: 0, age: output.age, misses}
    }),
    countFailure: assign(({context}) => ({failures: context.failures + 1})),
    storeRest: assign((_, {error}: {error: unknown}) => ({
      leastRest: (toFailure(error).retryAfterSeconds ?? 0) * 1000,
    })),
    forgetRest: assign({leastRest: 0}),
    forgiveFailures: assign({failures: 0, leastRest: 0}),
    tellLost: enqueueActions(({enqueue, context}) => {
      enqueue.sendTo(context.parentRef, {type: 'contact.lost'})
    }),
    tellPoll: enqueueActions(({enqueue, context}, {output}: {output: PollOutput}) => {
      const ids = goneOf(context)
      enqueue.sendTo(context.parentRef, {type: 'tasks.polled', records: output.records})
      if (ids.length > 0) enqueue.sendTo(context.parentRef, {type: 'tasks.gone', ids})
    }),
    /** Port: a message to the other tabs of this browser. */
    sendToPeers: (_, _message: PeerMessage) => unfilledAction('sendToPeers'),
  },
})
