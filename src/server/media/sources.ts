import {and, eq, inArray} from 'drizzle-orm'
import type {Artifact, MediaPlan, MediaTool} from '#contract/media/media-tool.ts'
import type {Config} from '../config.ts'
import type {ServerDeps} from '../deps.ts'
import {findStoredFile, type OwnFile} from '../files/stored-files.ts'
import {badRequest, HttpFailure} from '../http/failure.ts'
import {isLoopbackHost} from '../http/origins.ts'
import {filesPath, parseFileAddress, platformBase} from '../platform/addresses.ts'
import type {MediaProvider} from '../providers/media-provider.ts'
import type {StoredFile} from '../providers/provider.ts'
import {isOpen} from '../runs/run-store.ts'
import type {Transaction} from '../store/database.ts'
import {files} from '../store/schema/files.ts'
import {taskArtifacts, tasks} from '../store/schema/media.ts'
import {findArtifact} from './artifacts.ts'
import {addressesIn, fileMark, mapTexts, withAddresses} from './file-marks.ts'
import {plannedTask} from './planned-task.ts'
import {taskRuns, type TaskRow} from './task-store.ts'

type Body = Record<string, unknown>

/** Files and results that a request names, checked to be the user's own. */
export type Sources = {
  /** The marks of the own files whose addresses stand anywhere in the body. */
  marks: ReadonlyMap<string, string>
  files: () => Promise<readonly StoredFile[]>
  publicAddress: (address: string) => string | undefined
}

/**
 * Looks up the sources of a request (security R22, R27): files of our own store by their addresses, an earlier result
 * by its id. A provider whose files are read here takes the user's own ones only, since nothing is fetched; one that is
 * handed addresses takes any, but must be able to reach ours.
 *
 * @throws HttpFailure 400 that names the field
 */
export async function resolveSources(
  deps: ServerDeps,
  {userId, tool}: {userId: string; tool: MediaTool},
  provider: Pick<MediaProvider, 'name' | 'sources'>,
  body: Body,
  plan: MediaPlan,
): Promise<Sources> {
  const own = await ownFiles(deps, userId, body)
  const addresses = await fetchableAddresses(deps, userId, own)
  for (const address of plan.sources) {
    const field = fieldOf(body, address)
    if (provider.sources === 'read' && !own.has(address))
      throw badRequest('sourceElsewhere', field, {field: field ?? 'file'})
    if (own.has(address) && provider.sources === 'passed on' && !addresses.has(address))
      throw badRequest('sourceUnreachable', field, {provider: provider.name})
  }
  const result = await resultFile(deps, {userId, tool}, body, plan)
  return {
    marks: new Map([...own].map(([address, {id, name}]) => [address, fileMark({id, name})])),
    publicAddress: (address) => addresses.get(address),
    files: async () => {
      const storedFiles: StoredFile[] = []
      for (const address of plan.sources) {
        const file = own.get(address)
        if (file !== undefined) storedFiles.push(file)
      }
      if (result !== undefined) storedFiles.push(result)
      return plan.joins ? [...storedFiles, ...(await earlierFiles(deps, {userId, tool}, plan.sourceId))] : storedFiles
    },
  }
}

type Own = ReadonlyMap<string, OwnFile>

async function ownFiles(deps: ServerDeps, userId: string, body: Body): Promise<Own> {
  const sourceNames = new Set<string>()
  mapTexts(body, (text) => {
    for (const address of addressesIn(text)) if (parseFileAddress(address)) sourceNames.add(address)
    return text
  })
  const own = new Map<string, OwnFile>()
  for (const address of sourceNames) {
    const file = await findStoredFile(deps, userId, address)
    if (file !== undefined) own.set(address, file)
  }
  return own
}

/** The file of the result that `plan.sourceId` names; a text or an upload upstream has none. */
async function resultFile(
  deps: ServerDeps,
  {userId, tool}: {userId: string; tool: MediaTool},
  body: Body,
  plan: MediaPlan,
): Promise<StoredFile | undefined> {
  const {sourceId, sourceIndex} = plan
  if (sourceId === undefined) return undefined
  const {service} = tool.identity
  const result = await deps.database.asUser(userId, async (transaction) => {
    const artifact = await findArtifact(transaction, {userId, service, handle: sourceId})
    if (artifact === undefined)
      return (await isStillMade(transaction, {userId, tool}, sourceId)) ? 'unfinished' : undefined
    const [task] = await transaction.select().from(tasks).where(eq(tasks.id, artifact.taskId))
    if (artifact.fileId === null) return {task, file: undefined}
    const [file] = await transaction.select().from(files).where(eq(files.id, artifact.fileId))
    return {task, file}
  })
  const field = fieldOf(body, sourceId)
  if (result === 'unfinished') throw badRequest('resultUnfinished', field, {field: field ?? 'id'})
  if (result === undefined) throw badRequest('resultUnknown', field, {field: field ?? 'id'})
  if (plan.joins && (result.task === undefined || continuedBy(deps, tool, result.task) === undefined))
    throw badRequest('actionJoins', 'action')
  requireOffered(plan, result.task)
  if (sourceIndex !== undefined) {
    const {url} = resultAt(deps, {tool, task: result.task, field}, {sourceId, sourceIndex})
    return url === undefined ? undefined : findStoredFile(deps, userId, url)
  }
  return result.file && findStoredFile(deps, userId, `${filesPath}${fileMark(result.file).replace(/^[^:]*:/, '')}`)
}

