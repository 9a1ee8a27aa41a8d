import type {Medium} from '#contract/media/media-tool.ts'
import {nameInAddress} from '#domain/name-in-address.ts'
import type {OwnResult} from '#features/media/media.context.ts'
import {mergeRecords} from '#machines/tasks/tasks.rules.ts'
import type {TaskRecord} from '#domain/task-record.ts'
import type {LoadedTool} from '../logic/media/forms.logic.ts'
import type {MediaTools} from './media-tools.types.ts'

/** The tasks of a tool in this browser's storage and in its list, without those that are being deleted. */
async function recordsOf(tools: Pick<MediaTools, 'list' | 'stored'>, tool: string): Promise<TaskRecord[]> {
  const storedRecords = await tools.stored(tool)
  const context = tools.list(tool)?.getSnapshot().context
  if (context === undefined) return mergeRecords([], storedRecords)
  const {items, removing, removed} = context
  return mergeRecords(mergeRecords([], storedRecords), items).filter(
    ({task}) => !removing.includes(task.id) && !removed.includes(task.id),
  )
}

/** Results of a kind over all tools, in this visit or an earlier one, newest first, each address once. */
export async function ownResults(
  {tools, identities}: Pick<LoadedTool, 'identities'> & {tools: Pick<MediaTools, 'list' | 'stored'>},
  medium: Medium,
): Promise<OwnResult[]> {
  const records = (await Promise.all(identities.map(({id}) => recordsOf(tools, id)))).flat()
  const results = records.flatMap(({task, status, reading}) =>
    status !== 'succeeded'
      ? []
      : reading.artifacts.flatMap((artifact) =>
          artifact.medium === medium && artifact.url !== undefined
            ? [{at: task.created_at, url: artifact.url, artifact, prompt: task.request?.prompt}]
            : [],
        ),
  )
  const urls = new Set<string>()
  return results
    .sort((one, other) => other.at - one.at)
    .filter(({url}) => !urls.has(url) && urls.add(url))
    .map(({url, artifact, prompt}) => ({
      url,
      previewUrl: artifact.previewUrl,
      title: artifact.title ?? (typeof prompt === 'string' ? prompt : nameInAddress(url)),
    }))
}
