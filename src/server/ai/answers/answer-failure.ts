import {ProviderFailure} from '../../providers/provider.ts'
import type {AnswerEnd} from './live-answer.ts'

type Failed = Extract<AnswerEnd, {state: 'failed'}>

/** Why a run was ended from outside. `lost`: another worker took it; `drain`: this process ends. */
export type EndReason = 'stop' | 'lost' | 'drain' | 'broken'

export const stopped: Failed = {
  state: 'failed',
  outcome: 'stopped',
  error: {code: 'canceled', message: 'The answer was stopped.'},
}
export const interrupted: Failed = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'api_error', message: 'The server stopped while it was answering. What it had written is kept.'},
}
export const unstorable: Failed = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'busy', message: 'The answer could not be stored any further. What was stored is kept.'},
}
export const endless: Failed = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'api_error', message: 'The provider ended without saying that it had finished.'},
}
export const tooLong: Failed = {
  state: 'failed',
  outcome: 'interrupted',
  error: {code: 'content_too_large', message: 'The answer is over 8 MB and was ended.'},
}
export const notServed = (model: string): Failed => ({
  state: 'failed',
  outcome: 'refused',
  error: {code: 'bad_request', message: `No provider of this installation serves the model ${model} now.`},
})

/** What a provider threw, as the end of its answer. What Atrium does not know is `unknown`, without inner details. */
export function failureEnd(error: unknown): Failed {
  if (error instanceof ProviderFailure) {
    const outcome = error.options.interrupted ? 'interrupted' : 'refused'
    return {state: 'failed', outcome, error: {code: error.code, message: error.detail}}
  }
  return {
    state: 'failed',
    outcome: 'refused',
    error: {
      code: 'unknown',
      message: 'The provider failed in a way that Atrium does not know. The operator finds it in the log.',
    },
  }
}

const statuses: Readonly<Record<string, 400 | 403 | 409 | 413 | 429 | 500 | 504>> = {
  bad_request: 400,
  not_applied: 400,
  forbidden: 403,
  used_up: 403,
  duplication: 409,
  canceled: 409,
  content_too_large: 413,
  too_many_requests: 429,
  timeout: 504,
}

/** The HTTP status of an error code (contract/errors §2), for JSON answers and usage rows. */
export const statusOf = (code: string): 400 | 403 | 409 | 413 | 429 | 500 | 504 => statuses[code] ?? 500
