import {isRecord} from '#domain/is-record.ts'
import type {Log} from '#domain/log.ts'
import {parseJson} from '#domain/parse-json.ts'
import {ApiError, errorOfFetch, failureOfResponse} from './api-error.ts'
import {credentialHeaders} from './credential-headers.ts'
import {createDeadline} from './deadline.ts'
import {createJsonLineReader} from './ndjson.ts'

export type GenerationApiDeps = {
  fetch: typeof fetch
  /** Without a trailing slash. */
  baseUrl: string
  log: Log
  credentialToken: (service: string) => string | undefined
  /** Where a foreign back end may call back; only then a callback address is sent (docs/architecture.md §3). */
  callbackBase: string | undefined
}

export type GenerationCall = {
  /** First segment of `path`. */
  service: string
  /** `/{service}/…` */
  path: string
  body: Record<string, unknown>
  /** Idempotency key of the click. */
  key: string
  /** Of `service.metadata`. */
  capabilities: readonly string[]
  /** `false` for the calls of suno, which are plain JSON (contract/media §1.1). */
  isStreamed: boolean
}

/** What a generation call says first: the task, or the whole answer of one that was done at once. */
export type GenerationAnswer = {task: string | undefined; response: Record<string, unknown>}

/** How the server is told to answer before the task is done. */
export type Haste = 'async' | 'callback' | 'none'
const hasteOf = (capabilities: readonly string[], callbackBase: string | undefined): Haste =>
  capabilities.includes('async') ? 'async' : callbackBase === undefined ? 'none' : 'callback'

/** Milliseconds until the first word of a call that is answered at once, and of one that waits for its task. */
const deadlines = {hasty: 40_000, patient: 1_800_000}

const answerOf = (value: unknown): GenerationAnswer | undefined => {
  if (!isRecord(value)) return undefined
  const {task_id: task} = value
  return {task: typeof task === 'string' && task !== '' ? task : undefined, response: value}
}

const lostAnswer = () => new ApiError({code: 'unknown', detail: 'The answer was cut off.', lost: true})

/**
 * The first line that names the task is the answer. The rest is read to its end and let go: leaving early could look like
 * leaving to a server that takes a disconnect for a stop.
 */
async function firstAnswer(body: ReadableStream<Uint8Array>, log: Log): Promise<GenerationAnswer> {
  const reader = body.getReader()
  const lines = createJsonLineReader()
  let last: GenerationAnswer | undefined
  const take = (line: {value: unknown} | {malformed: string}) => {
    if ('value' in line) last = answerOf(line.value) ?? last
    else log('A line of a generation was not JSON and was skipped')
    return last?.task === undefined ? undefined : last
  }
  const drain = async () => {
    while (!(await reader.read()).done);
  }
  for (;;) {
    const {done, value} = await reader.read()
    const arrived = done ? [lines.end()].filter((line) => line !== undefined) : [...lines.push(value)]
    for (const line of arrived) {
      const answer = take(line)
      if (answer === undefined) continue
      // nothing is left to learn from it: the task is asked for by its id
      void drain().catch((error: unknown) => log('A generation stream was cut off', {error: String(error)}))
      return answer
    }
    if (!done) continue
    if (last === undefined) throw lostAnswer()
    return last
  }
}

/**
 * Generation calls (spec §7, contract/media §1). Each is sent once: whether it may be sent again is the caller's to know.
 * Rejects with an `ApiError`; `lost` means that nobody knows whether there is a task.
 */
export const createGenerationApi = (deps: GenerationApiDeps) => {
  const {fetch, baseUrl, log, credentialToken, callbackBase} = deps

  const bodyOf = ({service, body, capabilities}: GenerationCall) => {
    switch (hasteOf(capabilities, callbackBase)) {
      case 'async':
        return {...body, async: true}
      case 'callback':
        return {...body, callback_url: `${callbackBase}/${service.replaceAll('-', '')}`}
      case 'none':
        return body
    }
  }
  const headersOf = ({service, capabilities, key, isStreamed}: GenerationCall): Record<string, string> => ({
    ...credentialHeaders(credentialToken(service)),
    'content-type': 'application/json',
    ...(isStreamed ? {accept: 'application/x-ndjson'} : {}),
    ...(capabilities.includes('idempotency') ? {'idempotency-key': key} : {}),
  })

  /** Whether the call stays open until the task is done. */
  const isHeld = (capabilities: readonly string[]) => hasteOf(capabilities, callbackBase) === 'none'

  /** `signal` ends only the wait for a call that is answered at once; one that is held goes on by itself. */
  async function submit(call: GenerationCall, signal?: AbortSignal): Promise<GenerationAnswer> {
    const held = isHeld(call.capabilities)
    const headers = headersOf(call)
    const deadline = createDeadline(held ? deadlines.patient : deadlines.hasty, held ? undefined : signal)
    try {
      const response = await fetch(`${baseUrl}${call.path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(bodyOf(call)),
        signal: deadline.signal,
      })
      if (!response.ok) {
        const text = await response.text()
        throw new ApiError(failureOfResponse(parseJson(text), response.status))
      }
      const isLines = response.headers.get('content-type')?.includes('ndjson') === true
      if (isLines && response.body !== null) return await firstAnswer(response.body, log)
      const answer = answerOf(parseJson(await response.text()))
      if (answer === undefined) throw lostAnswer()
      return answer
    } catch (reason) {
      throw errorOfFetch(reason)
    } finally {
      // a stream that goes on keeps its own pace, and outlives its caller
      deadline.release()
    }
  }

  return {submit, isHeld}
}

export type GenerationApi = ReturnType<typeof createGenerationApi>
