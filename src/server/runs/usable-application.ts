import {and, eq, isNull} from 'drizzle-orm'
import type {Identity} from '../auth/identity.ts'
import {forbidden, HttpFailure, notFound} from '../http/failure.ts'
import type {Transaction} from '../store/database.ts'
import {applications} from '../store/schema/platform.ts'

/**
 * The credential's application, if it is live and covers the service: a general one covers all. Its balance is the
 * ledger's to judge.
 *
 * @throws HttpFailure 404 foreign or deleted, 403 `forbidden` for another service, 403 `used_up` when expired
 */
export async function usableApplication(
  transaction: Transaction,
  {userId, applicationId}: Identity,
  {serviceId, now}: {serviceId: string; now: Date},
): Promise<string> {
  if (applicationId === undefined) throw notFound()
  const [application] = await transaction
    .select()
    .from(applications)
    .where(and(eq(applications.id, applicationId), eq(applications.userId, userId), isNull(applications.deletedAt)))
  if (application === undefined) throw notFound()
  if (application.scope === 'Individual' && application.serviceId !== serviceId)
    throw forbidden('applicationOtherService')
  if (application.expiredAt !== null && application.expiredAt <= now)
    throw new HttpFailure(403, 'used_up', 'applicationExpired', {applicationId})
  return applicationId
}
