import {csvLine} from '#domain/csv.ts'
import type {NamedUsage} from './usage-rows.ts'

const columns = [
  'created_at',
  'api',
  'service',
  'status_code',
  'deducted_amount',
  'remaining_amount',
  'application_id',
  'credential_id',
  'trace_id',
  'metadata',
  'id',
] as const

export const usageHead = csvLine(columns)

/** One row of usage. Times are ISO 8601 in UTC, amounts exact, with six decimals. */
export function usageLine({row, service, title}: NamedUsage): string {
  const values: Record<(typeof columns)[number], string> = {
    created_at: row.createdAt.toISOString(),
    api: title ?? row.apiId,
    service: service?.title ?? '',
    status_code: String(row.statusCode),
    deducted_amount: row.deductedAmount,
    remaining_amount: row.remainingAmount,
    application_id: row.applicationId,
    credential_id: row.credentialId ?? '',
    trace_id: row.traceId,
    metadata: Object.entries(row.metadata)
      .map(([key, value]) => `${key}: ${value}`)
      .join('; '),
    id: row.id,
  }
  return csvLine(columns.map((name) => values[name]))
}
