import {expect, test, vi} from 'vitest'
import {createActor} from 'xstate'
import type {Making} from '#app/commands/page-commands.tsx'
import {taskGroup} from '#app/commands/task-commands.tsx'
import type {MediaTools} from '#app/media/media-tools.types.ts'
import {tools} from '#features/shell/tools.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {taskListId} from '#machines/tasks/tasks.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import {startEnvironment} from './machines/environment-fixture.ts'
import {nobody} from './machines/nobody.ts'
import {tasksWithTools} from './machines/tasks-fixture.ts'
import {stopAfterTest} from './stop-after-test.ts'

const record = (id: string, status: TaskRecord['status'], finishedAt?: number): TaskRecord => ({
  task: {id, created_at: 100, finished_at: finishedAt, request: {prompt: `prompt ${id}`}},
  status,
  reading: {artifacts: []},
})

test('the palette has running tasks first and those that ended last behind them, of tools in use and not, and leads to each', () => {
  const tasks = createActor(tasksWithTools, {
    input: {session: nobody, userId: 'u-1', host: 'h', tools: [], environment: startEnvironment()},
  }).start()
  stopAfterTest(tasks)
  tasks.send({type: 'tool.open', tool: 'flux'})
  findActor<TaskListActor>(tasks.system, taskListId('flux'))?.send({
    type: 'tasks.polled',
    records: [record('early', 'succeeded', 200), record('running', 'running'), record('last', 'succeeded', 900)],
  })
  const stored = {id: 'kept', status: 'succeeded', prompt: '', at: 1, endedAt: 500}
  const storedEnds = () => new Map([['kling', [stored, 'of another shape']]])
  const go = vi.fn()
  const making: Making = {text: (id) => id, english: () => undefined, go}
  // as: the parts that are used
  const media = {tasks: () => tasks, storedEnds} as unknown as MediaTools
  const {entries} = taskGroup(making, media, tools)
  expect(entries.map(({label, note}) => [label, note])).toEqual([
    ['prompt running', 'Flux'],
    ['prompt last', 'Flux'],
    ['Kling', 'Kling'],
    ['prompt early', 'Flux'],
  ])
  for (const {run} of entries) void run()
  expect(go.mock.calls.flat()).toEqual(['/flux#running', '/flux#last', '/kling#kept', '/flux#early'])
})
