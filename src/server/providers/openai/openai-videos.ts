import {isList} from '#contract/is-list.ts'
import {z} from '#contract/schema.ts'
import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import {costOf} from '#domain/price-rules.ts'
import type {MadeFile, MediaAsk} from '../media-provider.ts'
import {callUpstream, readAll, type OutboundResponse} from '../call-upstream.ts'
import {jobNotFound, pollDeadlines, pollJob} from '../poll-job.ts'
import {ProviderFailure} from '../provider.ts'
import {createRequestKeys} from '../request-keys.ts'
import {answerFailure, readErrorBody, upstreamFailure} from '../upstream-error.ts'
import {askedRatio, nearestOf} from './asked-ratio.ts'
import {formOf, mediaDeadlines, wordsIn, type OpenaiMediaParts} from './media-request.ts'
import {nearestLength, nearestSize, refusalOf} from './refused-setting.ts'

const longestList = 4 * 1024 * 1024

/**
 * `POST /videos`, then `GET /videos/{id}` until it is completed, then `GET /videos/{id}/content` (backends 2.5). The
 * job's id is stored before anything else is done with it; a later process goes on from there.
 */
export async function makeVideo(parts: OpenaiMediaParts, ask: MediaAsk): Promise<MadeFile> {
  const job = ask.job ?? (await createJob(parts, ask))
  const video = await pollJob(parts.ports, ask.signal, () => look(parts, ask, job))
  const [width, height] = /^(\d+)x(\d+)$/.exec(textOf(video.size))?.slice(1).map(Number) ?? []
  return {
    medium: 'video',
    file: {open: () => openContent(parts, ask, job)},
    type: 'video/mp4',
    name: 'video.mp4',
    width,
    height,
    // the server may have used other settings than those of the request
    durationSeconds: Number(video.seconds) || undefined,
  }
}

