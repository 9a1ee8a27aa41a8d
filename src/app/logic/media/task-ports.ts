import {concatMap, filter, from, map, type Observable} from 'rxjs'
import {fromEventObservable, fromPromise} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import {createHostFetch, type HostFetch} from '#api/credential-fetch.ts'
import type {TasksApi} from '#api/tasks.ts'
import type {MediaTool} from '#contract/media/media-tool.ts'
import type {Task} from '#contract/task.ts'
import {toFailure} from '#domain/failure.ts'
import {timesAround, type RequestTime} from '#domain/find-task.ts'
import {pollBackoff, pollRules} from '#domain/poll-rules.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import type {LeadershipInput, PeerReport, PollInput, PollOutput} from '#machines/task-poll/task-poll.types.ts'
import {isOver, mergeRecords} from '#machines/tasks/tasks.rules.ts'
import type {CachedTasks, NamedTasks, PageInput, TaskPage} from '#machines/task-list/task-list.types.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {hostCredential} from '../host-credential.ts'
import type {MediaDeps, RootDeps, ToolManifest} from '../root-deps.ts'
import type {MediaLookup} from './media-lookup.ts'
import type {ServerClock} from '../server-clock.ts'
import {toTaskRecord} from './task-records.ts'
import type {ToolSlices} from './tool-slices.ts'

/** Tasks of one page: three screens of a desktop, all of which is rendered (architecture §9: 1,500 elements). */
const pageSize = 30
const mostCached = 200
/** Missing tasks that one poll reads by their own ids. */
const mostLookups = 5

export type TaskPortDeps = {
  deps: RootDeps
  media: MediaDeps
  manifest: ToolManifest
  api: TasksApi
  clock: ServerClock
  slices: ToolSlices
  lookup: MediaLookup
}

/** `fetch` with the credential that a tool's set-up stands on, by the first segment of its paths. */
export const hostFetches =
  (fetch: typeof globalThis.fetch, {identities}: ToolManifest, lookup: MediaLookup) =>
  (service: string): HostFetch => {
    const tool = identities.find((identity) => identity.service === service)?.id
    return createHostFetch(
      fetch,
      hostCredential(() => (tool === undefined ? undefined : lookup.provisioning(tool))),
    )
  }

/** Rules of a tool that has a list; one that no build knows has none. */
export async function rulesOf({loadTool}: ToolManifest, tool: string): Promise<MediaTool> {
  const loadedTool = await loadTool(tool)
  if (loadedTool === undefined) throw new Error(`There is no tool "${tool}"`)
  return loadedTool.tool
}

const isUnknown = (error: unknown) => toFailure(error).status === 404

/**
 * Seconds since the creation of the youngest running task. If no answer has the server's time, this browser's clock may
 * be a day off: the age is then at most the time since this tab first heard of the task.
 */
function ageOfYoungest(clock: ServerClock) {
  let firstSeen = new Map<string, number>()
  return (running: readonly Task[]): number => {
    const now = clock.now()
    firstSeen = new Map(running.map(({id}) => [id, firstSeen.get(id) ?? now]))
    const ages = running.map(({id, created_at, finished_at}) => {
      // an ended task hardly changes: it is polled at the slowest pace
      if (finished_at != null) return Infinity
      return clock.isKnown() ? now - created_at : Math.min(now - created_at, now - (firstSeen.get(id) ?? now))
    })
    return ages.length === 0 ? 0 : Math.max(0, Math.min(...ages))
  }
}

/**
 * The port that asks for running tasks: by their ids, then for each one the answer left out by its own. A question goes
 * out once: the chart of the poller decides when the next one does.
 */
function pollTasks(parts: TaskPortDeps) {
  const ageOf = ageOfYoungest(parts.clock)
  return fromPromise<PollOutput, PollInput>(async ({input: {ref, ids}, signal}) => {
    const {records, missing} = await retrieveNamed(parts, {ref, ids}, {signal, once: true})
    const askedIds = new Set(ids)
    const running = records.filter((record) => askedIds.has(record.task.id) && !isOver(record))
    return {records, missing, age: ageOf(running.map(({task}) => task))}
  })
}

const nameOfLeader = (userId: string, tool: string) => `atrium.tasks.${userId}.${tool}`

/** Fills the poller of a service: the queue of tabs, the question, word to the others. */
export function createTaskPollLogic(parts: TaskPortDeps) {
  const {deps, media} = parts
  return taskPollMachine.provide({
    actors: {
      pollTasks: pollTasks(parts),
      leadership: fromEventObservable(({input}: {input: LeadershipInput}) =>
        deps.leadership(nameOfLeader(input.userId, input.ref.tool), {isClaiming: input.isClaiming}),
      ),
    },
    delays: {pollBackoff: ({context}) => Math.max(context.leastRest, pollBackoff(context.failures, media.random()))},
    actions: {
      sendToPeers: (_, {ref, userId, report}) => {
        const {records, ...facts} = report
        try {
          media.channel.tell({userId, tool: ref.tool, tasks: records.map(({task}) => task), ...facts})
        } catch (error) {
          deps.log('The other tabs were not told of tasks', {error: String(error)})
        }
      },
    },
  })
}

