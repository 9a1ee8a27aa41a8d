import type {ProvisioningSnapshot} from './provisioning.machine.ts'
import type {SetUpReport} from './provisioning.types.ts'

/** Request status of the specification (spec §4). */
export type RequestStatus = 'none' | 'request' | 'success' | 'error'

const noModels: never[] = []

export const selectService = ({context}: ProvisioningSnapshot) => context.service
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
 * Models the server lists; empty on a back end that lists none, and before there is a session. Same reference until the
 * service is read again.
 */
export const selectServedModels = (snapshot: ProvisioningSnapshot | undefined) =>
  snapshot?.context.service?.metadata?.models ?? noModels
/** The abilities of the service are known, or could not be read. */
export const selectIsServiceSettled = ({context, value}: ProvisioningSnapshot) =>
  context.service !== undefined || value.service !== 'request'
export const selectIsSandbox = ({context}: ProvisioningSnapshot) => context.service?.metadata?.sandbox === true
