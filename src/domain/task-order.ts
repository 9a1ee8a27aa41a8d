import type {Task} from '#contract/task.ts'

type OrderedTask = Pick<Task, 'id' | 'created_at'>

/** Ascending by `created_at`, equal times by id: a total order, the same in every tab (spec §3, security R48). */
export const compareTasks = (a: OrderedTask, b: OrderedTask) =>
  a.created_at - b.created_at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
