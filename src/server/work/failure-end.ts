import type {MessageOutcome} from '#contract/chat.ts'
import {ProviderFailure} from '../providers/provider.ts'

/** How an answer or a media task failed. */
export type FailedEnd = {state: 'failed'; outcome: MessageOutcome; error: {code: string; message: string}}

/** Why a run was ended from outside. `lost`: another worker took it; `drain`: this process ends. */
export type EndReason = 'stop' | 'lost' | 'drain' | 'broken'

/** What a provider threw, as the end of its run. What Atrium does not know is `unknown`, without inner details. */
export function failureEnd(error: unknown): FailedEnd {
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

const statuses: Readonly<Record<string, 400 | 402 | 403 | 409 | 413 | 429 | 500 | 504>> = {
  bad_request: 400,
  not_applied: 400,
  payment_required: 402,
  forbidden: 403,
  used_up: 403,
  duplication: 409,
  canceled: 409,
  content_too_large: 413,
  too_many_requests: 429,
  timeout: 504,
}

/** The HTTP status of an error code (contract/errors §2), for JSON answers and usage rows. */
export const statusOf = (code: string): 400 | 402 | 403 | 409 | 413 | 429 | 500 | 504 => statuses[code] ?? 500