async function openContent(parts: OpenaiMediaParts, ask: MediaAsk, job: string): Promise<AsyncIterable<Uint8Array>> {
  const content = await call(parts, ask, 'GET', `/videos/${encodeURIComponent(job)}/content`)
  if (content.status !== 200) throw await failureOf(parts, content)
  return content.bytes
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Sent as JSON, or as a form if the server refuses JSON or there is a start image. A size or length that the server
 * does not know is left out, or replaced by the nearest one that it names; without any, its refusal is passed on.
 */
async function createJob(parts: OpenaiMediaParts, ask: MediaAsk): Promise<string> {
  const {plan} = ask
  const sources = (await ask.sourceFiles()).slice(0, 1)
  let isForm = sources.length > 0
  const settings = new Map([['size', sizeOf(await askedRatio(plan, sources))]])
  if (plan.durationSeconds !== undefined) settings.set('seconds', String(plan.durationSeconds))
  const changedNames = new Set<string>()
  const keyOf = createRequestKeys(ask.run)
  for (;;) {
    const fields = {model: parts.model, prompt: wordsIn(plan), ...Object.fromEntries(settings)}
    const body = isForm ? await formOf(fields, sources, 'input_reference') : fields
    const response = await call(parts, ask, 'POST', '/videos', body, keyOf([fields, isForm]))
    const text = await readAll(response.text)
    if (response.status >= 200 && response.status < 300) {
      const creation = parseJson(text)
      const id = isRecord(creation) ? textOf(creation.id) : ''
      if (id === '') throw new ProviderFailure('api_error', `${parts.upstream.name} took the video and named no job.`)
      await ask.storeJob(id)
      return id
    }
    const failure = answerFailure(parts.upstream, response, text)
    const refusedSetting = refusedOf(settings, response.status, readErrorBody(text), failure.detail)
    if (refusedSetting?.kind === 'unknown') settings.delete(refusedSetting.name)
    else if (refusedSetting !== undefined) {
      const other = changedNames.has(refusedSetting.name) ? undefined : otherValue(parts, ask, refusedSetting)
      if (other === undefined) throw failure
      changedNames.add(refusedSetting.name)
      settings.set(refusedSetting.name, other)
    } else if (!isForm && (response.status === 415 || response.status === 422)) isForm = true
    else throw failure
  }
}

function refusedOf(settings: ReadonlyMap<string, string>, status: number, body: unknown, message: string) {
  for (const [name, askedValue] of settings) {
    const refusal = refusalOf(name, status, body, message)
    if (refusal !== undefined) return {...refusal, name, asked: askedValue}
  }
  return undefined
}

/** A value that the server takes instead of the wanted: never more of it, and nothing cheaper than was held. */
function otherValue(
  parts: OpenaiMediaParts,
  ask: MediaAsk,
  refusedSetting: {name: string; asked: string; allowed: readonly string[]},
): string | undefined {
  if (refusedSetting.name === 'size') return nearestSize(refusedSetting.asked, refusedSetting.allowed)
  const other = nearestLength(refusedSetting.asked, refusedSetting.allowed)
  return other !== undefined && (parts.isFree || costsTheSame(ask, Number(other))) ? other : undefined
}

function costsTheSame({tool, operation, body}: MediaAsk, duration: number): boolean {
  const parsing = z.safeParse(operation.body, body)
  // as: bodies of operations are objects, as their requests were
  const askedBody = parsing.success ? (parsing.data as Record<string, unknown>) : body
  const cost = costOf(tool.price, askedBody)
  return (
    cost !== undefined && cost === costOf(tool.price, 'duration' in askedBody ? {...askedBody, duration} : askedBody)
  )
}

const sizeOf = (ratio: readonly [number, number]): string =>
  nearestOf({square: '1024x1024', wide: '1280x720', tall: '720x1280'}, ratio)

/** The completed video, `undefined` while it is made. */
async function look(parts: OpenaiMediaParts, ask: MediaAsk, job: string): Promise<Record<string, unknown> | undefined> {
  const video = (await byId(parts, ask, job)) ?? (await inList(parts, ask, job))
  const progress = Number(video.progress)
  if (Number.isFinite(progress)) ask.onProgress(Math.min(95, Math.round(progress)))
  const status = textOf(video.status)
  if (status === 'completed' || status === 'succeeded') return video
  if (/^(failed|canceled|cancelled|expired)$/.test(status))
    // Without a status: this is the job's answer, not a fault on the way to it.
    throw upstreamFailure(parts.upstream, {body: {error: video.error ?? {message: 'The video was not made.'}}})
  return undefined
}

async function byId(parts: OpenaiMediaParts, ask: MediaAsk, job: string) {
  const response = await call(parts, ask, 'GET', `/videos/${encodeURIComponent(job)}`)
  if (response.status === 404 || response.status === 405) {
    await readAll(response.text)
    return undefined
  }
  if (response.status !== 200) throw await failureOf(parts, response)
  const video = parseJson(await readAll(response.text))
  if (!isRecord(video)) throw unreadable(parts)
  return video
}

/** Some servers only list their jobs. */
async function inList(parts: OpenaiMediaParts, ask: MediaAsk, job: string): Promise<Record<string, unknown>> {
  const response = await call(parts, ask, 'GET', '/videos')
  if (response.status === 429 || response.status >= 500) throw await failureOf(parts, response)
  if (response.status !== 200) {
    await readAll(response.text)
    throw jobNotFound(parts.upstream.name)
  }
  const body = parseJson(await readAll(response.text, longestList))
  const list: unknown = isRecord(body) ? body.data : body
  const listedJob = isList(list) ? list.find((item) => isRecord(item) && item.id === job) : undefined
  if (!isRecord(listedJob)) throw jobNotFound(parts.upstream.name)
  return listedJob
}

const unreadable = ({upstream}: OpenaiMediaParts) =>
  new ProviderFailure('api_error', `${upstream.name} answered with something that cannot be read.`, {status: 502})

const failureOf = async ({upstream}: OpenaiMediaParts, response: OutboundResponse) =>
  answerFailure(upstream, response, await readAll(response.text))

const call = (
  {upstream, ports}: OpenaiMediaParts,
  {signal}: MediaAsk,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<OutboundResponse> =>
  callUpstream(
    {upstream, path, method, body, headers, signal, deadlines: method === 'POST' ? mediaDeadlines : pollDeadlines},
    ports,
  )
