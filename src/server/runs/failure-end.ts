import type {FailureOutcome} from '#contract/chat.ts'
import {isStoreTrouble} from '../files/file-store.ts'
import {ProviderFailure} from '../providers/provider.ts'

/** How an answer or a media task failed. */
export type FailedEnd = {state: 'failed'; outcome: FailureOutcome; error: {code: string; message: string}}

/** Why a run was ended from outside. `lost`: another worker took it; `drain`: this process ends. */
export type EndReason = 'stop' | 'lost' | 'drain' | 'broken'

/** An error of a provider as the end of its run. An error of another kind is `unknown`, without inner details. */
export function failureEnd(error: unknown): FailedEnd {
  if (error instanceof ProviderFailure) {
    const outcome = error.options.interrupted ? 'interrupted' : 'refused'
    return {state: 'failed', outcome, error: {code: error.code, message: error.detail}}
  }
  if (isStoreTrouble(error))
    return {state: 'failed', outcome: 'refused', error: {code: error.code, message: error.detail}}
  return {
    state: 'failed',
    outcome: 'refused',
    error: {
      code: 'unknown',
      message: 'The provider failed in a way that Atrium does not know. The operator finds it in the log.',
    },
  }
}