/** Fills the port that hears from other tabs of this user about one tool, whose rules read their reports. */
export function peersPort({manifest, media}: TaskPortDeps) {
  type PeerEvent = {type: 'peer.polled'} & PeerReport
  return fromEventObservable(({input}: {input: {ref: ToolRef; userId: string}}): Observable<PeerEvent> =>
    media.channel.reports$.pipe(
      filter(({userId, tool}) => userId === input.userId && tool === input.ref.tool),
      concatMap((report) => from(rulesOf(manifest, input.ref.tool)).pipe(map((rules) => ({rules, report})))),
      map(({rules, report: {tasks, userId: _, tool: __, ...facts}}): PeerEvent => ({
        type: 'peer.polled',
        records: tasks.map((task) => toTaskRecord(rules, task)),
        ...facts,
      })),
    ),
  )
}

/** One page of the server's list, the newest or one before a time. */
export const retrieveTasksPort = ({manifest, api}: TaskPortDeps) =>
  fromPromise<TaskPage, PageInput>(async ({input: {ref, userId, createdAtMin, createdAtMax}, signal}) => {
    const rules = await rulesOf(manifest, ref.tool)
    const query = {service: ref.service, userId, type: rules.taskType, createdAtMin, createdAtMax, limit: pageSize}
    const {items, count} = await api.retrieveBatch(query, {signal})
    return {records: items.map((task) => toTaskRecord(rules, task)), total: count}
  })

/** Reads tasks by their ids; each one that the answers leave out is read alone, a bounded number at a time. */
async function retrieveNamed(
  {manifest, api}: TaskPortDeps,
  {ref, ids}: {ref: ToolRef; ids: readonly string[]},
  asking: Parameters<TasksApi['retrieveBatch']>[1],
): Promise<NamedTasks> {
  const rules = await rulesOf(manifest, ref.tool)
  const tasks: Task[] = []
  for (let start = 0; start < ids.length; start += pollRules.most) {
    const part = ids.slice(start, start + pollRules.most)
    const {items} = await api.retrieveBatch({service: ref.service, ids: part, limit: part.length}, asking)
    tasks.push(...items)
  }
  const answeredIds = new Set(tasks.map(({id}) => id))
  const unansweredIds = ids.filter((id) => !answeredIds.has(id)).slice(0, mostLookups)
  const missing: string[] = []
  for (const id of unansweredIds) {
    const task = await api.retrieve({service: ref.service, id}, asking).catch((error: unknown) => {
      if (isUnknown(error)) return undefined
      throw error
    })
    if (task?.id === id) tasks.push(task)
    else missing.push(id)
  }
  // a server that ignores the filter sends more than was asked for; all of it is true
  return {records: tasks.map((task) => toTaskRecord(rules, task)), missing}
}

/** Tasks that a user marked, wherever in the server's list they are. */
export const retrieveNamedPort = (parts: TaskPortDeps) =>
  fromPromise<NamedTasks, {ref: ToolRef; ids: string[]}>(({input, signal}) => retrieveNamed(parts, input, {signal}))

/** One task by its id. */
export const retrieveTaskPort = ({manifest, api}: TaskPortDeps) =>
  fromPromise<TaskRecord, {ref: ToolRef; id: string}>(async ({input: {ref, id}, signal}) => {
    const rules = await rulesOf(manifest, ref.tool)
    const task = await api.retrieve({service: ref.service, id}, {signal})
    if (task?.id !== id) throw new ApiError({status: 404, code: 'not_found', detail: 'Another task came.'})
    return toTaskRecord(rules, task)
  })

/** The tasks that were made when a request was meant. */
export async function retrieveAround(
  {manifest, api}: TaskPortDeps,
  {ref, userId, time}: {ref: ToolRef; userId: string; time: RequestTime},
  signal: AbortSignal,
): Promise<TaskRecord[]> {
  const rules = await rulesOf(manifest, ref.tool)
  const times = timesAround(time)
  const {items} = await api.retrieveBatch(
    {
      service: ref.service,
      userId,
      type: rules.taskType,
      createdAtMin: times.from,
      createdAtMax: times.to,
      limit: pageSize,
    },
    {signal},
  )
  return items.map((task) => toTaskRecord(rules, task))
}

/** Tasks from both stores, and the requests that were on their way. */
export const readCachedPort = ({deps, manifest, slices, clock}: TaskPortDeps) =>
  fromPromise<CachedTasks, {ref: ToolRef; userId: string}>(async ({input: {ref, userId}}) => {
    const [rules, storedTasks, intents] = await Promise.all([
      rulesOf(manifest, ref.tool),
      deps.bulk.tasks(userId, ref.tool, mostCached),
      deps.bulk.intents(userId),
    ])
    const {tasks: slice, favourites} = slices.read(ref.tool)
    const read = (tasks: readonly Task[]): TaskRecord[] => tasks.map((task) => toTaskRecord(rules, task))
    return {
      records: mergeRecords(mergeRecords([], read(storedTasks)), read(slice?.items ?? [])),
      total: slice?.total ?? 0,
      active: slice?.active,
      ...(favourites === undefined ? {} : {favourites}),
      intents: intents.filter(({tool}) => tool === ref.tool),
      now: clock.now(),
    }
  })

/** Deletions that the last page sent as it was left. */
export const readDeletionsPort = ({slices}: TaskPortDeps) =>
  fromPromise<string[], {ref: ToolRef}>(async ({input: {ref}}) => slices.readDeletions(ref.tool))

export const createRemovalLogic = ({api}: TaskPortDeps) =>
  removalMachine.provide({
    actors: {
      // the list names a task by its service and its id
      remove: fromPromise<void, {id: string}>(({input, signal}) => {
        const slash = input.id.indexOf('/')
        return api.remove({service: input.id.slice(0, slash), id: input.id.slice(slash + 1)}, signal)
      }),
    },
  })
