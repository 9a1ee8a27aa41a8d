import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {CreditsFact} from '#domain/credits.ts'
import {toFailure} from '#domain/failure.ts'
import type {StoredIntent} from '#domain/intent.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import {submissionId, type SubmissionEvent, type SubmissionFact} from '#machines/submission/submission.types.ts'
import type {RequestsFact} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {pendingOf, repeatedRequest, unclaimed} from './task-requests.rules.ts'
import type {TaskRequestsContext, TaskRequestsEvent, TaskRequestsInput} from './task-requests.types.ts'

type Joined = Pick<Extract<SubmissionFact, {type: 'submission.joined'}>, 'key' | 'task'>
type Submitted = Omit<Extract<TaskRequestsEvent, {type: 'task.submit'}>, 'type'>

/** What every submission gets. */
const submissionInput = ({list, ref, userId, environment}: TaskRequestsContext) => ({list, ref, userId, environment})

const requestsSetup = setup({
  types: {
    input: {} as TaskRequestsInput,
    context: {} as TaskRequestsContext,
    events: {} as TaskRequestsEvent,
  },
  actors: {submission: submissionMachine},
  guards: {
    isNewKey: ({context: {requests, keys}}, {intent}: Submitted) =>
      requests.every(({key}) => key !== intent.key) && !Object.values(keys).includes(intent.key),
    isRepeated: ({context}, {from, intent}: Submitted) =>
      repeatedRequest(context, from, intent.submission) !== undefined,
    isPending: ({context}, {key}: {key: string}) => pendingOf(context, key) !== undefined,
    mayJoin: ({context}, {key, task}: Joined) =>
      context.keys[task] === undefined && pendingOf(context, key) !== undefined,
  },
  actions: {
    send: enqueueActions(({enqueue, context, self}, {intent, from}: Submitted) => {
      enqueue.spawnChild('submission', {
        id: submissionId(intent.key),
        input: {...submissionInput(context), parentRef: self, intent, origin: 'new'},
      })
      enqueue.assign({requests: [...context.requests, {...intent, from}]})
    }),
    /** The same button again: while its request waits for the user that is a retry, else nothing. */
    repeat: enqueueActions(({enqueue, context}, {from, intent: {submission}}: Submitted) => {
      const request = repeatedRequest(context, from, submission)
      if (request !== undefined) enqueue.sendTo(submissionId(request.key), {type: 'submission.retry'})
    }),
    restore: enqueueActions(
      ({enqueue, context, self}, {intents, now}: {intents: readonly StoredIntent[]; now: number}) => {
        const {requests, keys} = context
        const names = new Set([...requests.map(({key}) => key), ...Object.values(keys)])
        const stored = intents.filter(({key}) => !names.has(key))
        for (const intent of stored)
          enqueue.spawnChild('submission', {
            id: submissionId(intent.key),
            input: {...submissionInput(context), parentRef: self, intent, origin: 'stored', now},
          })
        enqueue.assign({requests: [...stored.map(({state: _, failure: __, ...intent}) => intent), ...requests]})
      },
    ),
    /** A request has its task. */
    join: enqueueActions(({enqueue, context}, {key, task: id}: Joined) => {
      const request = pendingOf(context, key)
      if (request === undefined) return
      enqueue.assign({keys: {...context.keys, [id]: key}})
      const task = {id, created_at: request.at, request: request.submission.body}
      enqueue.sendTo(context.list, {type: 'request.joined', key, task})
    }),
    grant: enqueueActions(({enqueue}, {key}: {key: string}) => {
      enqueue.sendTo(submissionId(key), {type: 'task.granted'})
    }),
    /** A request looks for its task among those that are listed. */
    offer: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      const {items} = context.list.getSnapshot().context
      enqueue.sendTo(submissionId(key), {type: 'tasks.arrived', records: unclaimed(context, items)})
    }),
    offerToAll: enqueueActions(({enqueue, context}, {records}: {records: readonly TaskRecord[]}) => {
      const free = unclaimed(context, records)
      for (const {key} of free.length === 0 ? [] : context.requests)
        enqueue.sendTo(submissionId(key), {type: 'tasks.arrived', records: free})
    }),
    pass: enqueueActions(({enqueue}, {key, event}: {key: string; event: SubmissionEvent}) => {
      enqueue.sendTo(submissionId(key), event)
    }),
    passToAll: enqueueActions(({enqueue, context}, {event}: {event: SubmissionEvent}) => {
      for (const {key} of context.requests) enqueue.sendTo(submissionId(key), event)
    }),
    storeCredits: assign(({context}, {type, at, left}: CreditsFact) => ({
      credits: {type: context.credits?.type === 'credits.added' ? 'credits.added' : type, at, left},
    })),
    passCredits: enqueueActions(({enqueue, context: {requests, credits}}) => {
      for (const {key} of credits ? requests : []) enqueue.sendTo(submissionId(key), credits)
    }),
    tell: enqueueActions(({enqueue, context}, fact: RequestsFact) => {
      enqueue.sendTo(context.list, fact)
    }),
    drop: enqueueActions(({enqueue, context}, {key}: {key: string}) => {
      enqueue.stopChild(submissionId(key))
      enqueue.assign({requests: context.requests.filter((request) => request.key !== key)})
    }),
    /** Its submission broke: the request waits for the user. */
    replace: enqueueActions(({enqueue, context, self}, {actorId, error}: {actorId: string; error: unknown}) => {
      const request = context.requests.find(({key}) => actorId === submissionId(key))
      if (request === undefined) return
      const {from: _, ...intent} = request
      enqueue.stopChild(actorId)
      enqueue.spawnChild('submission', {
        id: submissionId(intent.key),
        input: {
          ...submissionInput(context),
          parentRef: self,
          intent: {...intent, failure: toFailure(error)},
          origin: 'broken',
        },
      })
    }),
  },
})

