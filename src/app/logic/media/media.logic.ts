import type {GenerationApi} from '#api/generation.ts'
import {createTasksApi} from '#api/tasks.ts'
import {readToolSlice} from '#domain/persisted-state.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {taskListMachine, type TaskListActor} from '#machines/tasks/task-list.machine.ts'
import {tasksMachine, type TasksActor} from '#machines/tasks/tasks.machine.ts'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import {formId, taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import {loadPart} from '#ui/load-part.ts'
import type {NoticesActor} from '#machines/notices/notices.machine.ts'
import {late} from '../late.ts'
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

/** Actors that exist only while somebody is signed in. */
export type MediaLookup = {
  environment: () => EnvironmentActor | undefined
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
      retrieveTasks: retrieveTasksPort(parts),
      retrieveTask: retrieveTaskPort(parts),
      retrieveNamed: retrieveNamedPort(parts),
      peers: peersPort(parts),
      taskPoll: createTaskPollLogic(parts),
      submission: createSubmissionLogic(parts, openGeneration),
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

  /** Network and visibility, until the tasks end with their session. */
  const followPage = (tasks: TasksActor) => {
    const subscription = lookup.environment()?.on('*', (change) => tasks.send(change))
    const end = () => subscription?.unsubscribe()
    tasks.subscribe({complete: end, error: end})
  }

  /** What another tab marks is marked here too. */
  const followFavourites = (tasks: TasksActor) => {
    const subscription = deps.state.changes$.subscribe(({state, epoch}) => {
      if (epoch !== deps.state.epoch()) return
      for (const {ref} of tasks.getSnapshot().context.tools) {
        const marks = readToolSlice(state, ref.tool)?.favourites
        if (marks !== undefined) lookup.list(ref.tool)?.send({type: 'favourites.merged', marks})
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
        selection: late(() => selection),
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
        followPage(tasks)
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
