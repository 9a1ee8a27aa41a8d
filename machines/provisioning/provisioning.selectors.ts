import type {ProvisioningSnapshot} from './provisioning.machine.ts'
import type {SetUpReport} from './provisioning.types.ts'

/** Request status of the specification (spec §4). */
export type RequestStatus = 'none' | 'request' | 'success' | 'error'

const noModels: never[] = []

export const selectService = ({context}: ProvisioningSnapshot) => context.service
/** For what the page says of models, also while the server cannot be reached. */
export const selectLastService = (snapshot: ProvisioningSnapshot | undefined) => snapshot?.context.lastService
export const selectApplications = ({context}: ProvisioningSnapshot) => context.applications
export const selectApplication = ({context}: ProvisioningSnapshot) => context.application
export const selectFailures = ({context}: ProvisioningSnapshot) => context.failures

export const selectApplicationsStatus = ({value}: ProvisioningSnapshot): RequestStatus => value.applications
export const selectCredentialStatus = ({value}: ProvisioningSnapshot): RequestStatus =>
  value.credential === 'restoring' || value.credential === 'finding' ? 'none' : value.credential

/** The last report about calls; undefined while that may change at once. */
export const selectReport = (snapshot: ProvisioningSnapshot): SetUpReport | undefined =>
  snapshot.hasTag('ready') ? 'provision.ready' : snapshot.hasTag('missing') ? 'provision.missing' : undefined

/**
 * Models the server lists, or listed when it was last read; empty on a back end that lists none, and before there is a
 * session. Same reference until the service is read again.
 */
export const selectServedModels = (snapshot: ProvisioningSnapshot | undefined) =>
  selectLastService(snapshot)?.metadata?.models ?? noModels
/** The abilities of the service are known, or could not be read. */
export const selectIsServiceSettled = ({context, value}: ProvisioningSnapshot) =>
  context.service !== undefined || value.service !== 'request'
export const selectIsSandbox = ({context}: ProvisioningSnapshot) => context.lastService?.metadata?.sandbox === true