const changed = {type: 'tell', params: {type: 'requests.changed'}} as const
const toAll = {
  actions: [{type: 'passToAll', params: ({event}: {event: SubmissionEvent}) => ({event})}],
} as const
const credits = {
  actions: [{type: 'storeCredits', params: ({event}: {event: CreditsFact}) => event}, 'passCredits'],
} as const
const toOne = {
  guard: {type: 'isPending', params: ({event}: {event: {key: string}}) => event},
  actions: [
    {
      type: 'pass',
      params: ({event: {type, key}}: {event: {type: 'submission.retry' | 'submission.discard'; key: string}}) => ({
        key,
        event: {type},
      }),
    },
  ],
} as const

/**
 * The requests of one tool that have no task yet. Each is a `submission`; this chart starts them, decides which request a
 * task belongs to (each task is granted once), and tells the list of tasks. One press is one request: a second press of
 * the same button is a retry of the first. Owned by the list.
 */
export const taskRequestsMachine = requestsSetup.createMachine({
  id: 'requests',
  context: ({input}) => ({...input, requests: [], keys: {}}),
  on: {
    'task.submit': [
      {
        guard: {type: 'isRepeated', params: ({event}) => event},
        actions: [{type: 'repeat', params: ({event}) => event}],
      },
      {
        guard: {type: 'isNewKey', params: ({event}) => event},
        actions: [{type: 'send', params: ({event}) => event}, changed],
      },
    ],
    'requests.restored': {actions: [{type: 'restore', params: ({event}) => event}, 'passCredits', changed]},
    'submission.retry': toOne,
    'submission.discard': toOne,
    'submission.changed': {actions: [changed]},
    'submission.lost': {
      guard: {type: 'isPending', params: ({event}) => event},
      actions: [changed, {type: 'offer', params: ({event}) => event}, {type: 'tell', params: {type: 'request.lost'}}],
    },
    'submission.joined': {actions: [{type: 'join', params: ({event}) => event}, changed]},
    'submission.waiting': {actions: [{type: 'tell', params: {type: 'request.waiting'}}]},
    'submission.ended': {actions: [{type: 'drop', params: ({event}) => event}, changed]},
    'task.claimed': [
      {
        guard: {type: 'mayJoin', params: ({event}) => event},
        actions: [{type: 'join', params: ({event}) => event}, {type: 'grant', params: ({event}) => event}, changed],
      },
      // another request became it: this one looks among the others
      {
        guard: {type: 'isPending', params: ({event}) => event},
        actions: [{type: 'offer', params: ({event}) => event}],
      },
    ],
    'tasks.arrived': {actions: [{type: 'offerToAll', params: ({event}) => event}]},
    'provision.ready': toAll,
    'provision.missing': toAll,
    'credits.added': credits,
    'credits.listed': credits,
    'credits.look': toAll,
    'xstate.error.actor.*': {actions: [{type: 'replace', params: ({event}) => event}, changed]},
  },
})

export type TaskRequestsActor = ActorRefFrom<typeof taskRequestsMachine>
export type TaskRequestsSnapshot = SnapshotFrom<typeof taskRequestsMachine>
