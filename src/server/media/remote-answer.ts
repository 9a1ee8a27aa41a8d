import type {Artifact, MediaTool, Medium} from '#contract/media/media-tool.ts'
import {isRecord} from '#contract/is-record.ts'
import {describeError} from '../http/boundary.ts'
import type {ProviderFailure} from '../providers/provider.ts'
import {requireRun, RunLost} from '../runs/run-store.ts'
import {taskArtifacts} from '../store/schema/media.ts'
import {keepContent, lossOf, type ArtifactParts, type ArtifactSource} from './artifacts.ts'
import {mapTexts, withTexts} from './file-marks.ts'
import {taskRuns} from './task-store.ts'

type Answer = Record<string, unknown>
type Remote = {address: string; medium: Exclude<Medium, 'text'>; handle: string; isMain: boolean}

const isRemote = (text: string) => /^https?:\/\//i.test(text)
/** Keys under which answers carry addresses; a prompt that begins with one is no address. */
const isAddressKey = (key: string) => /(^|_)(urls?|frame)$/i.test(key)

/**
 * A provider's own answer with each of its files copied into our store (issue 3.7): a result that is lost is left out
 * as long as another one came, what goes with them (thumbnails, larger versions) in any case. No address of another
 * server stays. Ids of results become handles, so that other requests of this user may name them.
 */
export async function keepAnswer(
  parts: ArtifactParts,
  source: ArtifactSource,
  {tool, response, request}: {tool: MediaTool; response: Answer; request: Answer},
): Promise<Answer> {
  const {artifacts} = tool.read(response, request)
  const givenAddresses = new Set<string>()
  mapTexts(request, (text) => {
    givenAddresses.add(text)
    return text
  })
  const isOthers = ({address}: Remote) => !givenAddresses.has(address)
  const marks = new Map<string, string>()
  const losses = new Map<string, ProviderFailure>()
  for (const remote of mainFiles(artifacts).filter(isOthers)) {
    if (marks.has(remote.address) || losses.has(remote.address)) continue
    try {
      marks.set(remote.address, await copyRemote(parts, source, remote))
    } catch (error) {
      losses.set(remote.address, lossOf(parts, source, remote.medium, error))
    }
  }
  const [loss] = losses.values()
  if (marks.size === 0 && loss !== undefined) throw loss

  const remaining = withoutItems(response, losses)
  const leftArtifacts = artifacts.filter(({url}) => url === undefined || !losses.has(url))
  const triedKeys = new Set([...marks.keys(), ...losses.keys()])
  for (const remote of [...filesBeside(leftArtifacts), ...sideFiles(remaining)].filter(isOthers)) {
    if (triedKeys.has(remote.address)) continue
    triedKeys.add(remote.address)
    const mark = await keepBeside(parts, source, remote)
    if (mark !== undefined) marks.set(remote.address, mark)
  }
  await keepHandles(
    parts,
    leftArtifacts.filter(({url}) => url === undefined || !marks.has(url)),
  )
  const keptAnswer = withTexts(remaining, (text, key) => {
    const mark = marks.get(text)
    if (mark !== undefined || givenAddresses.has(text)) return mark ?? text
    return isRemote(text) && isAddressKey(key) ? undefined : text
  })
  return withoutCommon(keptAnswer)
}

/** `answer` without the items of its lists that tell of a lost result. */
function withoutItems(answer: Answer, losses: ReadonlyMap<string, unknown>): Answer {
  const isLost = (item: unknown) =>
    isRecord(item) && Object.values(item).some((value) => typeof value === 'string' && losses.has(value))
  const reduce = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.filter((item) => !isLost(item)).map(reduce)
    return isRecord(value) ? reduceRecord(value) : value
  }
  const reduceRecord = (record: Answer): Answer =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, reduce(value)]))
  return reduceRecord(answer)
}

const mainFiles = (artifacts: readonly Artifact[]): Remote[] =>
  artifacts.flatMap(({medium, url, id = ''}) =>
    url === undefined || medium === 'text' ? [] : [{address: url, medium, handle: id, isMain: true}],
  )

function filesBeside(artifacts: readonly Artifact[]): Remote[] {
  return artifacts.flatMap(({previewUrl, videoUrl}) => {
    const remotes: Remote[] = []
    if (videoUrl !== undefined) remotes.push({address: videoUrl, medium: 'video', handle: '', isMain: false})
    if (previewUrl !== undefined) remotes.push({address: previewUrl, medium: 'image', handle: '', isMain: false})
    return remotes
  })
}

function sideFiles(response: Answer): Remote[] {
  const remotes: Remote[] = []
  mapTexts(response, (address, key) => {
    const medium = mediumOfKey(key)
    if (isRemote(address) && isAddressKey(key) && medium !== undefined)
      remotes.push({address, medium, handle: '', isMain: false})
    return address
  })
  return remotes
}

function mediumOfKey(key: string): Remote['medium'] | undefined {
  if (/image|thumbnail|frame|cover|poster|avatar/i.test(key)) return 'image'
  if (/video/i.test(key)) return 'video'
  return /audio/i.test(key) ? 'audio' : undefined
}

async function copyRemote(
  parts: ArtifactParts,
  source: ArtifactSource,
  {address, medium, handle, isMain}: Remote,
): Promise<string> {
  const {task} = parts
  const {mark} = await keepContent(
    parts,
    source,
    {medium, name: nameOf(address, `${task.service}-${medium}`), content: {address}, isMain},
    (transaction, fileId) =>
      transaction.insert(taskArtifacts).values({
        userId: task.userId,
        taskId: task.id,
        service: task.service,
        handle,
        medium,
        fileId,
        sourceUrl: address,
      }),
  )
  return mark
}

async function keepBeside(parts: ArtifactParts, source: ArtifactSource, remote: Remote): Promise<string | undefined> {
  try {
    return await copyRemote(parts, source, remote)
  } catch (error) {
    const {deps, task, signal} = parts
    if (signal.aborted || error instanceof RunLost) throw error
    deps.log.warn('a file beside a result could not be copied', {
      task: task.id,
      medium: remote.medium,
      ...describeError(error),
    })
    return undefined
  }
}

function nameOf(address: string, fallback: string): string {
  const last = URL.canParse(address) ? new URL(address).pathname.split('/').at(-1) : undefined
  return last === undefined || !/^[\w.-]{1,80}$/.test(last) ? fallback : last
}

/** Results without a file, such as an uploaded song: only their ids count. */
async function keepHandles({deps, task}: ArtifactParts, artifacts: readonly Artifact[]): Promise<void> {
  const rows = artifacts.flatMap(({id, medium}) =>
    id === undefined ? [] : [{userId: task.userId, taskId: task.id, service: task.service, handle: id, medium}],
  )
  if (rows.length === 0) return
  await deps.database.asUser(task.userId, async (transaction) => {
    await requireRun(transaction, taskRuns, task)
    await transaction.insert(taskArtifacts).values(rows)
  })
}

/** The answer without the fields that every answer has: we say the task, the trace, and how it ended. */
function withoutCommon({
  success: _success,
  task_id: _task,
  trace_id: _trace,
  error: _error,
  ...answer
}: Answer): Answer {
  return answer
}

/** The visible part of an answer in the making: no address, since those vanish when it is done (upstream §1). */
export const unfinished = (response: Answer): Answer =>
  withoutCommon(withTexts(response, (text) => (isRemote(text) ? undefined : text)))
