import {and, not, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {CreditsFact} from '#domain/credits.ts'
import {noToken} from '#domain/failure.ts'
import type {StoredIntent} from '#domain/intent.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {submissionSetup} from './submission.setup.ts'
import type {SubmissionContext} from './submission.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'

/** A refused request as it is stored: the next page must not send it by itself. */
const refused = (state: NonNullable<StoredIntent['state']>) => ({
  type: 'keepIntent' as const,
  params: ({context: {userId, intent, failure}}: {context: SubmissionContext}) => ({
    userId,
    stored: {...intent, state, failure},
  }),
})
/** A request on its way as it is stored. */
const underway = {
  type: 'keepIntent' as const,
  params: ({context: {userId, intent}}: {context: SubmissionContext}) => ({userId, stored: intent}),
}

const fact = <Type extends 'submission.changed' | 'submission.lost' | 'submission.ended' | 'submission.waiting'>(
  type: Type,
) => ({type: 'tell' as const, params: ({context}: {context: SubmissionContext}) => ({type, key: context.intent.key})})
const [changed, lost] = [fact('submission.changed'), fact('submission.lost')]
const [ended, waiting] = [fact('submission.ended'), fact('submission.waiting')]
const unset = {type: 'storeFailure', params: {error: noToken}} as const
const forget = {
  type: 'forgetIntent' as const,
  params: ({context: {userId, intent}}: {context: SubmissionContext}) => ({userId, key: intent.key}),
}

/** While nobody knows what became of the request, it may be among the tasks of the list. */
const claim = {
  'tasks.arrived': {
    guard: {type: 'isAmong', params: ({event}: {event: {records: readonly TaskRecord[]}}) => event},
    actions: [{type: 'claim', params: ({event}: {event: {records: readonly TaskRecord[]}}) => event}],
  },
} as const

/** Refused for want of credits, and now there are some. */
const goesOn = {
  guard: {type: 'canGoOn', params: ({event}: {event: CreditsFact}) => event},
  target: '#submission.preparing',
  actions: ['startOver', underway],
} as const

/**
 * One request on its way to be a task (security R45, R46): stored before it is sent, so that a double click, a reload, a
 * killed tab or a lost answer make exactly one task. The only holder of the request's state and the only writer of its
 * stored intent. Owned by the tool's `requests`; leaving the screen stops nothing.
 *
 * Without a network it waits, and goes on by itself. Where the server knows keys again, a lost answer is asked for with the
 * same key. Elsewhere the request claims the task of the list that has its time and body, and is never sent twice without
 * the user; so is a request of a page that was left long ago. A refused request stays; a used-up one goes on once
 * there are credits for it. After its task was named it stays for a moment, so that a second press is no second request. Ends
 * `settled` or `discarded`.
 */
export const submissionMachine = submissionSetup.createMachine({
  id: 'submission',
  context: ({
    input: {
      intent: {state: refusal, failure, ...intent},
      ...input
    },
  }) => ({
    ...input,
    intent,
    refusal,
    failure,
    isRestored: input.origin !== 'new' && refusal === undefined,
    repeats: false,
    isHeld: false,
    isOld: false,
    tries: 0,
    looks: 0,
  }),
  invoke: environmentInvoke,
  initial: 'opening',
  on: {
    'submission.discard': {target: '.discarded'},
    'task.granted': {target: '.joined'},
    'connection.lost': {actions: [changed]},
    'connection.restored': {actions: [changed]},
  },
  states: {
    opening: {
      always: [
        {guard: 'isBroken', target: 'unprepared'},
        {guard: 'wasUsedUpLately', target: 'usedUp'},
        {guard: 'wasUsedUp', target: 'usedUp.resting'},
        {guard: 'wasRejected', target: 'rejected'},
        {target: 'saving'},
      ],
    },
    saving: {
      tags: ['sending'],
      entry: [changed],
      invoke: {
        id: 'saveIntent',
        src: 'saveIntent',
        input: ({context: {userId, intent}}) => ({userId, intent}),
        onDone: {target: 'preparing'},
        // a store that is full or forbidden: the request is still sent, it would only not survive a killed tab
        onError: {target: 'preparing'},
      },
      after: {saveDeadline: {target: 'preparing'}},
    },
    preparing: {
      tags: ['sending'],
      entry: [changed],
      after: {
        prepareDeadline: [
          {guard: and(['isOffline', not('isRestored')]), target: 'offline'},
          {target: 'unready', actions: [{type: 'storeFailure', params: timeout}]},
        ],
      },
      initial: 'settingUp',
      states: {
        settingUp: {
          // waits for the set-up of the tool, which the list knows
          always: [
            {guard: 'isSetUp', target: 'reading'},
            {guard: 'isMissing', target: '#submission.unready', actions: [unset]},
          ],
          on: {
            'provision.ready': {target: 'reading'},
            'provision.missing': {target: '#submission.unready', actions: [unset]},
          },
        },
        reading: {
          invoke: {
            id: 'prepareRequest',
            src: 'prepareRequest',
            input: ({context: {ref, intent}}) => ({ref, intent}),
            onDone: {target: '#submission.prepared', actions: [{type: 'storePreparation', params: ({event}) => event}]},
            onError: {target: '#submission.unready', actions: [{type: 'storeFailure', params: ({event}) => event}]},
          },
        },
      },
    },
    prepared: {
      always: [
        {guard: and(['isRestored', 'isOld']), target: 'searching'},
        {guard: and(['isRestored', not('repeats')]), target: 'looking'},
        {guard: 'isOffline', target: 'offline'},
        {target: 'posting'},
      ],
    },
    unready: {always: [{guard: 'isRestored', target: 'unprepared'}, {target: 'rejected'}]},
    offline: {
      tags: ['offline'],
      // there is no network: the request is sent when it is back
      entry: [changed],
      after: {offlineProbe: {guard: 'repeats', target: 'posting'}},
      on: {
        'connection.restored': {target: 'preparing', actions: ['forgiveTries']},
        // the browser may be wrong: the user asks, so it is tried
        'submission.retry': [
          {guard: 'isSetUp', target: 'posting', actions: ['forgiveTries']},
          {target: 'preparing', actions: ['forgiveTries']},
        ],
      },
    },
    unprepared: {
      tags: ['unsure'],
      // the server may have it: looked for before it is sent again
      entry: [changed],
      on: {...claim, 'submission.retry': {target: 'preparing'}, 'provision.ready': {target: 'preparing'}},
    },
    posting: {
      entry: ['countTry', underway],
      invoke: {
        id: 'postRequest',
        src: 'postRequest',
        input: ({context: {ref, intent, isHeld}}) => ({ref, intent, isHeld}),
        onDone: [
          {
            guard: {type: 'hasTask', params: ({event}) => event},
            target: 'joined',
            actions: [
              {
                type: 'tell',
                params: ({context, event}) => ({
                  type: 'submission.joined' as const,
                  key: context.intent.key,
                  task: event.output.task ?? '',
                }),
              },
            ],
          },
          {target: 'looking'},
        ],
        onError: {target: 'judging', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {postDeadline: {target: 'judging', actions: [{type: 'storeFailure', params: timeout}]}},
      initial: 'fresh',
      states: {
        fresh: {tags: ['sending'], entry: [changed], after: {heldLook: {target: 'held'}}},
        held: {
          tags: ['looking'],
          // The answer takes long. The call stays open.
          entry: [lost],
          on: claim,
          after: {heldLook: {target: 'held', reenter: true}},
        },
      },
    },
    judging: {
      always: [
        {guard: 'isCutOff', target: 'offline'},
        {guard: 'isRepeatable', target: 'retrying'},
        {guard: 'isLost', target: 'looking'},
        {guard: 'isUsedUp', target: 'usedUp'},
        {target: 'rejected'},
      ],
    },
    retrying: {
      tags: ['sending'],
      after: {retryDelay: {target: 'posting'}},
      on: {
        'submission.retry': {target: 'posting'},
        'connection.lost': {target: 'offline'},
      },
    },
    looking: {
      tags: ['looking'],
      // the answer was lost: the list is read until the task shows
      entry: ['countLook', lost],
      after: {lookInterval: [{guard: 'mayLook', target: 'looking', reenter: true}, {target: 'unsure'}]},
      on: {...claim, 'submission.retry': {guard: 'repeats', target: 'posting', actions: ['startOver']}},
    },
    searching: {
      tags: ['looking'],
      // the page was left long ago: the server may have forgotten the key
      // sent again, it could buy the same twice
      entry: [lost],
      on: claim,
      invoke: {
        id: 'findTasks',
        src: 'findTasks',
        input: ({context: {ref, userId, intent}}) => ({ref, userId, intent}),
        onDone: {target: 'unsure', actions: [{type: 'passTasks', params: ({event}) => event}]},
        onError: {target: 'unsure', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unsure', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    unsure: {
      tags: ['unsure'],
      entry: [changed],
      on: {...claim, 'submission.retry': {target: 'preparing', actions: ['startOver']}},
    },
    usedUp: {
      tags: ['usedUp'],
      entry: [refused('usedUp'), changed],
      on: {
        'submission.retry': {target: 'preparing', actions: ['startOver', underway]},
        'credits.look': {actions: [waiting]},
        'page.shown': {actions: [waiting]},
      },
      initial: 'buying',
      states: {
        buying: {on: {'credits.added': goesOn, 'credits.listed': goesOn}},
        /** Refused long before this page. */
        resting: {},
      },
    },
    rejected: {
      tags: ['rejected'],
      entry: [refused('rejected'), changed],
      on: {
        'submission.retry': {target: 'preparing', actions: ['startOver', underway]},
        'provision.ready': {guard: 'isUnprovisioned', target: 'preparing', actions: ['startOver', underway]},
      },
    },
    joined: {
      // It is a task now. A second press a moment later is still this request.
      entry: [forget, changed],
      after: {settleTime: {target: 'settled'}},
      on: {'submission.discard': {}, 'task.granted': {}},
    },
    settled: {type: 'final', entry: [ended]},
    discarded: {type: 'final', entry: [forget, ended]},
  },
})

export type SubmissionActor = ActorRefFrom<typeof submissionMachine>
export type SubmissionSnapshot = SnapshotFrom<typeof submissionMachine>
