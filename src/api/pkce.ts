import {toBase64Url} from './random.ts'
import {sha256} from './sha256.ts'

const digest = async (bytes: Uint8Array<ArrayBuffer>, subtle: SubtleCrypto | undefined) => {
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  return sha256(bytes)
}

/**
 * S256 challenge of a PKCE verifier (RFC 7636 §4.2).
 * @param source without `subtle` (plain http beyond loopback) our own SHA-256 is used
 */
export const createChallenge = async (verifier: string, source: {subtle?: SubtleCrypto} = crypto) =>
  toBase64Url(await digest(new TextEncoder().encode(verifier), source.subtle))
