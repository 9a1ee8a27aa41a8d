import type {BulkStorage} from '#browser/bulk-storage.ts'
import {storageBounds} from '#domain/persisted-state.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {TaskListActor, TaskListSnapshot} from '#machines/task-list/task-list.machine.ts'
import {endedOf, selectCards} from '#machines/task-list/task-list.selectors.ts'
import {isOver} from '#machines/tasks/tasks.rules.ts'
import type {TaskListContext} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {follow} from '../persistence.ts'
import type {RootDeps} from '../root-deps.ts'
import type {ToolSlices} from './tool-slices.ts'

function saveChanges(bulk: BulkStorage, userId: string, tool: string, before: TaskRecord[], after: TaskRecord[]) {
  const recordsBefore = new Map(before.map((record) => [record.task.id, record]))
  for (const record of after) {
    const last = recordsBefore.get(record.task.id)
    recordsBefore.delete(record.task.id)
    if (last === record) continue
    // its position in the store is named by its time
    if (last !== undefined && last.task.created_at !== record.task.created_at) bulk.removeTask(userId, tool, last.task)
    bulk.saveTask(userId, tool, record.task)
  }
  for (const {task} of recordsBefore.values()) bulk.removeTask(userId, tool, task)
}

/**
 * The next page begins neither with a vanished task, of which was told (security R50), nor with one that is being
 * deleted: the answer to that call may be lost with this page.
 */
const knownOf = ({items, gone, removing}: Pick<TaskListContext, 'items' | 'gone' | 'removing'>) =>
  gone.length + removing.length === 0
    ? items
    : items.filter(({task}) => !gone.includes(task.id) && !removing.includes(task.id))

/** All tasks into the bulk storage, the newest into the slice of the tool (spec §4), once the cache has been read. */
export function persistTasks({bulk}: Pick<RootDeps, 'bulk'>, slices: ToolSlices, list: TaskListActor) {
  const {userId, ref} = list.getSnapshot().context
  follow(
    list,
    (snapshot: TaskListSnapshot) => ({
      items: snapshot.context.items,
      total: snapshot.context.total,
      active: snapshot.context.active,
      gone: snapshot.context.gone,
      removing: snapshot.context.removing,
      cards: selectCards(snapshot),
      isRead: snapshot.hasTag('cached'),
    }),
    ({total, active, isRead, cards, ...rest}, before) => {
      if (!isRead || before === undefined) return
      const [items, itemsBefore] = [knownOf(rest), knownOf(before)]
      // the cache has the tasks read from it, also deleted ones, but not those that arrived before the reading
      const changedFrom = before.isRead ? itemsBefore : rest.items.filter((record) => !itemsBefore.includes(record))
      saveChanges(bulk, userId, ref.tool, changedFrom, items)
      const newest = items.slice(-storageBounds.tasks).map(({task}) => task)
      const running = items.filter((record) => !isOver(record)).map(({task}) => task.id)
      const ends = endedOf(cards)
      slices.write(ref.tool, {
        tasks: {items: newest, total, running, ended: ends, ...(active === undefined ? {} : {active})},
      })
    },
  )
  follow(
    list,
    ({context: {unconfirmed}}) => ({unconfirmed}),
    ({unconfirmed}, before) => {
      if (before !== undefined) slices.writeDeletions(ref.tool, unconfirmed)
    },
  )
  const {favourites} = list.getSnapshot().children
  if (favourites === undefined) return
  follow(
    favourites,
    ({context: {marks}}) => ({marks}),
    ({marks}, before) => {
      if (before !== undefined) slices.writeFavourites(ref.tool, marks)
    },
  )
}

/** Set-up of a media tool; the service is not kept (contract/startup-auth §8). */
export function persistToolSetUp(slices: ToolSlices, tool: string, provisioning: ProvisioningActor) {
  follow(
    provisioning,
    ({context: {baseline, application, credential}}) => ({applications: baseline, application, credential}),
    (parts, before) => {
      if (before !== undefined) slices.write(tool, parts)
    },
  )
}
