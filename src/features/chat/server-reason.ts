import type {Failure} from '#domain/failure.ts'

/** Why our server refused what a dialog asked for; undefined where unknown. Most sentences are about questions. */
export function serverReasonId({code}: Failure) {
  if (code === 'timeout') return 'chat.serverLate' as const
  return code === 'busy' || code === 'too_many_requests' ? (`api.${code}` as const) : undefined
}
