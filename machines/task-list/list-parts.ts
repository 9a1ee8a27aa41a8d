import type {TaskListActor} from './task-list.machine.ts'

/** The parts of a list that views talk to. They run as long as the list does. */
export function listParts(list: TaskListActor) {
  const {pages, days, lookup, favourites, requests} = list.getSnapshot().children
  if (!pages || !days || !lookup || !favourites || !requests) throw new Error('The list of tasks has not started')
  return {pages, days, lookup, favourites, requests}
}
export type ListParts = ReturnType<typeof listParts>
