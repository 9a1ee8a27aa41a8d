import {toFailure, type Failure} from '#domain/failure.ts'

/** A provisioning by its system id. */
export type RenewalInput = {provisioning: string}
/** Names the credential of the chat, when it is refused. */
export const ofChat = {provisioning: 'provisioning/chat'} as const

/** There was no credential yet: the request never left the page. */
export const isUnapplied = ({status, code}: Failure) => status === undefined && code === 'not_applied'

/** The AI host refused the credential, or there was none yet. */
const isCredentialFailure = (failure: Failure) => failure.status === 401 || isUnapplied(failure)

/** A credential that was renewed is not renewed again before it has proved itself. */
export const mostRenewals = 1

/** Whether a request that failed with `error` is repeated with a new credential. */
export const mayRenew = (error: unknown, renewals: number) =>
  renewals < mostRenewals && isCredentialFailure(toFailure(error))

/**
 * State of a chart whose request failed for its credential: provisioning makes a new one, then the request is repeated.
 * The chart's setup has the actor `renewCredential`, a guard made of `mayRenew`, and the action `countRenewal` on the way here.
 * @param input the provisioning whose credential was refused
 */
export const renewing = <const Input, const Repeated, const Failed, const After>({
  input,
  repeated,
  failed,
  after,
}: {
  input: Input
  repeated: Repeated
  failed: Failed
  after: After
}) =>
  ({
    // the AI host refused the credential, or there is none: provisioning makes one, once for a request
    invoke: {id: 'renewCredential', src: 'renewCredential', input, onDone: repeated, onError: failed},
    after,
  }) as const
