import {expect, test} from 'vitest'
import {persistTasks} from '#app/logic/media/media-persistence.ts'
import type {ToolSlices} from '#app/logic/media/tool-slices.ts'
import type {RootDeps} from '#app/logic/root-deps.ts'
import {record} from './machines/media-fixtures.ts'
import {startTaskList} from './machines/start-task-list.ts'

const storedRecords = [record('a', 'succeeded', 100), record('b', 'succeeded', 200)]

test('tasks that the page before this one deleted leave what is kept, which had them until then', async () => {
  const cached = {records: storedRecords, total: 2, active: undefined, intents: []}
  const run = startTaskList({deletions: ['a'], cached})
  const kept = new Set(['a', 'b'])
  // as: the members that are used
  const storage = {
    bulk: {
      saveTask: (...[, , {id}]: [string, string, {id: string}]) => kept.add(id),
      removeTask: (...[, , {id}]: [string, string, {id: string}]) => kept.delete(id),
    },
  } as unknown as Pick<RootDeps, 'bulk'>
  // as: see above
  persistTasks(storage, {write: () => undefined, writeDeletions: () => undefined} as unknown as ToolSlices, run.list)
  await run.turn()
  expect([run.removed, run.ids()]).toEqual([['foo-service/a'], ['b']])
  expect([...kept]).toEqual(['b'])
})
