import type {Artifact, MediaTool, Medium} from '#contract/media/media-tool.ts'
import {describeError} from '../http/boundary.ts'
import {taskArtifacts} from '../store/schema/media.ts'
import {keepContent, type ArtifactParts, type ArtifactSource} from './artifacts.ts'
import {mapTexts, withTexts} from './file-marks.ts'

type Answer = Record<string, unknown>
type Remote = {address: string; medium: Exclude<Medium, 'text'>; handle: string; isMain: boolean}

const isRemote = (text: string) => /^https?:\/\//i.test(text)
/** Keys under which answers carry addresses; a prompt that begins with one is no address. */
const isAddressKey = (key: string) => /(^|_)(urls?|frame)$/i.test(key)

/**
 * A provider's own answer with each of its files copied into our store (issue 3.7): the results themselves must all be
 * there, what goes with them (thumbnails, larger versions) is left out when it cannot be fetched. No address of another
 * server stays. Ids of results become handles, so that other requests of this person may name them.
 */
export async function keepAnswer(
  parts: ArtifactParts,
  source: ArtifactSource,
  {tool, response, request}: {tool: MediaTool; response: Answer; request: Answer},
): Promise<Answer> {
  const {artifacts} = tool.read(response, request)
  const given = new Set<string>()
  mapTexts(request, (text) => {
    given.add(text)
    return text
  })
  const remotes = [...mainFiles(artifacts), ...sideFiles(response)].filter(({address}) => !given.has(address))
  const marks = new Map<string, string>()
  const tried = new Set<string>()
  for (const remote of remotes) {
    if (tried.has(remote.address)) continue
    tried.add(remote.address)
    const mark = await keepRemote(parts, source, remote)
    if (mark !== undefined) marks.set(remote.address, mark)
  }
  await keepHandles(
    parts,
    artifacts.filter(({url}) => url === undefined || !marks.has(url)),
  )
  const kept = withTexts(response, (text, key) => {
    const mark = marks.get(text)
    if (mark !== undefined || given.has(text)) return mark ?? text
    return isRemote(text) && isAddressKey(key) ? undefined : text
  })
  return withoutCommon(kept)
}

function mainFiles(artifacts: readonly Artifact[]): Remote[] {
  return artifacts.flatMap(({medium, url, previewUrl, videoUrl, id = ''}) => {
    const found: Remote[] = []
    if (url !== undefined && medium !== 'text') found.push({address: url, medium, handle: id, isMain: true})
    if (videoUrl !== undefined) found.push({address: videoUrl, medium: 'video', handle: '', isMain: false})
    if (previewUrl !== undefined) found.push({address: previewUrl, medium: 'image', handle: '', isMain: false})
    return found
  })
}

function sideFiles(response: Answer): Remote[] {
  const found: Remote[] = []
  mapTexts(response, (address, key) => {
    const medium = mediumOfKey(key)
    if (isRemote(address) && isAddressKey(key) && medium !== undefined)
      found.push({address, medium, handle: '', isMain: false})
    return address
  })
  return found
}

function mediumOfKey(key: string): Remote['medium'] | undefined {
  if (/image|thumbnail|frame|cover|poster|avatar/i.test(key)) return 'image'
  if (/video/i.test(key)) return 'video'
  return /audio/i.test(key) ? 'audio' : undefined
}

async function keepRemote(
  parts: ArtifactParts,
  source: ArtifactSource,
  {address, medium, handle, isMain}: Remote,
): Promise<string | undefined> {
  const {deps, task, signal} = parts
  try {
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
  } catch (error) {
    if (isMain || signal.aborted) throw error
    deps.log.warn('a file beside a result could not be copied', {task: task.id, medium, ...describeError(error)})
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
  await deps.database.asUser(task.userId, (transaction) => transaction.insert(taskArtifacts).values(rows))
}

/** What every answer has is ours to say: the task, the trace, and how it ended. */
function withoutCommon({
  success: _success,
  task_id: _task,
  trace_id: _trace,
  error: _error,
  ...answer
}: Answer): Answer {
  return answer
}

/** What may be seen of an answer while it is made: no address, since those vanish when it is done (upstream §1). */
export const unfinished = (response: Answer): Answer =>
  withoutCommon(withTexts(response, (text) => (isRemote(text) ? undefined : text)))
