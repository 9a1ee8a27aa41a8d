import type {MediaPlan} from '#contract/media/media-tool.ts'
import type {Log} from '../../log.ts'
import type {Deadlines, Upstream} from '../call-upstream.ts'
import type {OutboundPorts} from '../outbound.ts'
import type {StoredFile} from '../provider.ts'

/* The parts of a request for an image or a video. */

export type OpenaiMediaParts = {upstream: Upstream; model: string; ports: OutboundPorts; log: Log; isFree: boolean}

/** An image may take minutes until its first byte. */
export const mediaDeadlines: Deadlines = {firstByteMilliseconds: 290_000, idleMilliseconds: 120_000}

/** No flags go to these servers: a ratio goes as the size, and what they have no field for is refused. */
export const wordsIn = ({prompt, words}: MediaPlan): string => words ?? prompt

export async function formOf(
  fields: Record<string, string | number>,
  sources: readonly StoredFile[],
  fileField = sources.length > 1 ? 'image[]' : 'image',
): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, String(value))
  for (const source of sources)
    // A Blob needs a copy with a buffer of its own.
    form.append(fileField, new Blob([new Uint8Array(await source.read())], {type: source.type}), source.name)
  return form
}
