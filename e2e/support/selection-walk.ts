import {initialTransition} from 'xstate'
import {selectionMachine, type SelectionSnapshot} from '#machines/selection/selection.machine.ts'
import {selectDone, selectTaskCount} from '#machines/selection/selection.selectors.ts'
import {sender, where, type Chart} from './chart-walk.ts'

/*
 * The choice of several results as a user sees it: two results, of which none, one or all are chosen, deleted and
 * downloaded.
 */

export type Action =
  | 'select'
  | 'select with Ctrl'
  | 'leave'
  | 'toggle'
  | 'extend'
  | 'choose all'
  | 'choose none'
  | 'ask'
  | 'cancel'
  | 'confirm'
  | 'one is deleted'
  | 'one is kept'
  | 'download'
  | 'cancel the download'
  | 'a file comes'
  | 'a file fails'
  | 'make anew'
type Some = 'one' | 'all'
export type Step = '1 of 1' | '1 of 2' | '2 of 2'
export type Shown =
  | `idle${'' | ', one deleted' | ', all deleted'}`
  | `choosing ${'none' | Some | 'what was kept'}`
  | `confirming ${Some}`
  | `deleting ${Step | '2 of 2, one kept'}`
  | `packing ${Step | '2 of 2, one missing'}`
export type Snapshot = {selection: SelectionSnapshot; listed: readonly string[]}

const send = sender(selectionMachine)
export const all = ['a', 'b']
const tasksOf = (ids: readonly string[]) => ids.map((id) => ({id, title: id}))
const filesOf = (ids: readonly string[]) => ids.map((name) => ({name, url: `/${name}`}))
const first = (): Snapshot => ({
  selection: initialTransition(selectionMachine, {
    ref: {tool: 'flux', service: 'flux', serviceId: 'foo'},
  })[0],
  listed: all,
})

export const is =
  (state: 'confirming' | 'deleting' | 'packing') =>
  ({selection}: Snapshot) =>
    selection.matches({selecting: state})
const isIdle = ({selection, listed}: Snapshot) => selection.matches('idle') && listed.length === all.length
/** While so many are chosen, and none was deleted. */
const has =
  (...counts: number[]) =>
  ({selection, listed}: Snapshot) =>
    selection.matches({selecting: 'choosing'}) &&
    listed.length === all.length &&
    counts.includes(selection.context.chosen.length)
const then =
  (event: (snapshot: SelectionSnapshot) => Parameters<typeof send>[1]) =>
  (snapshot: Snapshot): Snapshot => ({...snapshot, selection: send(snapshot.selection, event(snapshot.selection))})

/** Answers for one task. */
const heard = (type: 'removal.done' | 'removal.failed') => (snapshot: Snapshot) => {
  const {deleting, done} = snapshot.selection.context
  const key = deleting[done]?.id ?? ''
  const event = type === 'removal.done' ? {type, key} : {type, key, failure: {code: 'conflict', detail: 'foo'}}
  return {
    listed: type === 'removal.done' ? snapshot.listed.filter((each) => each !== key) : snapshot.listed,
    selection: send(snapshot.selection, event),
  }
}
/** Answers for one file; after the last one there is an archive, unless all failed. */
const loaded = (type: 'file.packed' | 'file.failed') => (snapshot: Snapshot) => {
  const {files, done} = snapshot.selection.context
  const next = send(snapshot.selection, type === 'file.packed' ? {type} : {type, name: files[done]?.name ?? ''})
  if (!isLast(snapshot)) return {...snapshot, selection: next}
  const isNone = next.context.failed.length === files.length
  const end = isNone
    ? send(next, {type: 'xstate.error.actor.packFiles', error: new Error('foo')})
    : send(next, {type: 'xstate.done.actor.packFiles'})
  return {...snapshot, selection: end}
}
/** The answer that comes next is the last one. */
export function isLast({selection}: Snapshot): boolean {
  return selectDone(selection) + 1 === selectTaskCount(selection)
}

function shownBy({selection, listed}: Snapshot): Shown {
  const {chosen, kept, failed} = selection.context
  if (selection.matches('idle'))
    return listed.length === 0 ? 'idle, all deleted' : listed.length === 1 ? 'idle, one deleted' : 'idle'
  const some = chosen.length === all.length ? 'all' : 'one'
  if (selection.matches({selecting: 'confirming'})) return `confirming ${some}`
  if (selection.matches({selecting: 'choosing'})) {
    if (listed.length < all.length) return 'choosing what was kept'
    return `choosing ${chosen.length === 0 ? 'none' : some}`
  }
  // as: of two at most so many are done
  const step = `${selectDone(selection) + 1} of ${selectTaskCount(selection)}` as Step
  if (selection.matches({selecting: 'deleting'})) return `deleting ${kept.length > 0 ? '2 of 2, one kept' : step}`
  return `packing ${failed.length > 0 ? '2 of 2, one missing' : step}`
}

export const selectionChart: Chart<Snapshot, Action, Shown> = {
  start: first,
  shownBy,
  effects: {
    select: where(
      isIdle,
      then(() => ({type: 'selection.enter'})),
    ),
    'select with Ctrl': where(
      isIdle,
      then(() => ({type: 'task.toggle', id: 'a'})),
    ),
    leave: where(
      ({selection}) => selection.matches({selecting: 'choosing'}),
      then(() => ({type: 'selection.leave'})),
    ),
    // of all the other one would stay, which shows nothing new
    toggle: where(
      has(0, 1),
      then(() => ({type: 'task.toggle', id: 'a'})),
    ),
    extend: where(
      has(1),
      then(() => ({type: 'task.extend', id: 'b', order: all})),
    ),
    'choose all': where(
      has(0, 1),
      then(() => ({type: 'tasks.choose', ids: all})),
    ),
    'choose none': where(
      has(2),
      then(() => ({type: 'tasks.drop'})),
    ),
    ask: where(
      has(1, 2),
      then(() => ({type: 'delete.ask'})),
    ),
    cancel: where(
      is('confirming'),
      then(() => ({type: 'delete.cancel'})),
    ),
    confirm: where(
      is('confirming'),
      then(({context}) => ({type: 'delete.confirm', tasks: tasksOf(context.chosen)})),
    ),
    'one is deleted': where(is('deleting'), heard('removal.done')),
    'one is kept': where(is('deleting'), heard('removal.failed')),
    download: where(
      has(1, 2),
      then(({context}) => ({type: 'download.start', files: filesOf(context.chosen)})),
    ),
    'cancel the download': where(
      is('packing'),
      then(() => ({type: 'download.cancel'})),
    ),
    'a file comes': where(is('packing'), loaded('file.packed')),
    'a file fails': where(is('packing'), loaded('file.failed')),
    'make anew': where(({selection, listed}) => selection.matches('idle') && listed.length < all.length, first),
  },
}
