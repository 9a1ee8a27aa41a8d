import {readToolSlice} from '#domain/persisted-state.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'
import type {ToolActor} from '#machines/tool/tool.machine.ts'
import {toolId} from '#machines/tool/tool.types.ts'
import type {RootDeps} from '../root-deps.ts'
import {persistTasks, persistToolSetUp} from './media-persistence.ts'
import type {MediaLookup} from './media-lookup.ts'
import type {createToolSlices} from './tool-slices.ts'

type FollowDeps = {deps: RootDeps; slices: ReturnType<typeof createToolSlices>; lookup: MediaLookup}

/** Follows the tasks of a session: the storage keeps what their parts have, and marks of other tabs are applied. */
export function createTasksFollower({deps, slices, lookup}: FollowDeps): (tasks: TasksActor) => void {
  const followedLists = new WeakSet<object>()
  const once = <Actor extends object>(actor: Actor | undefined, follow: (actor: Actor) => void) => {
    if (actor === undefined || followedLists.has(actor)) return
    followedLists.add(actor)
    follow(actor)
  }

  const applyMarks = (tasks: TasksActor) => {
    const subscription = deps.state.changes$.subscribe(({state, epoch}) => {
      if (epoch !== deps.state.epoch()) return
      for (const tool of tasks.getSnapshot().context.tools) {
        const marks = readToolSlice(state, tool)?.favourites
        const favourites = lookup.list(tool)?.getSnapshot().children.favourites
        if (marks !== undefined) favourites?.send({type: 'favourites.merged', marks})
      }
    })
    const end = () => subscription.unsubscribe()
    tasks.subscribe({complete: end, error: end})
  }

  /** A part that starts again is another actor, and is followed as well. */
  const followTool = (tool: string, actor: ToolActor) => {
    const look = () => {
      once(lookup.list(tool), (running) => persistTasks(deps, slices, running))
      once(lookup.provisioning(tool), (running) => persistToolSetUp(slices, tool, running))
    }
    look()
    actor.subscribe(look)
  }

  return (tasks) =>
    once(tasks, () => {
      applyMarks(tasks)
      const look = () => {
        for (const tool of tasks.getSnapshot().context.tools)
          once(findActor<ToolActor>(tasks.system, toolId(tool)), (actor) => followTool(tool, actor))
      }
      look()
      tasks.subscribe(look)
    })
}
