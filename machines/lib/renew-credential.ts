import {fromPromise, waitFor} from 'xstate'
import {noToken, type Failure} from '#domain/failure.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {findActor} from './find-actor.ts'
import type {RenewalInput} from './renewal.ts'

/** An AbortSignal; charts are compiled without the DOM's types. */
type Abortable = NonNullable<Parameters<typeof waitFor>[2]>['signal']
type Running = {input: RenewalInput; system: Parameters<typeof findActor>[0]; signal: Abortable}

const failed = (failure: Failure) => Object.assign(new Error(failure.detail), failure)

/** Resolves when there is another token than the refused one; rejects when there will be none, or no provisioning runs. */
export async function renewedBy(provisioning: ProvisioningActor | undefined, signal: Abortable): Promise<void> {
  if (provisioning === undefined) throw failed(noToken)
  const refused = provisioning.getSnapshot().context.credential?.token
  if (refused) provisioning.send({type: 'credential.rejected', token: refused})
  const settled = await waitFor(provisioning, (snapshot) => !snapshot.hasTag('settling'), {signal})
  const {credential, failures} = settled.context
  if (!settled.hasTag('ready') || credential?.token === refused) throw failed(failures.credential ?? noToken)
}

/**
 * Actor that a chart invokes after the AI host refused its credential, or while there is none: it tells provisioning, which
 * makes a new one once a minute (docs/architecture.md §2), and watches it until it has decided. Fails when there is no other token.
 */
export const renewCredential = fromPromise<void, RenewalInput>(({input, system, signal}: Running) =>
  renewedBy(findActor(system, input.provisioning), signal),
)
