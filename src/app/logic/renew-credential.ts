import {waitFor} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'

/**
 * After a 401 of the AI host: `provisioning` makes a new credential, once (docs/architecture.md §2). Resolves when there
 * is another token than the refused one, rejects when there will be none.
 */
export async function renewCredential(provisioning: ProvisioningActor | undefined, signal: AbortSignal): Promise<void> {
  const refused = provisioning?.getSnapshot().context.credential?.token
  if (provisioning === undefined || !refused) throw new Error('no token')
  provisioning.send({type: 'credential.rejected', token: refused})
  const settled = await waitFor(provisioning, (snapshot) => !snapshot.hasTag('settling'), {signal})
  if (!settled.hasTag('ready') || settled.context.credential?.token === refused) {
    throw new ApiError(settled.context.failures.credential ?? {code: 'not_applied', detail: 'no token'})
  }
}
