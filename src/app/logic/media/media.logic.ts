import {fromPromise} from 'xstate'
import type {GenerationApi} from '#api/generation.ts'
import {createTasksApi} from '#api/tasks.ts'
import {readToolSlice} from '#domain/persisted-state.ts'
import {taskDaysMachine} from '#machines/task-days/task-days.machine.ts'
import {taskFavouritesMachine} from '#machines/task-favourites/task-favourites.machine.ts'
import {taskLookupMachine} from '#machines/task-lookup/task-lookup.machine.ts'
import {taskPagesMachine} from '#machines/task-pages/task-pages.machine.ts'
import {taskRequestsMachine} from '#machines/task-requests/task-requests.machine.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'
import {tasksMachine, type ToolLogic} from '#machines/tasks/tasks.machine.ts'
import {createToolMachine} from '#machines/tool/tool.machine.ts'
import type {ToolEvent, ToolOwner} from '#machines/tool/tool.types.ts'
import {loadPart} from '#ui/load-part.ts'
import {createProvisioningLogic} from '../provisioning.logic.ts'
import type {MediaDeps, RootDeps, ToolManifest} from '../root-deps.ts'
import type {Services} from '../services.ts'
import {createHeldFiles} from '../../media/held-files.ts'
import {provisionOf} from '../stored-session.ts'
import {chosenLogic, lazyLogic} from '../chosen-logic.ts'
import {createForms} from './forms.logic.ts'
import {createTasksFollower} from './follow-tasks.ts'
import type {createSelectionLogic} from './selection.logic.ts'
import type {MediaLookup} from './media-lookup.ts'
import {createServerClock, observed} from '../server-clock.ts'
import {createSubmissionLogic} from './submission.logic.ts'
import {
  createRemovalLogic,
  createTaskPollLogic,
  hostFetches,
  peersPort,
  readCachedPort,
  readDeletionsPort,
  retrieveNamedPort,
  retrieveTaskPort,
  retrieveTasksPort,
  type TaskPortDeps,
} from './task-ports.ts'
import {noticesOfTasks} from './task-notices.ts'
import {createToolSlices} from './tool-slices.ts'

function createTaskListLogic(parts: TaskPortDeps, openGeneration: () => Promise<GenerationApi>) {
  return taskListMachine.provide({
    actors: {
      readCached: readCachedPort(parts),
      readDeletions: readDeletionsPort(parts),
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

/** The chart of the selection: its code is loaded with the first selection, and made once. */
function createLazySelection(parts: TaskPortDeps) {
  const {deps, lookup} = parts
  let selection: ReturnType<typeof createSelectionLogic> | undefined
  return {
    get: () => selection,
    load: async () => {
      const {createSelectionLogic} = await loadPart(() => import('./selection.logic.ts'))
      selection ??= createSelectionLogic({
        list: lookup.list,
        removal: createRemovalLogic(parts),
        fetch: deps.fetch,
        now: deps.timers.now,
        notices: lookup.notices,
        createId: deps.createUuid,
        log: deps.log,
        slices: parts.slices,
      })
    },
  }
}

type ToolChildren = {
  list: ReturnType<typeof createTaskListLogic>
  provisioning: ReturnType<typeof createProvisioningLogic>
  forms: ReturnType<typeof createForms>
}

/** The chart of each media tool, by its name. */
function createToolLogic(parts: TaskPortDeps, {list, provisioning, forms}: ToolChildren): ToolLogic {
  const {deps, manifest} = parts
  const selection = createLazySelection(parts)
  const machineOf = (tool: string) =>
    createToolMachine(tool).provide({
      actors: {
        list,
        provisioning,
        loadForm: fromPromise<void, {tool: string}>(({input}) => forms.load(input.tool)),
        form: forms.logic,
        loadSelection: fromPromise<void, undefined>(selection.load),
        selection: lazyLogic(selection.get),
      },
      actions: {
        logCrash: (_, {child, error}) => deps.log('A part of a tool broke', {tool, child, error: String(error)}),
      },
    })
  return chosenLogic<ReturnType<typeof machineOf>, ToolEvent, ToolOwner & {tool: string}>(({tool, ...owner}) => {
    const identity = manifest.identities.find(({id}) => id === tool)
    if (identity === undefined) throw new Error(`There is no tool "${tool}"`)
    const {service, serviceId} = identity
    const provision = provisionOf(readToolSlice(deps.state.read(), tool))
    return {machine: machineOf(tool), input: {...owner, ref: {tool, service, serviceId}, provision}}
  })
}

/** Uploads a file and resolves with the address that the server gave it. */
function uploadFile(api: Awaited<ReturnType<Services['files']>>, file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    api.upload$(file).subscribe({
      next: (event) => {
        if (event.type === 'upload.finished') resolve(event.file.file_url)
      },
      error: reject,
      complete: () => reject(new Error('The upload ended without an address')),
    })
  })
}

/** Fills the ports of the tasks. Loaded when the first media tool is used. */
export function createMediaLogic({deps, media, manifest, services, lookup}: MediaLogicParts) {
  const clock = createServerClock(deps.timers.now)
  const slices = createToolSlices(deps)
  const {config, log} = deps
  const calls = {
    fetchFor: hostFetches(observed(deps.fetch, clock), manifest, lookup),
    baseUrl: config.api,
    log,
    headers: () => ({'accept-language': lookup.language()}),
  }
  const api = createTasksApi(calls)
  // loaded with the first request: a user who only looks at results does not need it
  const openGeneration = async () =>
    (await loadPart(() => import('#api/generation.ts'))).createGenerationApi({
      ...calls,
      callbackBase: config.callbackBase,
    })
  const parts: TaskPortDeps = {deps, media, manifest, api, clock, slices, lookup}
  const files = createHeldFiles(deps.createUuid)
  const forms = createForms({manifest, slices, list: lookup.list})
  const tool = createToolLogic(parts, {
    list: createTaskListLogic(parts, openGeneration),
    provisioning: createProvisioningLogic(deps, services),
    forms,
  })

  return {
    tasks: tasksMachine.provide({actors: {tool}}),
    clock,
    noticeOf: noticesOfTasks(deps),
    /** Undefined until the screen of the tool was opened. */
    loadedTool: forms.get,
    manifest,
    files,
    /** Before the first file is added to a form. Rejects when the chart of an upload cannot be loaded. */
    async prepareUploads(): Promise<void> {
      const {createUploadLogic} = await loadPart(() => import('./upload.logic.ts'))
      forms.setUploads(createUploadLogic(services.files, files.get))
    },
    /** Resolves with the address that the server gave the file. */
    storeFile: async (file: File): Promise<string> => uploadFile(await services.files(), file),
    followTasks: createTasksFollower({deps, slices, lookup}),
    clear: () => {
      slices.clear()
      files.clear()
    },
  }
}
export type MediaLogic = ReturnType<typeof createMediaLogic>
