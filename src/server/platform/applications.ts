import {and, eq, inArray, isNull} from 'drizzle-orm'
import type {Application, applicationCreate} from '#contract/management.ts'
import type {z} from '#contract/schema.ts'
import type {Identity} from '../auth/identity.ts'
import type {ServerDeps} from '../deps.ts'
import {badRequest, HttpFailure, notFound} from '../http/failure.ts'
import {grantCredits} from '../ledger/ledger.ts'
import {packageView, type PackageCatalogue} from '../orders/package-catalogue.ts'
import type {Transaction} from '../store/database.ts'
import {applications, credentials, services} from '../store/schema/platform.ts'
import {isLive, usableCredentials} from './credentials.ts'
import {present} from './fields.ts'
import {findService, storedServiceView} from './services.ts'

export type ApplicationRow = typeof applications.$inferSelect

/**
 * Applications on the wire, with what the client needs to choose one (spec §4): the service of an individual one and
 * the keys this caller may use, and what can be bought for it; a list, which is read with every page, leaves that out.
 */
export async function applicationViews(
  deps: ServerDeps,
  packages: PackageCatalogue | undefined,
  transaction: Transaction,
  identity: Identity,
  rows: readonly ApplicationRow[],
): Promise<Application[]> {
  if (rows.length === 0) return []
  const keys = await usableCredentials(
    deps,
    transaction,
    identity,
    inArray(
      credentials.applicationId,
      rows.map((row) => row.id),
    ),
  )
  const serviceOf = await servicesOf(transaction, rows)
  return rows.map((row) =>
    present({
      ...applicationFields(row, serviceOf),
      packages: packages?.offersOf(row.serviceId).map(packageView),
      credentials: keys.filter((key) => key.application_id === row.id),
    }),
  )
}

/** The fields of the row itself, without keys and packages. */
export const applicationFields = (row: ApplicationRow, serviceOf: Awaited<ReturnType<typeof servicesOf>>) => ({
  id: row.id,
  type: row.type,
  scope: row.scope,
  service_id: row.serviceId,
  service: row.serviceId === null ? null : serviceOf.get(row.serviceId),
  user_id: row.userId,
  remaining_amount: Number(row.remainingAmount),
  used_amount: Number(row.usedAmount),
  expired_at: row.expiredAt?.toISOString(),
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
})

export async function servicesOf(transaction: Transaction, rows: readonly ApplicationRow[]) {
  const ids = [...new Set(rows.flatMap((row) => row.serviceId ?? []))]
  const serviceRows = ids.length === 0 ? [] : await transaction.select().from(services).where(inArray(services.id, ids))
  return new Map(serviceRows.map((row) => [row.id, storedServiceView(row)]))
}

type ApplicationRequest = {type: ApplicationRow['type']; scope: ApplicationRow['scope']; serviceId: string | null}

/** The wanted application. Without a scope, a service makes it individual and no service makes it global. */
function wantedApplication(body: z.infer<typeof applicationCreate>): ApplicationRequest {
  const scope = body.scope ?? (body.service_id === undefined ? 'Global' : 'Individual')
  if (scope === 'Individual' && body.service_id === undefined) {
    throw badRequest('applicationNeedsService', 'service_id')
  }
  if (scope === 'Global' && body.service_id !== undefined) {
    throw badRequest('applicationNamesNone', 'service_id')
  }
  return {scope, type: body.type ?? 'Usage', serviceId: body.service_id ?? null}
}

/**
 * POST /applications/: one per user, type and service (one general one per type); a second is `duplication`. The first
 * credits come in the same transaction: `FREE_CREDITS` for the general usage application, the service's free amount for
 * a usage application of one service, each once per user, whatever is deleted and applied for again. A Period
 * application starts expired: buying a package is what gives it time.
 */
export async function createApplication(
  deps: ServerDeps,
  identity: Identity,
  body: z.infer<typeof applicationCreate>,
): Promise<ApplicationRow> {
  const {userId} = identity
  if (body.user_id !== undefined && body.user_id !== userId) throw notFound()
  const request = wantedApplication(body)
  return deps.database.asUser(userId, async (transaction) => {
    const row = await makeApplication(deps, transaction, userId, request)
    if (!row) throw new HttpFailure(409, 'duplication', 'applicationTwice')
    return row
  })
}

/** The user's application of this kind, made with its first credits when there is none (or only a deleted one). */
export async function findOrCreateApplication(
  deps: ServerDeps,
  transaction: Transaction,
  userId: string,
  request: ApplicationRequest,
): Promise<ApplicationRow> {
  const newApplication = await makeApplication(deps, transaction, userId, request)
  if (newApplication) return newApplication
  const [present] = await transaction.select().from(applications).where(isWanted(request))
  if (!present) throw notFound()
  return present
}

/** `undefined` when there is a live one. */
async function makeApplication(
  deps: ServerDeps,
  transaction: Transaction,
  userId: string,
  request: ApplicationRequest,
): Promise<ApplicationRow | undefined> {
  const service = request.serviceId === null ? undefined : await findService(transaction, request.serviceId)
  if (request.serviceId !== null && !service) throw notFound()
  const row =
    (await insertApplication(deps, transaction, userId, request)) ??
    (await restoreApplication(deps, transaction, request))
  if (!row) return undefined
  if (request.type === 'Usage') {
    const free = service
      ? {amount: service.freeAmount, reference: `grant:service:${service.id}:${userId}`}
      : {amount: deps.config.freeCredits, reference: `grant:free:${userId}`}
    await grantCredits(transaction, {applicationId: row.id, userId, ...free})
  }
  const [grantedRow] = await transaction.select().from(applications).where(eq(applications.id, row.id))
  return grantedRow ?? row
}

/** In the user's own transaction, where row-level security leaves the user's alone. */
const isWanted = ({type, scope, serviceId}: ApplicationRequest) =>
  and(
    eq(applications.type, type),
    eq(applications.scope, scope),
    serviceId === null ? isNull(applications.serviceId) : eq(applications.serviceId, serviceId),
  )

async function insertApplication(
  deps: ServerDeps,
  transaction: Transaction,
  userId: string,
  request: ApplicationRequest,
) {
  const now = deps.now()
  const [row] = await transaction
    .insert(applications)
    .values({userId, ...request, expiredAt: request.type === 'Period' ? now : null, createdAt: now, updatedAt: now})
    .onConflictDoNothing()
    .returning()
  return row
}

/** A deleted application comes back as it was. */
async function restoreApplication(deps: ServerDeps, transaction: Transaction, request: ApplicationRequest) {
  const [earlierRow] = await transaction.select().from(applications).where(isWanted(request)).for('update')
  if (!earlierRow?.deletedAt) return undefined
  const [row] = await transaction
    .update(applications)
    .set({deletedAt: null, updatedAt: deps.now()})
    .where(eq(applications.id, earlierRow.id))
    .returning()
  return row
}

/** DELETE /applications/{id}: hides it and revokes its keys. The row stays: its ledger is the credits' account. */
export async function deleteApplication(deps: ServerDeps, identity: Identity, id: string): Promise<void> {
  await deps.database.asUser(identity.userId, async (transaction) => {
    const now = deps.now()
    const [row] = await transaction
      .update(applications)
      .set({deletedAt: now, updatedAt: now})
      .where(and(eq(applications.id, id), isNull(applications.deletedAt)))
      .returning({id: applications.id})
    if (!row) throw notFound()
    await transaction
      .update(credentials)
      .set({revokedAt: now, updatedAt: now})
      .where(and(eq(credentials.applicationId, id), isLive(now)))
  })
}
