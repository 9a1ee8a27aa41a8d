import type {Failure} from '#domain/failure.ts'

/** Why our own server did not do what a dialog asked for; undefined where no more is known. Most sentences of codes are about models and questions. */
export function serverReasonId({code}: Failure) {
  if (code === 'timeout') return 'chat.serverLate' as const
  return code === 'busy' || code === 'too_many_requests' ? (`api.${code}` as const) : undefined
}
