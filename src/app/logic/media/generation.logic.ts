import {NEVER, Observable, type Subscriber} from 'rxjs'
import {fromEventObservable} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import type {ToolRules} from '#machines/generation/generation.rules.ts'
import type {ResultFact, SubmissionFact, SubmissionInput} from '#machines/generation/generation.types.ts'
import {selectKeys, selectPendingOf} from '#machines/task-list/task-list.selectors.ts'
import type {TaskListActor, TaskListSnapshot} from '#machines/task-list/task-list.machine.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolSlices} from './tool-slices.ts'
import {lazyLogic} from '../lazy-logic.ts'
import type {UploadLogic} from './upload.logic.ts'

type GenerationParts = {
  list: () => TaskListActor | undefined
  /** The chart of an upload, once it is loaded. */
  uploads: () => UploadLogic | undefined
  slices: ToolSlices
}

const requestsOf = (list: TaskListActor | undefined) => list?.getSnapshot().children.requests

/** How far a request is, read from its submission, as a fact for the form it came from. */
function factOf(snapshot: TaskListSnapshot, key: string): SubmissionFact | undefined {
  const keys = selectKeys(snapshot)
  const task = Object.keys(keys).find((id) => keys[id] === key)
  if (task !== undefined) return {type: 'submission.accepted', key, task}
  switch (selectPendingOf(snapshot, key)?.state) {
    case 'sending':
      return {type: 'submission.resumed', key}
    case 'offline':
    case 'looking':
    case 'unsure':
      return {type: 'submission.underway', key}
    case 'rejected':
    case 'usedUp':
      return {type: 'submission.rejected', key}
    case undefined:
      return undefined
  }
}

/** Looks at every snapshot of a list, the present one first, until nobody listens. */
function followSnapshots(
  list: TaskListActor,
  subscriber: Pick<Subscriber<unknown>, 'error' | 'complete'>,
  look: (snapshot: TaskListSnapshot) => void,
) {
  look(list.getSnapshot())
  const subscription = list.subscribe({
    next: look,
    error: (error: unknown) => subscriber.error(error),
    complete: () => subscriber.complete(),
  })
  return () => subscription.unsubscribe()
}

/** Hands a request to the list and tells what becomes of it; complete when the list does not have it any more. */
const submission$ = (list: TaskListActor, {tool, form, key, at, submission}: SubmissionInput) =>
  new Observable<SubmissionFact>((subscriber) => {
    let last: string | undefined
    const look = (snapshot: TaskListSnapshot) => {
      const fact = factOf(snapshot, key)
      if (fact === undefined) return subscriber.complete()
      if (fact.type === last) return
      last = fact.type
      subscriber.next(fact)
    }
    requestsOf(list)?.send({type: 'task.submit', intent: {key, tool, submission, at, form}})
    return followSnapshots(list, subscriber, look)
  })

/** Of the tasks that are there already, so many of the newest may have waited for the form. */
const mostEarlier = 20

/** Tasks of the list that succeed, each once. */
const results$ = (list: TaskListActor) =>
  new Observable<ResultFact>((subscriber) => {
    const reportedIds = new Set<string>()
    let last: readonly TaskRecord[] | undefined
    const look = ({context: {items}}: TaskListSnapshot) => {
      if (items === last) return
      const fresh = items.filter(({task, status}) => status === 'succeeded' && !reportedIds.has(task.id))
      for (const {task} of fresh) reportedIds.add(task.id)
      for (const {task, reading} of last === undefined || last.length === 0 ? fresh.slice(-mostEarlier) : fresh)
        subscriber.next({type: 'result.arrived', reading, request: task.request ?? {}})
      last = items
    }
    return followSnapshots(list, subscriber, look)
  })

/** Fills the ports of one tool's form. */
export function createGenerationLogic(rules: ToolRules, {list, uploads, slices}: GenerationParts) {
  return createGenerationMachine(rules).provide({
    actors: {
      submission: fromEventObservable<SubmissionFact, SubmissionInput>(({input}): Observable<SubmissionFact> => {
        const tasks = list()
        if (tasks === undefined) throw new ApiError({code: 'not_applied', detail: 'no token'})
        return submission$(tasks, input)
      }),
      results: fromEventObservable<ResultFact, {tool: string}>((): Observable<ResultFact> => {
        const tasks = list()
        return tasks === undefined || rules.next === undefined ? NEVER : results$(tasks)
      }),
      upload: lazyLogic(uploads),
    },
    actions: {
      rememberForm: (_, {tool, form}) => {
        const {mode} = form
        slices.write(tool, {config: form, ...(typeof mode === 'string' ? {mode} : {})})
      },
      repeatRequest: (_, {key}) => requestsOf(list())?.send({type: 'submission.retry', key}),
      discardRequest: (_, {key}) => requestsOf(list())?.send({type: 'submission.discard', key}),
    },
  })
}
