import type {Log} from '#domain/log.ts'
import {parseJson} from '#domain/parse-json.ts'
import {ApiError, errorOfFetch, failureOfResponse} from './api-error.ts'
import type {HostFetch} from './credential-fetch.ts'
import {createDeadline} from './deadline.ts'
import {createGenerationReader, type GenerationAnswer} from './generation-answer.ts'

export type GenerationApiDeps = {
  /** With the credential of a service, which the first segment of its paths names. */
  fetchFor: (service: string) => HostFetch
  /** Without a trailing slash. */
  baseUrl: string
  /** Called for every call, since the language changes. */
  headers: () => Record<string, string>
  log: Log
  /**
   * Base address for callbacks of a foreign back end; a callback address is sent only if this is set
   * (docs/architecture.md §3).
   */
  callbackBase: string | undefined
}

export type GenerationCall = {
  /** First segment of `path`. */
  service: string
  /** `/{service}/…` */
  path: string
  body: Record<string, unknown>
  /** Idempotency key, made per click. */
  key: string
  /** The capabilities of `service.metadata`. */
  capabilities: readonly string[]
  /** `false` for the calls of suno, which are plain JSON (contract/media §1.1). */
  isStreamed: boolean
}

/** How the request asks the server to answer before the task ends. */
export type Haste = 'async' | 'callback' | 'none'
const hasteOf = (capabilities: readonly string[], callbackBase: string | undefined): Haste =>
  capabilities.includes('async') ? 'async' : callbackBase === undefined ? 'none' : 'callback'

/** Milliseconds until the first byte: of a call that answers at once, and of one that waits for its task. */
const deadlines = {hasty: 40_000, patient: 1_800_000}

const lostAnswer = () => new ApiError({code: 'unknown', detail: 'The answer was cut off.', lost: true})

/**
 * Reads the rest of the body and drops it: a server that treats a disconnect as a stop could take an early close for
 * one.
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
 * Generation calls (spec §7, contract/media §1). Each is sent once; the caller decides about a retry. Rejects with an
 * `ApiError`; `lost` means the task may or may not exist.
 */
export const createGenerationApi = (deps: GenerationApiDeps) => {
  const {fetchFor, baseUrl, log, callbackBase} = deps

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
  const headersOf = ({capabilities, key, isStreamed}: GenerationCall): Record<string, string> => ({
    ...deps.headers(),
    'content-type': 'application/json',
    ...(isStreamed ? {accept: 'application/x-ndjson'} : {}),
    ...(capabilities.includes('idempotency') ? {'idempotency-key': key} : {}),
  })

  /** Whether the call stays open until the task ends. */
  const isHeld = (capabilities: readonly string[]) => hasteOf(capabilities, callbackBase) === 'none'

  /** `signal` ends only the wait for a call that answers at once; a held call continues by itself. */
  async function submit(call: GenerationCall, signal?: AbortSignal): Promise<GenerationAnswer> {
    const isHeldCall = isHeld(call.capabilities)
    const headers = headersOf(call)
    const deadline = createDeadline(isHeldCall ? deadlines.patient : deadlines.hasty, isHeldCall ? undefined : signal)
    try {
      const init = {method: 'POST', headers, body: JSON.stringify(bodyOf(call)), signal: deadline.signal}
      const response = await fetchFor(call.service)(`${baseUrl}${call.path}`, init, signal)
      if (!response.ok) {
        const text = await response.text()
        throw new ApiError(failureOfResponse(parseJson(text), response.status))
      }
      if (response.body === null) throw lostAnswer()
      return await firstAnswer(response.body, log)
    } catch (reason) {
      throw errorOfFetch(reason)
    } finally {
      // a continuing stream has no deadline and outlives its caller
      deadline.release()
    }
  }

  return {submit, isHeld}
}

export type GenerationApi = ReturnType<typeof createGenerationApi>
