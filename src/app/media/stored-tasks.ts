import {readToolSlice} from '#domain/persisted-state.ts'
import {sameAgain} from '#features/media/repeated-request.ts'
import {formFromRequest} from '#features/media/settings-values.ts'
import {selectKeys} from '#machines/task-list/task-list.selectors.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {toTaskRecord} from '../logic/media/task-records.ts'
import type {Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'

/** So many of the newest tasks of a tool are looked through. */
const mostStored = 200

type StoredParts = {root: Root; deps: Pick<RootDeps, 'state' | 'bulk' | 'loadTools' | 'createUuid' | 'log'>}

const tasksOf = (bulk: RootDeps['bulk'], userId: string, tool: string) => bulk.tasks(userId, tool, mostStored)

/** The newest tasks that this browser kept of a tool, read by its rules; a tool with nothing stored is not loaded. */
export async function storedTasks({root, deps}: StoredParts, tool: string): Promise<TaskRecord[]> {
  const userId = root.actors.session()?.getSnapshot().context.user.id
  if (userId === undefined) return []
  try {
    const tasks = await tasksOf(deps.bulk, userId, tool)
    if (tasks.length === 0) return []
    const loadedTool = await (await deps.loadTools()).loadTool(tool)
    return loadedTool === undefined ? [] : tasks.map((task) => toTaskRecord(loadedTool.tool, task))
  } catch (error) {
    deps.log('Stored tasks could not be read', {tool, error: String(error)})
    return []
  }
}

/**
 * Sends a task again, as the button of its card does: a second press is the same request. False: it is not known here,
 * or no operation takes it as it was. Rejects when the rules of the tool cannot be loaded.
 * @param at unix seconds of the server's clock
 */
export async function repeatTask({root, deps}: StoredParts, tool: string, id: string, at: number): Promise<boolean> {
  const session = root.actors.session()
  if (session === undefined) return false
  const list = root.actors.taskList(tool)?.getSnapshot()
  const task =
    list?.context.items.find((record) => record.task.id === id)?.task ??
    [
      ...(readToolSlice(deps.state.read(), tool)?.tasks?.items ?? []),
      ...(await tasksOf(deps.bulk, session.getSnapshot().context.user.id, tool)),
    ].find((each) => each.id === id)
  const loadedTool = await (await deps.loadTools()).loadTool(tool)
  if (loadedTool === undefined) throw new Error(`There is no tool "${tool}"`)
  const repetition = {request: task?.request ?? {}, type: task?.type ?? undefined}
  const submission = task && sameAgain(loadedTool.tool, repetition)
  if (submission === undefined) return false
  const intent = {key: deps.createUuid(), tool, submission, at, form: formFromRequest(loadedTool.tool, repetition)}
  session.send({type: 'task.submit', from: (list && selectKeys(list)[id]) ?? id, intent})
  return true
}
