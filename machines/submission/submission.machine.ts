import type {ActorRefFrom, SnapshotFrom} from 'xstate'
import type {CreditsFact} from '#domain/credits.ts'
import type {StoredIntent} from '#domain/intent.ts'
import {environmentInvoke} from '#machines/environment/environment.machine.ts'
import {timeout} from '#machines/lib/timeout.ts'
import {changed, fact} from './submission.facts.ts'
import {preparing, recovering} from './submission.preparing.ts'
import {submissionSetup} from './submission.setup.ts'
import type {SubmissionContext} from './submission.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'

/** A refused request as it is stored: the next page must not send it without the user. */
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

const [lostFact, endedFact] = [fact('submission.lost'), fact('submission.ended')]
const forget = {
  type: 'forgetIntent' as const,
  params: ({context: {userId, intent}}: {context: SubmissionContext}) => ({userId, key: intent.key}),
}

/** While the outcome of the request is unknown, one of the list's tasks may be its task. */
const claim = {
  'tasks.arrived': {
    guard: {type: 'isAmong', params: ({event}: {event: {records: readonly TaskRecord[]}}) => event},
    actions: [{type: 'claim', params: ({event}: {event: {records: readonly TaskRecord[]}}) => event}],
  },
} as const

const overdue = {type: 'storeFailure', params: timeout} as const
/** Refused for want of credits, and now there are some. */
const goesOn = {
  guard: {type: 'canGoOn', params: ({event}: {event: CreditsFact}) => event},
  target: '#submission.preparing',
  actions: ['startOver', underway],
} as const

/**
 * One request until it is a task (security R45, R46): stored before it is sent, so that a double click, a reload, a
 * killed tab or a lost answer make exactly one task. The only holder of the request's state and the only writer of its
 * stored intent. Owned by the tool's `requests`; leaving the screen stops nothing.
 *
 * In `preparing` it was not sent; in `recovering` the server may have it. Without a network it waits, and resumes by
 * itself. If the server supports repeated keys, a lost answer is requested with the same key. Otherwise the request
 * claims the task of the list with its time and body, and is never sent twice without the user; nor is a request of a
 * page that was left long ago. A refused request stays; one without credits resumes once there are credits. After its
 * task is named it stays for a moment, so that a second press is not a second request. Ends `settled` or `discarded`.
 */
export const submissionMachine = submissionSetup.createMachine({
  id: 'submission',
  context: ({
    input: {
      intent: {state: refusal, failure, ...intent},
      origin,
      ...input
    },
  }) => ({
    ...input,
    intent,
    origin: origin === 'stored' ? (refusal ?? origin) : origin,
    failure,
    repeats: false,
    isHeld: false,
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
        {guard: {type: 'isOf', params: {origin: 'broken'}}, target: 'unprepared'},
        {guard: 'wasUsedUpLately', target: 'usedUp'},
        {guard: {type: 'isOf', params: {origin: 'usedUp'}}, target: 'usedUp.resting'},
        {guard: {type: 'isOf', params: {origin: 'rejected'}}, target: 'rejected'},
        {guard: {type: 'isOf', params: {origin: 'stored'}}, target: 'recovering'},
        {target: 'saving'},
      ],
    },
    saving: {
      tags: ['sending', 'unsent'],
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
    preparing,
    recovering,
    unprepared: {
      tags: ['unsure'],
      // the server may have it: looked for before it is sent again
      entry: [changed],
      on: {...claim, 'submission.retry': {target: 'recovering'}, 'provision.ready': {target: 'recovering'}},
    },
    posting: {
      entry: ['countTry', underway],
      invoke: {
        id: 'postRequest',
        src: 'postRequest',
        input: ({context: {ref, intent}}) => ({ref, intent}),
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
      after: {postDeadline: {target: 'judging', actions: [overdue]}},
      initial: 'fresh',
      states: {
        fresh: {tags: ['sending'], entry: [changed], after: {heldLook: {target: 'held'}}},
        held: {
          tags: ['looking'],
          // The answer takes long. The call stays open.
          entry: [lostFact],
          on: claim,
          after: {heldLook: {target: 'held', reenter: true}},
        },
      },
    },
    judging: {
      always: [
        {guard: 'isCutOff', target: 'recovering.offline'},
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
        'connection.lost': {target: 'recovering.offline'},
      },
    },
    looking: {
      tags: ['looking'],
      // the answer was lost: the list is read until the task shows
      entry: ['countLook', lostFact],
      after: {lookInterval: [{guard: 'mayLook', target: 'looking', reenter: true}, {target: 'unsure'}]},
      on: {...claim, 'submission.retry': {guard: 'repeats', target: 'posting', actions: ['startOver']}},
    },
    searching: {
      tags: ['looking'],
      // the page was left long ago: the server may have forgotten the key
      // sent again, it could buy the same twice
      entry: [lostFact],
      on: claim,
      invoke: {
        id: 'findTasks',
        src: 'findTasks',
        input: ({context: {ref, userId, intent}}) => ({ref, userId, intent}),
        onDone: {target: 'unsure', actions: [{type: 'passTasks', params: ({event}) => event}]},
        onError: {target: 'unsure', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unsure', actions: [overdue]}},
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
        'credits.look': {actions: ['lookForCredits']},
        'page.shown': {actions: ['lookForCredits']},
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
      // The request is a task now. A second press a moment later is still the same request.
      entry: [forget, changed],
      after: {settleTime: {target: 'settled'}},
      on: {'submission.discard': {}, 'task.granted': {}},
    },
    settled: {type: 'final', entry: [endedFact]},
    discarded: {type: 'final', entry: [forget, endedFact]},
  },
})

export type SubmissionActor = ActorRefFrom<typeof submissionMachine>
export type SubmissionSnapshot = SnapshotFrom<typeof submissionMachine>
