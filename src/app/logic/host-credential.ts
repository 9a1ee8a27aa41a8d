import {waitFor} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import type {HostCredential} from '#api/credential-fetch.ts'
import {noToken} from '#domain/failure.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'

/** Milliseconds; less than any call waits for its answer. */
const patience = 10_000

/**
 * The credential of a set-up. Provisioning renews a refused one, once for all calls that were refused with it
 * (docs/decisions/0088-who-renews-a-credential.md).
 */
export const hostCredential = (provisioning: () => ProvisioningActor | undefined): HostCredential => ({
  token: () => provisioning()?.getSnapshot().context.credential?.token || undefined,
  async renew(refusedCredential, signal) {
    const actor = provisioning()
    if (actor === undefined) throw new ApiError(noToken)
    if (refusedCredential !== undefined) actor.send({type: 'credential.rejected', token: refusedCredential})
    const options = {timeout: patience, ...(signal && {signal})}
    const settledSnapshot = await waitFor(actor, (snapshot) => !snapshot.hasTag('settling'), options)
    const {credential, failures} = settledSnapshot.context
    if (!settledSnapshot.hasTag('ready') || !credential?.token || credential.token === refusedCredential)
      throw new ApiError(failures.credential ?? noToken)
    return credential.token
  },
})
