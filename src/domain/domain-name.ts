import type {DomainErrorCode} from './domain-errors.ts'

function labelError(label: string): DomainErrorCode | undefined {
  if (label.length < 1) return 'LABEL_TOO_SHORT'
  if (label.length > 63) return 'LABEL_TOO_LONG'
  if (label.startsWith('-')) return 'LABEL_STARTS_WITH_DASH'
  if (label.endsWith('-')) return 'LABEL_ENDS_WITH_DASH'
  return /^[a-z0-9_-]+$/i.test(label) ? undefined : 'LABEL_INVALID_CHARS'
}

/** The first rule that a domain name breaks, or `undefined`. @throws TypeError if it is not a string (spec §5) */
export function checkDomainName(name: unknown): DomainErrorCode | undefined {
  if (typeof name !== 'string') throw new TypeError('Domain name must be a string.')
  if (name.length < 1) return 'DOMAIN_TOO_SHORT'
  if (name.length > 255) return 'DOMAIN_TOO_LONG'
  for (const label of name.split('.')) {
    const error = labelError(label)
    if (error !== undefined) return error
  }
  return undefined
}
