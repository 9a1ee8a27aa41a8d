import type {Task} from '#contract/task.ts'

/** A task that has its result or its error does not run any more. */
export const isTerminal = ({response, finished_at}: Task) =>
  finished_at != null || (response != null && (response.success != null || response.error != null))

/** Of two copies of one task: the terminal one, then the one that was touched last (security R48). */
function newer(known: Task, arrived: Task) {
  if (isTerminal(known) !== isTerminal(arrived)) return isTerminal(known) ? known : arrived
  return (known.finished_at ?? known.started_at ?? 0) > (arrived.finished_at ?? arrived.started_at ?? 0)
    ? known
    : arrived
}

/** Merges pages of tasks: one per id, ascending by `created_at`, equal times by id (spec §3). */
export function mergeTasks(known: readonly Task[], arrived: readonly Task[]): Task[] {
  const byId = new Map(known.map((task) => [task.id, task]))
  for (const task of arrived) {
    const other = byId.get(task.id)
    byId.set(task.id, other === undefined ? task : newer(other, task))
  }
  return [...byId.values()].sort((a, b) => a.created_at - b.created_at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
}
