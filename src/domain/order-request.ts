import type {Application} from '#contract/management.ts'
import type {Package} from '#contract/packages.ts'
import {microOf, microText} from './exact-amount.ts'
import type {PackageType} from './packages.ts'

/** The application that a package belongs to: of its own type, general (`serviceId` undefined) or of one service. */
export type ApplicationKind = {type: PackageType; serviceId: string | undefined}

/** The kind to which packages of a type belong that are offered for an application. */
export const kindFor = ({scope, service_id, service}: Application, type: PackageType): ApplicationKind => ({
  type,
  serviceId: scope === 'Global' ? undefined : (service_id ?? service?.id),
})

/** An application that names no type counts as one of credits. */
export const isOfKind = (application: Application, {type, serviceId}: ApplicationKind): boolean =>
  (application.type ?? 'Usage') === type && kindFor(application, type).serviceId === serviceId

/** Credits that a refused request needs, as an address names them (`3.200000`); anything else is ignored. */
export const readNeed = (text: unknown): string | undefined =>
  typeof text === 'string' && /^\d{1,12}(\.\d{1,6})?$/.test(text) && microOf(text) > 0n ? text : undefined

/**
 * The exact credits that a request lacks which needs so much; undefined where nothing is missing. Packages of the
 * application's own kind add to what it has; others begin an application that has to pay for all of it. No balance is
 * one without a bound.
 */
export function missingFor(need: string | undefined, application: Application, type: PackageType): string | undefined {
  if (need === undefined) return undefined
  const isOwn = isOfKind(application, kindFor(application, type))
  if (isOwn && application.remaining_amount == null) return undefined
  const missing = microOf(need) - (isOwn ? microOf(application.remaining_amount ?? 0) : 0n)
  return missing > 0n ? microText(missing) : undefined
}

const owner = (userId: string | undefined) => (userId === undefined ? {} : {user_id: userId})

/** The user's applications of a kind (contract/platform §3, list of the subscribe page). */
export const kindQuery = ({type, serviceId}: ApplicationKind, userId: string | undefined) => ({
  limit: 100,
  offset: 0,
  ...owner(userId),
  ordering: '-created_at',
  ...(serviceId === undefined ? {scope: 'Global' as const} : {service_id: [serviceId]}),
  type,
})

/** The request for an application of a kind (contract/platform §3, 3). */
export const kindBody = ({type, serviceId}: ApplicationKind, userId: string | undefined) =>
  serviceId === undefined ? {type, scope: 'Global' as const, ...owner(userId)} : {service_id: serviceId, type}

/** Longest description of an order, in UTF-16 units. */
const longestDescription = 200

type OrderFacts = {applicationId: string; offer: Package; description: string}

/** The request for an order (contract/platform §3, 33): a top-up, or a subscription. */
export function orderBody({applicationId, offer: {id, type, amount}, description: whole}: OrderFacts) {
  // half of a surrogate pair is no text
  const description = whole.slice(0, longestDescription).replace(/[\uD800-\uDBFF]$/, '')
  return type === 'Period'
    ? {application_ids: [applicationId], package_ids: [id], description}
    : {
        application_id: applicationId,
        ...(amount == null ? {} : {amount: Number(amount)}),
        package_id: id,
        description,
      }
}
