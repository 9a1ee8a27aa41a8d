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
  async renew(refused, signal) {
    const actor = provisioning()
    if (actor === undefined) throw new ApiError(noToken)
    if (refused !== undefined) actor.send({type: 'credential.rejected', token: refused})
    const options = {timeout: patience, ...(signal && {signal})}
    const settled = await waitFor(actor, (snapshot) => !snapshot.hasTag('settling'), options)
    const {credential, failures} = settled.context
    if (!settled.hasTag('ready') || !credential?.token || credential.token === refused)
      throw new ApiError(failures.credential ?? noToken)
    return credential.token
  },
})
