import type {Log} from '#domain/log.ts'
import {parseJson} from '#domain/parse-json.ts'
import {ApiError, errorOfFetch, failureOfResponse} from './api-error.ts'
import {credentialHeaders} from './credential-headers.ts'
import {createDeadline} from './deadline.ts'
import {createGenerationReader, type GenerationAnswer} from './generation-answer.ts'

export type GenerationApiDeps = {
  fetch: typeof fetch
  /** Without a trailing slash. */
  baseUrl: string
  log: Log
  credentialToken: (service: string) => string | undefined
  language: () => string
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

/** How the server is told to answer before the task is done. */
export type Haste = 'async' | 'callback' | 'none'
const hasteOf = (capabilities: readonly string[], callbackBase: string | undefined): Haste =>
  capabilities.includes('async') ? 'async' : callbackBase === undefined ? 'none' : 'callback'

/** Milliseconds until the first word of a call that is answered at once, and of one that waits for its task. */
const deadlines = {hasty: 40_000, patient: 1_800_000}

const lostAnswer = () => new ApiError({code: 'unknown', detail: 'The answer was cut off.', lost: true})

/**
 * The rest of the body after the answer is read to its end and let go: leaving early could look like leaving to a server
 * that takes a disconnect for a stop.
 */
async function firstAnswer(body: ReadableStream<Uint8Array>, log: Log): Promise<GenerationAnswer> {
  const reader = body.getReader()
  const answers = createGenerationReader(log)
  const drain = async () => {
    while (!(await reader.read()).done);
  }
  const letGo = () =>
    void drain().catch((error: unknown) => log('A generation stream was cut off', {error: String(error)}))
  for (;;) {
    const {done, value} = await reader.read()
    if (done) {
      const answer = answers.end()
      if (answer === undefined) throw lostAnswer()
      return answer
    }
    try {
      const answer = answers.push(value)
      if (answer === undefined) continue
      letGo()
      return answer
    } catch (reason) {
      letGo()
      throw reason
    }
  }
}

/**
 * Generation calls (spec §7, contract/media §1). Each is sent once: whether it may be sent again is the caller's to know.
 * Rejects with an `ApiError`; `lost` means that nobody knows whether there is a task.
 */
export const createGenerationApi = (deps: GenerationApiDeps) => {
  const {fetch, baseUrl, log, credentialToken, language, callbackBase} = deps

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
    ...credentialHeaders(credentialToken(service), language()),
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
      if (response.body === null) throw lostAnswer()
      return await firstAnswer(response.body, log)
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
