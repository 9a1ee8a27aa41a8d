import {assign, enqueueActions, setup} from 'xstate'
import {backoff, backoffDelay} from '#domain/backoff.ts'
import {buyingTime} from '#domain/conversation.ts'
import {suffices, type CreditsFact} from '#domain/credits.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import {isTaskOf} from '#domain/find-task.ts'
import type {Intent, StoredIntent} from '#domain/intent.ts'
import {environmentChanges} from '#machines/environment/environment.machine.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {promisePort, unfilledAction} from '#machines/lib/ports.ts'
import type {
  TaskAcceptance,
  FindInput,
  PendingState,
  PostInput,
  Preparation,
  SubmissionContext,
  SubmissionEvent,
  SubmissionFact,
  SubmissionInput,
  SubmissionOrigin,
} from './submission.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'

/** The outcome of the call is unknown: no answer, or one of a gateway that may have passed it on. */
const isUnknown = ({lost, status}: Failure) => lost === true || status === 502 || status === 503 || status === 504

const mostLooks = 4

const isOffline = ({environment}: Pick<SubmissionContext, 'environment'>) => !selectIsOnline(environment.getSnapshot())

/** Its own task, if it is among these. */
const ownTask = ({intent}: Pick<SubmissionContext, 'intent'>, records: readonly TaskRecord[]) =>
  records.find(({task}) => isTaskOf(task, intent.submission.body, intent))

/** Ports, guards and actions of one request. */
export const submissionSetup = setup({
  types: {
    input: {} as SubmissionInput,
    context: {} as SubmissionContext,
    events: {} as SubmissionEvent,
    tags: {} as PendingState | 'unsent',
  },
  actors: {
    environmentChanges,
    /** Stores the request before it is sent. */
    saveIntent: promisePort<void, {userId: string; intent: Intent}>('saveIntent'),
    /** Reads the tool's service once set-up is ready. */
    prepareRequest: promisePort<Preparation, {ref: ToolRef; intent: Intent}>('prepareRequest'),
    /** The tasks of the time when the request was made. */
    findTasks: promisePort<TaskRecord[], FindInput>('findTasks'),
    postRequest: promisePort<TaskAcceptance, PostInput>('postRequest'),
  },
  delays: {
    saveDeadline: 3_000,
    prepareDeadline: 45_000,
    callDeadline: 25_000,
    postDeadline: ({context}) => (context.isHeld ? 1_800_000 : 45_000),
    /** A held call makes a task long before it answers: from then on the list is searched for it. */
    heldLook: 6_000,
    /** A browser may take a network for none. */
    offlineProbe: 30_000,
    lookInterval: 5_000,
    retryDelay: ({context}) => backoffDelay(context.tries, 0.5) + backoff.base,
    /** After it, a press is not the second half of a double click. */
    settleTime: 1_000,
  },
  guards: {
    isOf: ({context}, {origin}: {origin: SubmissionOrigin}) => context.origin === origin,
    wasUsedUpLately: ({context: {origin, intent, now = Infinity}}) =>
      origin === 'usedUp' && now - (intent.sentAt ?? intent.at) < buyingTime,
    isUnprovisioned: ({context: {failure}}) => failure?.code === 'not_applied' || failure?.status === 401,
    isAmong: ({context}, {records}: {records: readonly TaskRecord[]}) => ownTask(context, records) !== undefined,
    isSetUp: ({context}) => context.list.getSnapshot().hasTag('ready'),
    isMissing: ({context}) => context.list.getSnapshot().hasTag('missing'),
    isOld: (_, {output}: {output: Preparation}) => output.isOld,
    isUnrepeatable: (_, {output}: {output: Preparation}) => !output.repeats,
    hasTask: (_, {output}: {output: TaskAcceptance}) => output.task !== undefined,
    isRepeatable: ({context}) =>
      context.failure !== undefined &&
      context.repeats &&
      context.tries < backoff.attempts &&
      (isUnknown(context.failure) || context.failure.code === 'duplication'),
    isLost: ({context}) => context.failure !== undefined && isUnknown(context.failure),
    isUsedUp: ({context}) => context.failure?.code === 'used_up',
    canGoOn: ({context}, credits: CreditsFact) => suffices(context.failure, credits),
    isOffline: ({context}) => isOffline(context),
    /** The same request again makes no second task, so it may wait for the network however often it was sent. */
    isCutOff: ({context}) =>
      isOffline(context) && context.repeats && context.failure !== undefined && isUnknown(context.failure),
    mayLook: ({context}) => context.looks < mostLooks,
    repeats: ({context}) => context.repeats,
  },
  actions: {
    storePreparation: assign((_, {output: {isOld: _isOld, ...facts}}: {output: Preparation}) => facts),
    storeFailure: assign((_, {error}: {error: unknown}) => ({failure: toFailure(error)})),
    countTry: assign(({context: {tries, intent, now: sentAt}}) => ({
      tries: tries + 1,
      failure: undefined,
      intent: sentAt === undefined ? intent : {...intent, sentAt},
    })),
    forgiveTries: assign({tries: 0}),
    countLook: assign(({context}) => ({looks: context.looks + 1})),
    startOver: assign({tries: 0, looks: 0, failure: undefined}),
    tell: enqueueActions(({enqueue, context: {parentRef}}, fact: SubmissionFact) => {
      enqueue.sendTo(parentRef, fact)
    }),
    claim: enqueueActions(({enqueue, context}, {records}: {records: readonly TaskRecord[]}) => {
      const task = ownTask(context, records)?.task.id
      if (task !== undefined) enqueue.sendTo(context.parentRef, {type: 'task.claimed', key: context.intent.key, task})
    }),
    /** The list takes the tasks in, and offers them to the request. */
    passTasks: enqueueActions(({enqueue, context}, {output}: {output: TaskRecord[]}) => {
      enqueue.sendTo(context.list, {type: 'tasks.read', records: output})
    }),
    lookForCredits: enqueueActions(({enqueue, context}) => {
      enqueue.sendTo(context.list, {type: 'request.waiting'})
    }),
    /** Port: stores what changed of the request. */
    keepIntent: (_, _params: {userId: string; stored: StoredIntent}) => unfilledAction('keepIntent'),
    /** Port: the request has its task, or was put aside; it need not survive a killed tab any more. */
    forgetIntent: (_, _params: {userId: string; key: string}) => unfilledAction('forgetIntent'),
  },
})
