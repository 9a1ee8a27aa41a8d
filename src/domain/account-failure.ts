import type {Failure} from './failure.ts'

const generalCodes = ['busy', 'duplication', 'too_many_requests'] as const

/** The sentence of a failure in console, invitations and account. Most sentences of codes are about questions. */
export function accountErrorTextId({code, lost}: Failure) {
  const general = generalCodes.find((each) => each === code)
  if (general !== undefined) return `api.${general}` as const
  if (code === 'timeout') return 'console.failedTimeout'
  return lost === true ? 'console.failedLost' : 'console.failed'
}
