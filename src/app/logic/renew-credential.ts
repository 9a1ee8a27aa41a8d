import {waitFor} from 'xstate'
import {ApiError} from '#api/api-error.ts'
import {noToken} from '#domain/failure.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'

/**
 * The AI host refused the credential, or there was none yet: after a 401 `provisioning` makes a new one, once
 * (docs/architecture.md §2); while set-up still runs, its credential is waited for. Resolves when there is another token
 * than the refused one, rejects when there will be none.
 */
export async function renewCredential(provisioning: ProvisioningActor | undefined, signal: AbortSignal): Promise<void> {
  if (provisioning === undefined) throw new ApiError(noToken)
  const refused = provisioning.getSnapshot().context.credential?.token
  if (refused) provisioning.send({type: 'credential.rejected', token: refused})
  const settled = await waitFor(provisioning, (snapshot) => !snapshot.hasTag('settling'), {signal})
  if (!settled.hasTag('ready') || settled.context.credential?.token === refused) {
    throw new ApiError(settled.context.failures.credential ?? noToken)
  }
}
