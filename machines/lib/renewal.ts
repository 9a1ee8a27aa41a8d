import {toFailure, type Failure} from '#domain/failure.ts'

/** There was no credential yet: the request never left the page. */
export const isUnapplied = ({status, code}: Failure) => status === undefined && code === 'not_applied'

/** The AI host refused the credential, or there was none yet. */
const isCredentialFailure = (failure: Failure) => failure.status === 401 || isUnapplied(failure)

/** Whether a request that failed with `error` is repeated with a new credential: once, for every caller. */
export const mayRenew = (error: unknown, isRenewed: boolean) => !isRenewed && isCredentialFailure(toFailure(error))

/**
 * State of a chart whose request failed for its credential: provisioning makes a new one, then the request is repeated.
 * The chart's setup has the actor `renewCredential`, a guard made of `mayRenew` and the action `markRenewed`.
 */
export const renewing = <const Repeated, const Failed, const After>({
  repeated,
  failed,
  after,
}: {
  repeated: Repeated
  failed: Failed
  after: After
}) =>
  ({
    // the AI host refused the credential, or there is none: provisioning makes one, once for a request
    description: 'Waits for a credential.',
    invoke: {id: 'renewCredential', src: 'renewCredential', onDone: repeated, onError: failed},
    after,
  }) as const
