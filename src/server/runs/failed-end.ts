import type {FailureOutcome} from '#contract/chat.ts'
import {isStoreTrouble} from '../files/file-store.ts'
import {ProviderFailure} from '../providers/provider.ts'

/** How an answer or a media task failed. */
export type FailedEnd = {state: 'failed'; outcome: FailureOutcome; error: {code: string; message: string}}

export const failedEnd = (outcome: FailureOutcome, code: string, message: string): FailedEnd => ({
  state: 'failed',
  outcome,
  error: {code, message},
})

/** Why a run was ended from outside. `lost`: another worker took it; `drain`: this process ends. */
export type EndReason = 'stop' | 'lost' | 'drain' | 'broken'

/** An error of a provider as the end of its run. An error of another kind is `unknown`, without inner details. */
export function endOfError(error: unknown): FailedEnd {
  if (error instanceof ProviderFailure) {
    const outcome = error.options.interrupted ? 'interrupted' : 'refused'
    return failedEnd(outcome, error.code, error.detail)
  }
  if (isStoreTrouble(error)) return failedEnd('refused', error.code, error.detail)
  return failedEnd(
    'refused',
    'unknown',
    'The provider failed in a way that Atrium does not know. The operator finds it in the log.',
  )
}
