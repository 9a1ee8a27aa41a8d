import {assign, enqueueActions, setup} from 'xstate'
import {backoff, backoffDelay} from '#domain/backoff.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {promisePort} from '#machines/lib/ports.ts'
import {timeout} from '#machines/lib/timeout.ts'
import type {Intent, PendingState, SubmissionReport, TaskRecord, ToolRef} from './tasks.types.ts'

/** `isRestored`: the page was left before anybody knew whether the server has the request. */
export type SubmissionInput = {ref: ToolRef; userId: string; intent: Intent; isRestored: boolean; isOnline: boolean}
export type SubmissionEvent =
  /** The person, or bought credits: the same request again, with the same key. */
  | {type: 'submission.retry'}
  | {type: 'submission.discard'}
  /** The tool's set-up stands. */
  | {type: 'provision.ready'}
  | {type: 'connection.lost'}
  | {type: 'connection.restored'}

/**
 * What the tool's set-up says once it stands. `repeats`: the server knows a key again, so that sending twice is one
 * task. `isHeld`: the call stays open until the task is done, as nothing lets the server answer earlier. `isOld`: it was
 * meant so long ago that a server may have forgotten its key. `now`: unix seconds of the server's clock.
 */
export type Preparation = {repeats: boolean; isHeld: boolean; isOld: boolean; now?: number}
export type Accepted = {task?: string}
export type FindInput = {ref: ToolRef; userId: string; intent: Intent}
export type PostInput = {ref: ToolRef; intent: Intent; isHeld: boolean}

type Context = SubmissionInput &
  Preparation & {
    /** Calls since the person last asked. */
    tries: number
    looks: number
    isRenewed: boolean
    failure?: Failure
  }

/** Nobody knows what became of the call: no answer, or one of a gateway that may have passed it on. */
const isUnknown = ({lost, status}: Failure) => lost === true || status === 502 || status === 503 || status === 504

const mostLooks = 4

/**
 * One request on its way to be a task (security R45, R46): stored before it is sent, so that a double click, a reload, a
 * killed tab or a lost answer make exactly one task. Owned by the tool's list; leaving the screen stops nothing.
 *
 * Without a network it waits, and goes on by itself. Where the server knows keys again, a lost answer is asked for with the same key. Elsewhere the task is looked for in the
 * list by time and body, and never sent twice without the person; so is a request of a page that was left long ago.
 * Refusals keep the request: `usedUp` goes on after
 * credits were bought. Ends `joined` (the list has the task) or `discarded`.
 */