/** The newest steps of a long chain of continuations are enough. */
const mostEarlier = 20

/** The chain of results that a result continues, nearest first: each was named by the request of the one before it. */
async function earlierFiles(
  deps: ServerDeps,
  owner: {userId: string; tool: MediaTool},
  last: string | undefined,
): Promise<StoredFile[]> {
  const earlier: StoredFile[] = []
  for (let id = last; id !== undefined && earlier.length < mostEarlier;) {
    const handle = id
    const task = await deps.database.asUser(owner.userId, async (transaction) => {
      const service = owner.tool.identity.service
      const artifact = await findArtifact(transaction, {userId: owner.userId, service, handle})
      if (artifact === undefined) return undefined
      return (await transaction.select().from(tasks).where(eq(tasks.id, artifact.taskId)))[0]
    })
    const before = task && continuedBy(deps, owner.tool, task)
    const file = before && (await resultFile(deps, owner, {}, before).catch(unlessRefused))
    if (file === undefined) break
    earlier.push(file)
    id = before?.sourceId
  }
  return earlier
}

/** A result that was deleted since counts as missing; any other failure is thrown. */
function unlessRefused(error: unknown): undefined {
  if (!(error instanceof HttpFailure)) throw error
}

/** The request of a task that continued a result. */
function continuedBy({config}: ServerDeps, tool: MediaTool, task: TaskRow): MediaPlan | undefined {
  const plan = plannedTask([tool], task, platformBase(config, undefined))?.plan
  return plan?.action === 'extend' || plan?.action === 'upload_extend' ? plan : undefined
}

/** Whether a running task of the user has already shown the result, which is stored only at its end. */
async function isStillMade(
  transaction: Transaction,
  {userId, tool}: {userId: string; tool: MediaTool},
  sourceId: string,
): Promise<boolean> {
  const rows = await transaction
    .select({response: tasks.response})
    .from(tasks)
    .where(and(eq(tasks.userId, userId), eq(tasks.service, tool.identity.service), isOpen(taskRuns)))
  let isShown = false
  for (const {response} of rows)
    mapTexts(response ?? {}, (text) => {
      isShown ||= text === sourceId
      return text
    })
  return isShown
}

/** A task's answer may list what can be done with its result. */
function requireOffered({action}: MediaPlan, task: TaskRow | undefined): void {
  const actions: unknown = task?.response?.['actions']
  // to make something new is no action on a result, even with a result to begin with
  if (!Array.isArray(actions) || action === undefined || action === 'generate' || actions.includes(action)) return
  if (actions.length === 0) throw badRequest('actionNone', 'action')
  throw badRequest('actionOffered', 'action', {actions: actions.join(', ')})
}

/** The result at that position among those of a task's answer under one id; the id's field goes with it. */
function resultAt(
  {config}: ServerDeps,
  {tool, task, field}: {tool: MediaTool; task: TaskRow | undefined; field: string | undefined},
  {sourceId, sourceIndex}: {sourceId: string; sourceIndex: number},
): Artifact {
  const answer = withAddresses(task?.response ?? {}, platformBase(config, undefined))
  const results = tool.read(answer, task?.request ?? {}).artifacts.filter(({id}) => id === sourceId)
  const result = results[sourceIndex]
  if (result !== undefined) return result
  const name = field?.replace(/id$/, 'index')
  throw badRequest('resultPlace', name, {field: name ?? 'index', count: results.length, id: field ?? 'id'})
}

/** Key of the body under which an address or an id stands, for the refusal. */
export function fieldOf(body: Body, text: string): string | undefined {
  const stands = (value: unknown) => typeof value === 'string' && (value === text || addressesIn(value).includes(text))
  return Object.entries(body).find(([, value]) => (Array.isArray(value) ? value.some(stands) : stands(value)))?.[0]
}

/** How a provider reaches our files: where it had made them itself, else at a public address of this installation. */
async function fetchableAddresses(deps: ServerDeps, userId: string, own: Own): Promise<ReadonlyMap<string, string>> {
  if (own.size === 0) return new Map()
  const ids = [...own.values()].map(({id}) => id)
  const rows = await deps.database.asUser(userId, (transaction) =>
    transaction
      .select({fileId: taskArtifacts.fileId, sourceUrl: taskArtifacts.sourceUrl})
      .from(taskArtifacts)
      .where(and(eq(taskArtifacts.userId, userId), inArray(taskArtifacts.fileId, ids))),
  )
  const sourceUrls = new Map(
    rows.flatMap(({fileId, sourceUrl}) => (sourceUrl === null ? [] : [[fileId, sourceUrl] as const])),
  )
  const base = publicBase(deps.config)
  return new Map(
    [...own].flatMap(([address, {id, name}]) => {
      const here = base && `${base}${filesPath}${id}/${encodeURIComponent(name)}`
      const reachable = here ?? sourceUrls.get(id)
      return reachable === undefined ? [] : [[address, reachable] as const]
    }),
  )
}

/** Base of the platform service as the internet sees it, if it does. */
function publicBase(config: Config): string | undefined {
  const isPublic = (origin: string) => origin.startsWith('https://') && !isLoopbackHost(new URL(origin).hostname)
  const base = platformBase(config, config.publicOrigins.find(isPublic))
  return isPublic(base) ? base : undefined
}
