import {eq, sql} from 'drizzle-orm'
import {apiIdOf} from '../platform/service-apis.ts'
import type {Transaction} from '../store/database.ts'
import {usages} from '../store/schema/credits.ts'
import {applications, credentials} from '../store/schema/platform.ts'

export type UsageEntry = {
  userId: string
  applicationId: string
  serviceId: string | null
  /** Name of the API that was called, such as `kling/videos`. */
  api: string
  credentialId: string | null
  statusCode: number
  traceId: string
  /** Credits that were charged, after the ledger has booked them. */
  deductedAmount: string
  metadata: Record<string, string | number>
  createdAt: Date
}

/** Enters one call that reached a provider, with the balance left after it, and adds it to its key's use. */
export async function insertUsage(transaction: Transaction, {api, ...usage}: UsageEntry): Promise<void> {
  const [application] = await transaction
    .select({remainingAmount: applications.remainingAmount, usedAmount: applications.usedAmount})
    .from(applications)
    .where(eq(applications.id, usage.applicationId))
  await transaction.insert(usages).values({...usage, ...application, apiId: apiIdOf(api)})
  if (usage.credentialId === null) return
  await transaction
    .update(credentials)
    .set({usedAmount: sql`${credentials.usedAmount} + ${usage.deductedAmount}::numeric`})
    .where(eq(credentials.id, usage.credentialId))
}
