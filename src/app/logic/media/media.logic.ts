import type {GenerationApi} from '#api/generation.ts'
import {createTasksApi} from '#api/tasks.ts'
import {readToolSlice} from '#domain/persisted-state.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {taskDaysMachine} from '#machines/task-days/task-days.machine.ts'
import {taskFavouritesMachine} from '#machines/task-favourites/task-favourites.machine.ts'
import {taskLookupMachine} from '#machines/task-lookup/task-lookup.machine.ts'
import {taskPagesMachine} from '#machines/task-pages/task-pages.machine.ts'
import {taskRequestsMachine} from '#machines/task-requests/task-requests.machine.ts'
import {taskListMachine, type TaskListActor} from '#machines/task-list/task-list.machine.ts'
import {tasksMachine, type TasksActor} from '#machines/tasks/tasks.machine.ts'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import {formId, taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import {loadPart} from '#ui/load-part.ts'
import type {NoticesActor} from '#machines/notices/notices.machine.ts'
import {lazyLogic} from '../lazy-logic.ts'
import {createProvisioningLogic} from '../provisioning.logic.ts'
import type {MediaDeps, RootDeps, ToolManifest} from '../root-deps.ts'
import type {Services} from '../services.ts'
import {createForms, setUpOf} from './forms.logic.ts'
import type {createSelectionLogic} from './selection.logic.ts'
import {persistTasks, persistToolSetUp} from './media-persistence.ts'
import {createServerClock, observed} from './server-clock.ts'
import {createSubmissionLogic} from './submission.logic.ts'
import {
  createRemovalLogic,
  credentialTokens,
  createTaskPollLogic,
  peersPort,
  readCachedPort,
  retrieveNamedPort,
  retrieveTaskPort,
  retrieveTasksPort,
  type TaskPortDeps,
} from './task-ports.ts'
import {createToolSlices} from './tool-slices.ts'

/** Actors that exist only while a user is signed in. */
export type MediaLookup = {
  userId: () => string | undefined
  language: () => string
  list: (tool: string) => TaskListActor | undefined
  provisioning: (tool: string) => ProvisioningActor | undefined
  notices: () => NoticesActor | undefined
}

function createTaskListLogic(parts: TaskPortDeps, openGeneration: () => Promise<GenerationApi>) {
  return taskListMachine.provide({
    actors: {
      readCached: readCachedPort(parts),
      pages: taskPagesMachine.provide({actors: {retrieveTasks: retrieveTasksPort(parts)}}),
      days: taskDaysMachine.provide({actors: {retrieveTasks: retrieveTasksPort(parts)}}),
      lookup: taskLookupMachine.provide({actors: {retrieveTask: retrieveTaskPort(parts)}}),
      favourites: taskFavouritesMachine.provide({actors: {retrieveNamed: retrieveNamedPort(parts)}}),
      requests: taskRequestsMachine.provide({actors: {submission: createSubmissionLogic(parts, openGeneration)}}),
      peers: peersPort(parts),
      taskPoll: createTaskPollLogic(parts),
      removal: createRemovalLogic(parts),
    },
  })
}

type MediaLogicParts = {
  deps: RootDeps
  media: MediaDeps
  manifest: ToolManifest
  services: Services
  lookup: MediaLookup
}

/** Fills the ports of the tasks. Loaded when the first media tool is used. */
export function createMediaLogic({deps, media, manifest, services, lookup}: MediaLogicParts) {
  const clock = createServerClock(deps.timers.now)
  const fetch = observed(deps.fetch, clock)
  const slices = createToolSlices(deps)
  const {config, log} = deps
  const calls = {
    fetch,
    baseUrl: config.api,
    log,
    credentialToken: credentialTokens(manifest, lookup),
    language: lookup.language,
  }
  const api = createTasksApi(calls)
  // comes with the first request: who only looks at results does not load it
  const openGeneration = async () =>
    (await loadPart(() => import('#api/generation.ts'))).createGenerationApi({
      ...calls,
      callbackBase: config.callbackBase,
    })
  const parts: TaskPortDeps = {deps, media, manifest, api, clock, slices, lookup}
  const known = new WeakSet<object>()
  const once = <Actor extends object>(actor: Actor | undefined, connect: (actor: Actor) => void) => {
    if (actor === undefined || known.has(actor)) return
    known.add(actor)
    connect(actor)
  }

  let selection: ReturnType<typeof createSelectionLogic> | undefined
  /** Before several results of a tool are chosen. */
  const prepareSelection = async () => {
    const {createSelectionLogic} = await loadPart(() => import('./selection.logic.ts'))
    selection ??= createSelectionLogic({
      list: lookup.list,
      removal: createRemovalLogic(parts),
      fetch: deps.fetch,
      now: deps.timers.now,
      notices: lookup.notices,
      createId: deps.createUuid,
      log,
    })
  }

  const forms = createForms({slices, list: lookup.list, provisioning: lookup.provisioning})

  /** The form of a tool learns whether calls can be made. */
  const followSetUp = (tasks: TasksActor, tool: string, provisioning: ProvisioningActor) =>
    provisioning.subscribe((snapshot) => {
      const form = findActor<GenerationActor>(tasks.system, formId(tool))
      const setUp = setUpOf(snapshot)
      if (form !== undefined && form.getSnapshot().context.setUp !== setUp)
        form.send({type: 'provision.changed', setUp})
    })

  /** What another tab marks is marked here too. */
  const followFavourites = (tasks: TasksActor) => {
    const subscription = deps.state.changes$.subscribe(({state, epoch}) => {
      if (epoch !== deps.state.epoch()) return
      for (const {ref} of tasks.getSnapshot().context.tools) {
        const marks = readToolSlice(state, ref.tool)?.favourites
        const favourites = lookup.list(ref.tool)?.getSnapshot().children.favourites
        if (marks !== undefined) favourites?.send({type: 'favourites.merged', marks})
      }
    })
    const end = () => subscription.unsubscribe()
    tasks.subscribe({complete: end, error: end})
  }

  return {
    tasks: tasksMachine.provide({
      actors: {
        taskList: createTaskListLogic(parts, openGeneration),
        provisioning: createProvisioningLogic(deps, services),
        form: forms.logic,
        selection: lazyLogic(() => selection),
      },
      actions: {
        logCrash: (_, {actorId, error}) => deps.log('A part of the tools broke', {part: actorId, error: String(error)}),
      },
    }),
    clock,
    slices,
    forms,
    prepareSelection,
    manifest,
    followTasks: (tasks: TasksActor) =>
      once(tasks, () => {
        followFavourites(tasks)
        const look = () => {
          for (const {ref} of tasks.getSnapshot().context.tools) {
            once(findActor<TaskListActor>(tasks.system, taskListId(ref.tool)), (list) =>
              persistTasks(deps, slices, list),
            )
            once(findActor<ProvisioningActor>(tasks.system, toolProvisioningId(ref.tool)), (provisioning) => {
              persistToolSetUp(slices, ref.tool, provisioning)
              followSetUp(tasks, ref.tool, provisioning)
            })
          }
        }
        look()
        tasks.subscribe(look)
      }),
    clear: () => slices.clear(),
  }
}
export type MediaLogic = ReturnType<typeof createMediaLogic>
