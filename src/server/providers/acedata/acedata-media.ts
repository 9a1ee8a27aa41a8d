import type {Task} from '#contract/task.ts'
import {isRecord} from '#contract/is-record.ts'
import {parseJson} from '#domain/parse-json.ts'
import {taskStatus} from '#domain/task-status.ts'
import type {ProviderConfig} from '../../config.ts'
import {withOtherAddresses} from '../../media/file-marks.ts'
import type {MediaAsk, MediaProvider} from '../media-provider.ts'
import {callUpstream, readAll, type Deadlines, type Upstream} from '../call-upstream.ts'
import {type OutboundPorts} from '../outbound.ts'
import {jobNotFound, pollDeadlines, pollJob} from '../poll-job.ts'
import {ProviderFailure} from '../provider.ts'
import {createRequestKeys} from '../request-keys.ts'
import {answerFailure, upstreamFailure} from '../upstream-error.ts'

/** A server that does not know `async` holds the request until the result is there (contract/media §1.4). */
const submitDeadlines: Deadlines = {firstByteMilliseconds: 600_000, idleMilliseconds: 120_000}
const longestAnswer = 4 * 1024 * 1024

type Answer = Record<string, unknown>
type AcedataMediaDeps = {upstream: Upstream; ports: OutboundPorts}

/**
 * Passes generations on to an upstream that speaks the specified calls, all tools alike: the same path and body, queued
 * with `async`, then asked for by the upstream's own task id (contract/upstream §1, §3, §4). Failures are the
 * upstream's, in its words.
 */
export function createAcedataMedia(config: ProviderConfig, {ports}: {ports: OutboundPorts}): MediaProvider {
  const parts = {upstream: config, ports}
  return {
    name: config.name,
    kind: 'acedata',
    local: config.local,
    isRepeatable: false,
    sources: 'passed on',
    origin: new URL(config.baseUrl).origin,
    check: () => undefined,
    make: async (ask) => {
      if (ask.job !== undefined) return {kind: 'answer', response: await waitFor(parts, ask, ask.job)}
      const answer = await submit(parts, ask)
      const job = typeof answer.task_id === 'string' ? answer.task_id : undefined
      if (job !== undefined) await ask.storeJob(job)
      const {task_id: _task, trace_id: _trace, ...rest} = answer
      if (Object.keys(rest).length > 0) {
        const response = finalAnswer(parts, ask, {id: job ?? '', created_at: 0, response: answer})
        if (response !== undefined) return {kind: 'answer', response}
      }
      if (job === undefined) throw new ProviderFailure('api_error', `${config.name} answered without a task.`)
      return {kind: 'answer', response: await waitFor(parts, ask, job)}
    },
  }
}

async function submit({upstream, ports}: AcedataMediaDeps, ask: MediaAsk): Promise<Answer> {
  const body = withOtherAddresses(ask.body, ask.publicAddress)
  const keyOf = createRequestKeys(ask.run)
  for (const options of [{async: true}, {}]) {
    const response = await callUpstream(
      {
        upstream,
        path: ask.operation.path,
        method: 'POST',
        headers: {accept: 'application/json', ...keyOf(options)},
        body: {...body, ...options},
        signal: ask.signal,
        deadlines: submitDeadlines,
      },
      ports,
    )
    const text = await readAll(response.text, longestAnswer)
    if (response.status >= 200 && response.status < 300) {
      const answer = parseJson(text)
      if (isRecord(answer)) return answer
      throw new ProviderFailure('api_error', `${upstream.name} answered with something that cannot be read.`)
    }
    // Only a refusal of the very word is worth a second request: nothing was made yet.
    if (response.status === 400 && 'async' in options && /\basync\b/.test(text)) continue
    throw answerFailure(upstream, response, text)
  }
  throw new ProviderFailure('api_error', `${upstream.name} does not take this request.`)
}

const waitFor = (parts: AcedataMediaDeps, ask: MediaAsk, job: string): Promise<Answer> =>
  pollJob(parts.ports, ask.signal, async () => {
    const task = await retrieve(parts, ask, job)
    const response = isRecord(task.response) ? task.response : undefined
    if (response === undefined) return undefined
    const {progress} = ask.tool.read(response, ask.body)
    ask.onProgress(Math.min(99, Math.round(progress ?? 0)), response)
    const finishTime = typeof task.finished_at === 'number' ? {finished_at: task.finished_at} : {}
    return finalAnswer(parts, ask, {id: job, created_at: 0, ...finishTime, response})
  })

async function retrieve({upstream, ports}: AcedataMediaDeps, ask: MediaAsk, job: string): Promise<Answer> {
  const response = await callUpstream(
    {
      upstream,
      path: `/${ask.tool.identity.service}/tasks`,
      method: 'POST',
      headers: {accept: 'application/json', 'x-record-exempt': 'true'},
      body: {action: 'retrieve', id: job},
      signal: ask.signal,
      deadlines: pollDeadlines,
    },
    ports,
  )
  const text = await readAll(response.text, longestAnswer)
  if (response.status === 404) throw jobNotFound(upstream.name)
  if (response.status !== 200) throw answerFailure(upstream, response, text)
  const task = parseJson(text)
  if (!isRecord(task)) throw new ProviderFailure('api_error', `${upstream.name} sent no task.`, {status: 502})
  return task
}

/**
 * The answer when it is final, `undefined` while it is made. What says nothing known of its state is final when its
 * results are there. Throws the upstream's failure.
 */
function finalAnswer({upstream}: AcedataMediaDeps, {tool, body}: MediaAsk, task: Task): Answer | undefined {
  const response = task.response ?? {}
  const reading = tool.read(response, body)
  const status = taskStatus({...task, request: body}, reading)
  if (status === 'succeeded') return response
  if (status === 'failed') throw taskFailure(upstream, response)
  if (status !== 'checking') return undefined
  const isMade = reading.artifacts.length > 0 && reading.artifacts.every(({url, text}) => (url ?? text) !== undefined)
  if (isMade) return response
  if (task.finished_at != null)
    throw new ProviderFailure('api_error', `${upstream.name} ended the task without a result.`)
  return undefined
}

/** Refusals that mean the same to the user as to the installation; others are about the installation's account. */
const sameCodes = ['bad_request', 'forbidden', 'timeout', 'busy', 'too_many_requests', 'content_too_large'] as const

/** Without a status: this is the task's answer, not a fault on the way to it. */
function taskFailure(upstream: Upstream, response: Answer): ProviderFailure {
  const failure = upstreamFailure(upstream, {body: response})
  const errorCode = isRecord(response.error) ? response.error.code : undefined
  const code = sameCodes.find((one) => one === errorCode)
  return code === undefined ? failure : new ProviderFailure(code, failure.detail)
}
