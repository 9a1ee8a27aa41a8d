import {createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual} from 'node:crypto'
import {linkSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {StartFailure} from './start-failure.ts'

/**
 * Values that are derived from the one secret of an installation (`SECRET`, else a 0600 file in the data folder).
 * Tokens that must be shown again are computed, not stored; the database has hashes only (security R25).
 */
export type Secrets = {
  /** HMAC-SHA-256 in base64url, with a key of its own for each purpose. */
  sign: (
    purpose: 'refresh' | 'credential' | 'form' | 'file' | 'setup' | 'database' | 'payment' | 'limit' | 'installation',
    text: string,
  ) => string
}

export function createSecrets(master: Uint8Array): Secrets {
  const keys = new Map<string, Buffer>()
  const key = (purpose: string) => {
    const secret = keys.get(purpose) ?? Buffer.from(hkdfSync('sha256', master, 'atrium', purpose, 32))
    keys.set(purpose, secret)
    return secret
  }
  return {sign: (purpose, text) => createHmac('sha256', key(purpose)).update(text).digest('base64url')}
}

/**
 * The installation's secret: `SECRET`, else the 0600 file `secret` of the data folder, made at the first start. Written
 * aside and linked, so that two first starts agree and a kill leaves no half secret. Throws `StartFailure`.
 */
export function readMasterSecret(secret: string | undefined, dataDir: string): Buffer {
  if (secret !== undefined) return Buffer.from(secret)
  const file = join(dataDir, 'secret')
  const aside = `${file}.${process.pid}`
  try {
    writeFileSync(aside, randomBytes(48).toString('base64'), {mode: 0o600})
    linkSync(aside, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(aside, {force: true})
  }
  const text = readFileSync(file, 'utf8').trim()
  if (text.length < 32) {
    throw new StartFailure(
      `${file} is damaged: it must hold at least 32 characters. Restore it from a backup, or remove it and let everybody sign in again.`,
    )
  }
  return Buffer.from(text)
}

/** Random text for tokens, codes and handles: 256 bits in base64url. */
export const randomToken = (): string => randomBytes(32).toString('base64url')

/** How a token is looked up. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/** Whether a secret that was sent is our own. Takes the same time for every wrong one of its length. */
export function isSameSecret(ownSecret: string, sentSecret: string): boolean {
  const [ownBytes, sentBytes] = [Buffer.from(ownSecret), Buffer.from(sentSecret)]
  return ownBytes.length === sentBytes.length && timingSafeEqual(ownBytes, sentBytes)
}
