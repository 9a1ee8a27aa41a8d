import {distinctUntilChanged, EMPTY, from, map, mergeMap, Observable, startWith} from 'rxjs'
import type {PackedFile, PackFact} from '#domain/packed-file.ts'
import {enqueueActions, fromEventObservable} from 'xstate'
import type {Log} from '#domain/log.ts'
import {isSameData} from '#domain/same-data.ts'
import {without} from '#machines/lib/keys.ts'
import type {removalMachine} from '#machines/lib/removal.machine.ts'
import type {Notice, NoticesActor} from '#machines/notices/notices.machine.ts'
import {selectionMachine} from '#machines/selection/selection.machine.ts'
import type {ListedFact} from '#machines/selection/selection.types.ts'
import type {TaskListActor, TaskListSnapshot} from '#machines/task-list/task-list.machine.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {loadPart} from '#ui/load-part.ts'
import type {ToolSlices} from './tool-slices.ts'

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
  slices: Pick<ToolSlices, 'writeDeletions'>
}

const listedFact = ({context: {items, removing, gone}}: TaskListSnapshot): ListedFact => ({
  type: 'tasks.listed',
  ids: items.flatMap(({task}) => (removing.includes(task.id) ? [] : [task.id])),
  gone,
})

const namesOf = (names: readonly string[]) =>
  `${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? ', …' : ''}`

/** Fills the choice of several results. Loaded with the first of them. */
export function createSelectionLogic(parts: SelectionParts) {
  const {list, removal, fetch, now, notices, createId, log, slices} = parts
  type Enqueue = {sendTo: (actor: NoticesActor, event: {type: 'notice.show'; notice: Notice}) => void}
  const show = (enqueue: Enqueue, notice: Omit<Notice, 'id'>) => {
    const to = notices()
    if (to !== undefined) enqueue.sendTo(to, {type: 'notice.show', notice: {id: createId(), ...notice}})
  }

  /** The next page hides these and deletes them, beside those that the list has noted. */
  const note = (tool: string, ids: readonly string[], {context: {unconfirmed, removed}}: TaskListSnapshot) => {
    slices.writeDeletions(tool, [...unconfirmed, ...without(ids, ...unconfirmed, ...removed)])
  }

  return selectionMachine.provide({
    actors: {
      noteDeletions: fromEventObservable(({input: {ref, ids}}: {input: {ref: ToolRef; ids: string[]}}) => {
        const actor = list(ref.tool)
        if (actor === undefined) return EMPTY
        return new Observable<never>(() => {
          note(ref.tool, ids, actor.getSnapshot())
          // the list writes its own as the page is left
          const subscription = actor.subscribe((snapshot) => note(ref.tool, ids, snapshot))
          return () => subscription.unsubscribe()
        })
      }),
      listed: fromEventObservable(({input}: {input: {ref: ToolRef}}): Observable<ListedFact> => {
        const actor = list(input.ref.tool)
        if (actor === undefined) return EMPTY
        return new Observable<TaskListSnapshot>((subscriber) => {
          const subscription = actor.subscribe(subscriber)
          return () => subscription.unsubscribe()
        }).pipe(startWith(actor.getSnapshot()), map(listedFact), distinctUntilChanged<ListedFact>(isSameData))
      }),
      removal,
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
      tellDeleted: enqueueActions(({enqueue, context: {ref}}, {key}) => {
        const tasks = list(ref.tool)
        if (tasks !== undefined) enqueue.sendTo(tasks, {type: 'removal.done', key})
      }),
      forgetDeletions: (_, {ref: {tool}}) => {
        const actor = list(tool)
        if (actor !== undefined) note(tool, [], actor.getSnapshot())
      },
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
