import {NEVER, Observable} from 'rxjs'
import {fromEventObservable} from 'xstate'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import type {ToolRules} from '#machines/generation/generation.rules.ts'
import type {ResultFact} from '#machines/generation/generation.types.ts'
import type {TaskListActor, TaskListSnapshot} from '#machines/task-list/task-list.machine.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolSlices} from './tool-slices.ts'
import {lazyLogic} from '../chosen-logic.ts'
import type {UploadLogic} from './upload.logic.ts'

type GenerationParts = {
  list: () => TaskListActor | undefined
  /** The chart of an upload, once it is loaded. */
  uploads: () => UploadLogic | undefined
  slices: Pick<ToolSlices, 'read' | 'write'>
}

/** This many of the newest tasks may have arrived before the form started. */
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
    look(list.getSnapshot())
    const subscription = list.subscribe({
      next: look,
      error: (error: unknown) => subscriber.error(error),
      complete: () => subscriber.complete(),
    })
    return () => subscription.unsubscribe()
  })

/** Fills the ports of one tool's form. */
export function createGenerationLogic(rules: ToolRules, {list, uploads, slices}: GenerationParts) {
  return createGenerationMachine(rules).provide({
    actors: {
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
    },
  })
}
