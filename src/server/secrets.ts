import {createHash, createHmac, hkdfSync, randomBytes} from 'node:crypto'

/**
 * What is derived from the one secret of an installation (`SECRET`, else a 0600 file in the data folder). Tokens that
 * must be shown again are computed, not stored; the database holds hashes only (security R25).
 */
export type Secrets = {
  /** HMAC-SHA-256 in base64url, with a key of its own for each purpose. */
  sign: (purpose: 'refresh' | 'credential' | 'form' | 'file', text: string) => string
}

export function createSecrets(master: Uint8Array): Secrets {
  const keys = new Map<string, Buffer>()
  const key = (purpose: string) => {
    const known = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', master, 'atrium', purpose, 32))
    keys.set(purpose, known)
    return known
  }
  return {sign: (purpose, text) => createHmac('sha256', key(purpose)).update(text).digest('base64url')}
}

/** Random text for tokens, codes and handles: 256 bits in base64url. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** How a token is looked up. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')
