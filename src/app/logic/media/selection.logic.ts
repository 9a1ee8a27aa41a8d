import {distinctUntilChanged, EMPTY, from, map, mergeMap, Observable, startWith} from 'rxjs'
import type {PackedFile, PackFact} from '#domain/packed-file.ts'
import {createActor, enqueueActions, fromEventObservable} from 'xstate'
import type {Log} from '#domain/log.ts'
import {isSameData} from '#domain/same-data.ts'
import type {removalMachine} from '#machines/lib/removal.machine.ts'
import type {Notice, NoticesActor} from '#machines/notices/notices.machine.ts'
import {selectionMachine} from '#machines/selection/selection.machine.ts'
import type {DeletionFact, ListedFact} from '#machines/selection/selection.types.ts'
import type {TaskListActor, TaskListSnapshot} from '#machines/task-list/task-list.machine.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {loadPart} from '#ui/load-part.ts'

/** Deletions that travel at once. */
const mostCalls = 3
/** Names that one notice has room for. */
const mostNames = 5
/** Milliseconds for a notice with names to read. */
const longNotice = 15_000

export type SelectionParts = {
  list: (tool: string) => TaskListActor | undefined
  removal: typeof removalMachine
  fetch: typeof fetch
  /** Unix milliseconds. */
  now: () => number
  notices: () => NoticesActor | undefined
  createId: () => string
  log: Log
}

const idsOf = ({context: {items, removing}}: TaskListSnapshot) =>
  items.flatMap(({task}) => (removing.includes(task.id) ? [] : [task.id]))

const namesOf = (names: readonly string[]) =>
  `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ', …' : ''}`

/** Fills the choice of several results. Loaded with the first of them. */
export function createSelectionLogic({list, removal, fetch, now, notices, createId, log}: SelectionParts) {
  type Enqueue = {sendTo: (actor: NoticesActor, event: {type: 'notice.show'; notice: Notice}) => void}
  const show = (enqueue: Enqueue, notice: Omit<Notice, 'id'>) => {
    const to = notices()
    if (to !== undefined) enqueue.sendTo(to, {type: 'notice.show', notice: {id: createId(), ...notice}})
  }
  /** Deletes for good, as a deletion whose time to be taken back is over. */
  const deleteTask = (ref: ToolRef, id: string) =>
    new Observable<DeletionFact>((subscriber) => {
      const isGone = list(ref.tool)?.getSnapshot().context.gone.includes(id) === true
      const deletion = createActor(removal, {input: {key: id, id: isGone ? undefined : `${ref.service}/${id}`}})
      deletion.subscribe({
        complete: () => {
          const isDone = deletion.getSnapshot().matches('done')
          if (isDone) list(ref.tool)?.send({type: 'removal.done', key: id})
          subscriber.next({type: isDone ? 'task.deleted' : 'task.kept', id})
          subscriber.complete()
        },
        error: (error) => subscriber.error(error),
      })
      deletion.start()
      deletion.send({type: 'removal.flush'})
      return () => deletion.stop()
    })

  return selectionMachine.provide({
    actors: {
      listed: fromEventObservable(({input}: {input: {ref: ToolRef}}): Observable<ListedFact> => {
        const actor = list(input.ref.tool)
        if (actor === undefined) return EMPTY
        return new Observable<TaskListSnapshot>((subscriber) => {
          const subscription = actor.subscribe(subscriber)
          return () => subscription.unsubscribe()
        }).pipe(
          startWith(actor.getSnapshot()),
          map(idsOf),
          distinctUntilChanged<string[]>(isSameData),
          map((ids): ListedFact => ({type: 'tasks.listed', ids})),
        )
      }),
      deleteTasks: fromEventObservable(
        ({input: {ref, ids}}: {input: {ref: ToolRef; ids: string[]}}): Observable<DeletionFact> =>
          from(ids).pipe(mergeMap((id) => deleteTask(ref, id), mostCalls)),
      ),
      packFiles: fromEventObservable(
        ({input: {ref, files}}: {input: {ref: ToolRef; files: PackedFile[]}}): Observable<PackFact> =>
          from(loadPart(() => import('#browser/zip-files.ts'))).pipe(
            mergeMap(({packFiles}) =>
              packFiles(files, {archive: `${ref.tool}-${new Date(now()).toISOString().slice(0, 10)}.zip`, fetch, log}),
            ),
          ),
      ),
    },
    actions: {
      tellKept: enqueueActions(({enqueue}, {tasks}) => {
        const names = namesOf(tasks.map(({title}) => title))
        show(enqueue, {
          kind: 'error',
          textId: 'common.mediaDeleteKept',
          values: {count: tasks.length, names},
          duration: longNotice,
        })
      }),
      tellFailed: enqueueActions(({enqueue}, {names}) =>
        show(enqueue, {
          kind: 'warning',
          textId: 'common.mediaPackMissing',
          values: {count: names.length, names: namesOf(names)},
          duration: longNotice,
        }),
      ),
      tellUnpacked: enqueueActions(({enqueue}, {error}) => {
        log('The files could not be put together', {error: String(error)})
        show(enqueue, {kind: 'error', textId: 'common.mediaDownloadFailed'})
      }),
    },
  })
}
