import {NEVER} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import {chosenLogic} from '#app/logic/chosen-logic.ts'
import type {Service} from '#contract/management.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import type {PeerReport} from '#machines/task-poll/task-poll.types.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'
import {tasksMachine} from '#machines/tasks/tasks.machine.ts'
import type {CachedTasks} from '#machines/task-list/task-list.types.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {createToolMachine} from '#machines/tool/tool.machine.ts'
import type {ToolEvent, ToolOwner} from '#machines/tool/tool.types.ts'

type Peered = {type: 'peer.polled'} & PeerReport
const createTool = (tool: string) =>
  createToolMachine(tool).provide({
    actors: {
      list: taskListMachine.provide({
        actors: {
          readCached: fromPromise<CachedTasks, {ref: ToolRef; userId: string}>(() => new Promise(() => {})),
          readDeletions: fromPromise<string[], {ref: ToolRef}>(async () => []),
          peers: fromEventObservable<Peered, {ref: ToolRef; userId: string}>(() => NEVER),
        },
      }),
      provisioning: provisioningMachine.provide({
        actors: {getService: fromPromise<Service, {serviceId: string}>(() => new Promise(() => {}))},
      }),
      loadForm: fromPromise<void, {tool: string}>(() => new Promise(() => {})),
    },
  })
/** The tasks with the real lists of any tool; no server answers. */
export const tasksWithTools = tasksMachine.provide({
  actors: {
    tool: chosenLogic<ReturnType<typeof createTool>, ToolEvent, ToolOwner & {tool: string}>(({tool, ...owner}) => ({
      machine: createTool(tool),
      input: {...owner, ref: {tool, service: tool, serviceId: `s-${tool}`}},
    })),
  },
})
