import {assign, enqueueActions, setup, type ActorRefFrom, type SnapshotFrom} from 'xstate'
import type {CreditsFact} from '#domain/credits.ts'
import {toFailure} from '#domain/failure.ts'
import type {StoredIntent} from '#domain/intent.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import {
  submissionId,
  type SubmissionEvent,
  type SubmissionFact,
  type SubmissionInput,
} from '#machines/submission/submission.types.ts'
import type {RequestsFact} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {formRequest, isRefused, pendingOf, repeatedRequest, unclaimed} from './task-requests.rules.ts'
import {
  fromForm,
  type TaskRequestsContext,
  type TaskRequestsEvent,
  type TaskRequestsInput,
} from './task-requests.types.ts'

type TaskJoin = Pick<Extract<SubmissionFact, {type: 'submission.joined'}>, 'key' | 'task'>
type TaskIntent = Omit<Extract<TaskRequestsEvent, {type: 'task.submit'}>, 'type'>

const submissionInput = (
  {list, ref, userId, environment}: TaskRequestsContext,
  own: Omit<SubmissionInput, keyof TaskRequestsInput>,
): SubmissionInput => ({list, ref, userId, environment, ...own})

const requestsSetup = setup({
  types: {
    input: {} as TaskRequestsInput,
    context: {} as TaskRequestsContext,
    events: {} as TaskRequestsEvent,
  },
  actors: {submission: submissionMachine},
  guards: {
    isNewKey: ({context: {requests, keys}}, {intent}: TaskIntent) =>
      requests.every(({key}) => key !== intent.key) && !Object.values(keys).includes(intent.key),
    isRepeated: ({context}, {from, intent}: TaskIntent) =>
      repeatedRequest(context, from, intent.submission) !== undefined,
    isPending: ({context}, {key}: {key: string}) => pendingOf(context, key) !== undefined,
    mayJoin: ({context}, {key, task}: TaskJoin) =>
      context.keys[task] === undefined && pendingOf(context, key) !== undefined,
  },
  actions: {
    /** The form shows one request: before another one a refused one is put aside, and any other leaves the form. */
    freeForm: enqueueActions(({enqueue, context}, {from}: TaskIntent) => {
      const last = from === fromForm ? formRequest(context) : undefined
      if (last === undefined) return
      if (isRefused(last)) enqueue.sendTo(last.submission, {type: 'submission.discard'})
      enqueue.assign({
        requests: context.requests.map((request) => (request === last ? {...last, from: undefined} : request)),
      })
    }),
    send: assign(({context, self, spawn}, {intent, from}: TaskIntent) => {
      const submission = spawn('submission', {
        id: submissionId(intent.key),
        input: submissionInput(context, {parentRef: self, intent, origin: 'new'}),
      })
      return {requests: [...context.requests, {key: intent.key, from, submission}]}
    }),
    /** The same button again: while its request waits for the user that is a retry, else nothing. */
    repeat: enqueueActions(({enqueue, context}, {from, intent: {submission}}: TaskIntent) => {
      const request = repeatedRequest(context, from, submission)
      if (request !== undefined) enqueue.sendTo(request.submission, {type: 'submission.retry'})
    }),
    restore: assign(({context, self, spawn}, {intents, now}: {intents: readonly StoredIntent[]; now: number}) => {
      const {requests, keys} = context
      const names = new Set([...requests.map(({key}) => key), ...Object.values(keys)])
      const storedIntents = intents.filter(({key}) => !names.has(key))
      const restoredRequests = storedIntents.map((intent) => {
        const input = submissionInput(context, {parentRef: self, intent, origin: 'stored', now})
        return {key: intent.key, submission: spawn('submission', {id: submissionId(intent.key), input})}
      })
      return {requests: [...restoredRequests, ...requests]}
    }),
    /** Views that look at this chart read a request again when its entry is another. */
    renew: assign(({context: {requests}}, {key}: {key: string}) => ({
      requests: requests.map((request) => (request.key === key ? {...request} : request)),
    })),
    /** A request has its task. */
    join: enqueueActions(({enqueue, context}, {key, task: id}: TaskJoin) => {
      const request = pendingOf(context, key)
      if (request === undefined) return
      enqueue.assign({keys: {...context.keys, [id]: key}})
      const {at, submission} = request.submission.getSnapshot().context.intent
      const task = {id, created_at: at, request: submission.body}
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
      for (const {submission} of free.length === 0 ? [] : context.requests)
        enqueue.sendTo(submission, {type: 'tasks.arrived', records: free})
    }),
    passToAll: enqueueActions(({enqueue, context}, {event}: {event: SubmissionEvent}) => {
      for (const {submission} of context.requests) enqueue.sendTo(submission, event)
    }),
    storeCredits: assign(({context}, {type, at, left}: CreditsFact) => ({
      credits: {type: context.credits?.type === 'credits.added' ? 'credits.added' : type, at, left},
    })),
    passCredits: enqueueActions(({enqueue, context: {requests, credits}}) => {
      if (credits === undefined) return
      for (const {submission} of requests) enqueue.sendTo(submission, credits)
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
      const brokenRequest = context.requests.find(({key}) => actorId === submissionId(key))
      if (brokenRequest === undefined) return
      const intent = {...brokenRequest.submission.getSnapshot().context.intent, failure: toFailure(error)}
      const input = submissionInput(context, {parentRef: self, intent, origin: 'broken'})
      enqueue.stopChild(actorId)
      enqueue.assign(({spawn}) => {
        const submission = spawn('submission', {id: actorId, input})
        return {
          requests: context.requests.map((request) =>
            request === brokenRequest ? {...brokenRequest, submission} : request,
          ),
        }
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

/**
 * The requests of one tool that have no task yet, and what only their owner can decide. Each is a `submission`, which
 * has the states of its request and hears the user itself; here there are none (decision 162). This chart starts them,
 * and those that broke again, and grants each task to one request. One press is one request: a second press of the same
 * button is a retry of the first. Owned by the list.
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
        actions: [{type: 'freeForm', params: ({event}) => event}, {type: 'send', params: ({event}) => event}, changed],
      },
    ],
    'requests.restored': {actions: [{type: 'restore', params: ({event}) => event}, 'passCredits', changed]},
    'submission.changed': {actions: [{type: 'renew', params: ({event}) => event}, changed]},
    'submission.lost': {
      guard: {type: 'isPending', params: ({event}) => event},
      actions: [
        {type: 'renew', params: ({event}) => event},
        changed,
        {type: 'offer', params: ({event}) => event},
        {type: 'tell', params: {type: 'request.lost'}},
      ],
    },
    'submission.joined': {actions: [{type: 'join', params: ({event}) => event}, changed]},
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
