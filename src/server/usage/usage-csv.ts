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

/**
 * A text as a field of RFC 4180. What a spreadsheet would take for a formula gets an apostrophe in front, after which it
 * is text (OWASP, CSV injection): titles and metadata come from operators and users.
 */
function csvField(text: string): string {
  const inert = /^[\s\u0000-\u001f]*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}

export const csvHead = `${columns.join(',')}\r\n`

/** One row of usage. Times are ISO 8601 in UTC, amounts exact decimals of six places. */
export function csvLine({row, service, title}: NamedUsage): string {
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
  return `${columns.map((name) => csvField(values[name])).join(',')}\r\n`
}
