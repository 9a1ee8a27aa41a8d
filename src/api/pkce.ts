import {toBase64Url} from './random.ts'

const digest = async (bytes: Uint8Array<ArrayBuffer>, subtle: SubtleCrypto | undefined) => {
  if (subtle !== undefined) return new Uint8Array(await subtle.digest('SHA-256', bytes))
  const {sha256} = await import('./sha256.ts')
  return sha256(bytes)
}

/**
 * S256 challenge of a PKCE verifier (RFC 7636 §4.2).
 * @param subtle missing on plain http beyond loopback: then SHA-256 comes from our own code
 */
export const createChallenge = async (verifier: string, subtle: SubtleCrypto | undefined = crypto.subtle) =>
  toBase64Url(await digest(new TextEncoder().encode(verifier), subtle))