export const submissionMachine = setup({
  types: {
    input: {} as SubmissionInput,
    context: {} as Context,
    events: {} as SubmissionEvent,
    tags: {} as 'sending' | 'offline' | 'looking' | 'waiting',
  },
  actors: {
    saveIntent: promisePort<void, {intent: Intent}>('saveIntent'),
    /** Waits for the tool's set-up. Rejects with `no token` when there will be none. */
    prepareRequest: promisePort<Preparation, {ref: ToolRef; intent: Intent}>('prepareRequest'),
    /** The tasks of the time when the request was made. */
    findTasks: promisePort<TaskRecord[], FindInput>('findTasks'),
    postRequest: promisePort<Accepted, PostInput>('postRequest'),
    renewCredential: promisePort<void, {ref: ToolRef}>('renewCredential'),
  },
  delays: {
    saveDeadline: 3_000,
    prepareDeadline: 45_000,
    callDeadline: 25_000,
    postDeadline: ({context}) => (context.isHeld ? 1_800_000 : 45_000),
    /** A held call makes a task long before it answers: from then on the list is asked. */
    heldLook: 6_000,
    /** A browser may take a network for none. */
    offlineProbe: 30_000,
    lookInterval: 5_000,
    retryDelay: ({context}) => backoffDelay(context.tries, 0.5) + backoff.base,
  },
  guards: {
    isRestored: ({context}) => context.isRestored,
    mustSearch: ({context}, {output}: {output: Preparation}) => context.isRestored && output.isOld,
    mustLook: ({context}, {output}: {output: Preparation}) => context.isRestored && !output.repeats,
    hasTask: (_, {output}: {output: Accepted}) => output.task !== undefined,
    needsCredential: ({context}) => context.failure?.status === 401 && !context.isRenewed,
    isRepeatable: ({context}) =>
      context.failure !== undefined &&
      context.repeats &&
      context.tries < backoff.attempts &&
      (isUnknown(context.failure) || context.failure.code === 'duplication'),
    isLost: ({context}) => context.failure !== undefined && isUnknown(context.failure),
    isUsedUp: ({context}) => context.failure?.code === 'used_up',
    isOffline: ({context}) => !context.isOnline,
    /** The same request again makes no second task, so it may wait for the network however often it was sent. */
    isCutOff: ({context}) =>
      !context.isOnline && context.repeats && context.failure !== undefined && isUnknown(context.failure),
    mayLook: ({context}) => context.looks < mostLooks,
    repeats: ({context}) => context.repeats,
  },
  actions: {
    storePreparation: assign((_, {output}: {output: Preparation}) => output),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    countTry: assign(({context: {tries, intent, now: sentAt}}) => ({
      tries: tries + 1,
      failure: undefined,
      intent: sentAt === undefined ? intent : {...intent, sentAt},
    })),
    storeOnline: assign((_, {isOnline}: {isOnline: boolean}) => ({isOnline})),
    forgiveTries: assign({tries: 0}),
    countLook: assign(({context}) => ({looks: context.looks + 1})),
    markRenewed: assign({isRenewed: true}),
    startOver: assign({tries: 0, looks: 0, isRenewed: false, isRestored: false, failure: undefined}),
    /** The list joins the task of this request, if it is among them. */
    handOver: enqueueActions(({enqueue, self}, {output}: {output: TaskRecord[]}) => {
      if (self._parent !== undefined) enqueue.sendTo(self._parent, {type: 'tasks.polled', records: output})
    }),
    report: enqueueActions(({enqueue, context, self}, {state}: {state: PendingState}) => {
      if (self._parent === undefined) return
      const {intent, failure} = context
      const {key, sentAt} = intent
      const fact: SubmissionReport = {type: 'submission.reported', key, state, failure, sentAt}
      enqueue.sendTo(self._parent, fact)
    }),
    reportTask: enqueueActions(({enqueue, context, self}, {output}: {output: Accepted}) => {
      if (self._parent === undefined || output.task === undefined) return
      const fact: SubmissionReport = {type: 'submission.joined', key: context.intent.key, task: output.task}
      enqueue.sendTo(self._parent, fact)
    }),
  },
}).createMachine({
  id: 'submission',
  context: ({input}) => ({...input, repeats: false, isHeld: false, isOld: false, tries: 0, looks: 0, isRenewed: false}),
  initial: 'saving',
  on: {
    'submission.discard': {target: '.discarded'},
    'connection.lost': {actions: [{type: 'storeOnline', params: {isOnline: false}}]},
    'connection.restored': {actions: [{type: 'storeOnline', params: {isOnline: true}}]},
  },
  states: {
    saving: {
      tags: ['sending'],
      invoke: {
        id: 'saveIntent',
        src: 'saveIntent',
        input: ({context: {intent}}) => ({intent}),
        onDone: {target: 'preparing'},
        // a store that is full or forbidden: the request is still sent, it would only not survive a killed tab
        onError: {target: 'preparing'},
      },
      after: {saveDeadline: {target: 'preparing'}},
    },
    preparing: {
      tags: ['sending'],
      entry: [{type: 'report', params: ({context}) => ({state: context.isOnline ? 'sending' : 'offline'})}],
      invoke: {
        id: 'prepareRequest',
        src: 'prepareRequest',
        input: ({context: {ref, intent}}) => ({ref, intent}),
        onDone: [
          {
            guard: {type: 'mustSearch', params: ({event}) => event},
            target: 'searching',
            actions: [{type: 'storePreparation', params: ({event}) => event}],
          },
          {
            guard: {type: 'mustLook', params: ({event}) => event},
            target: 'looking',
            actions: [{type: 'storePreparation', params: ({event}) => event}],
          },
          {
            guard: 'isOffline',
            target: 'offline',
            actions: [{type: 'storePreparation', params: ({event}) => event}],
          },
          {target: 'posting', actions: [{type: 'storePreparation', params: ({event}) => event}]},
        ],
        onError: [
          {
            guard: 'isRestored',
            target: 'unprepared',
            actions: [{type: 'storeFailure', params: ({event}) => event}],
          },
          {target: 'rejected', actions: [{type: 'storeFailure', params: ({event}) => event}]},
        ],
      },
      after: {
        prepareDeadline: [
          {guard: 'isRestored', target: 'unprepared', actions: [{type: 'storeFailure', params: timeout}]},
          {guard: 'isOffline', target: 'offline'},
          {target: 'rejected', actions: [{type: 'storeFailure', params: timeout}]},
        ],
      },
    },
    offline: {
      tags: ['offline'],
      description: 'There is no network: the request is sent when it is back.',
      entry: [{type: 'report', params: {state: 'offline'}}],
      after: {offlineProbe: {guard: 'repeats', target: 'posting'}},
      on: {
        'connection.restored': {
          target: 'preparing',
          actions: [{type: 'storeOnline', params: {isOnline: true}}, 'forgiveTries'],
        },
        'submission.retry': {
          target: 'preparing',
          actions: [{type: 'storeOnline', params: {isOnline: true}}, 'forgiveTries'],
        },
      },
    },
    unprepared: {
      tags: ['waiting'],
      description: 'The server may have the request of a page that was left: it is looked for before it is sent again.',
      entry: [{type: 'report', params: {state: 'unsure'}}],
      on: {'submission.retry': {target: 'preparing'}, 'provision.ready': {target: 'preparing'}},
    },
    posting: {
      tags: ['sending'],
      entry: ['countTry'],
      invoke: {
        id: 'postRequest',
        src: 'postRequest',
        input: ({context: {ref, intent, isHeld}}) => ({ref, intent, isHeld}),
        onDone: [
          {
            guard: {type: 'hasTask', params: ({event}) => event},
            target: 'joined',
            actions: [{type: 'reportTask', params: ({event}) => event}],
          },
          {target: 'looking'},
        ],
        onError: {target: 'judging', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {postDeadline: {target: 'judging', actions: [{type: 'storeFailure', params: timeout}]}},
      initial: 'fresh',
      states: {
        fresh: {after: {heldLook: {target: 'held'}}},
        held: {
          description: 'The answer takes long: the task may stand in the list already. The call stays open.',
          entry: [{type: 'report', params: {state: 'looking'}}],
          after: {heldLook: {target: 'held', reenter: true}},
        },
      },
    },
    judging: {
      always: [
        {guard: 'needsCredential', target: 'renewing', actions: ['markRenewed']},
        {guard: 'isCutOff', target: 'offline'},
        {guard: 'isRepeatable', target: 'retrying'},
        {guard: 'isLost', target: 'looking'},
        {guard: 'isUsedUp', target: 'usedUp'},
        {target: 'rejected'},
      ],
    },
    renewing: {
      tags: ['sending'],
      description: 'The AI host refused the credential: provisioning makes a new one, once.',
      invoke: {
        id: 'renewCredential',
        src: 'renewCredential',
        input: ({context: {ref}}) => ({ref}),
        onDone: {target: 'posting'},
        onError: {target: 'rejected', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'rejected', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    retrying: {
      tags: ['sending'],
      after: {retryDelay: {target: 'posting'}},
      on: {
        'submission.retry': {target: 'posting'},
        'connection.lost': {target: 'offline', actions: [{type: 'storeOnline', params: {isOnline: false}}]},
      },
    },
    looking: {
      tags: ['looking'],
      description: 'The answer was lost: the list is read until the task shows, and then joined by the list.',
      entry: ['countLook', {type: 'report', params: {state: 'looking'}}],
      after: {lookInterval: [{guard: 'mayLook', target: 'looking', reenter: true}, {target: 'unsure'}]},
      on: {'submission.retry': {guard: 'repeats', target: 'posting', actions: ['startOver']}},
    },
    searching: {
      tags: ['looking'],
      description: 'The page was left long ago: its key may be forgotten, so sending again could buy the same twice.',
      entry: [{type: 'report', params: {state: 'looking'}}],
      invoke: {
        id: 'findTasks',
        src: 'findTasks',
        input: ({context: {ref, userId, intent}}) => ({ref, userId, intent}),
        onDone: {target: 'unsure', actions: [{type: 'handOver', params: ({event}) => event}]},
        onError: {target: 'unsure', actions: [{type: 'storeFailure', params: ({event}) => event}]},
      },
      after: {callDeadline: {target: 'unsure', actions: [{type: 'storeFailure', params: timeout}]}},
    },
    unsure: {
      tags: ['waiting'],
      entry: [{type: 'report', params: {state: 'unsure'}}],
      on: {'submission.retry': {target: 'preparing', actions: ['startOver']}},
    },
    usedUp: {
      tags: ['waiting'],
      entry: [{type: 'report', params: {state: 'usedUp'}}],
      on: {'submission.retry': {target: 'preparing', actions: ['startOver']}},
    },
    rejected: {
      tags: ['waiting'],
      entry: [{type: 'report', params: {state: 'rejected'}}],
      on: {'submission.retry': {target: 'preparing', actions: ['startOver']}},
    },
    joined: {type: 'final'},
    discarded: {type: 'final'},
  },
})
