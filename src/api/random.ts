/** Plain http in a LAN has no `crypto.randomUUID` and no `crypto.subtle`; `getRandomValues` always exists. */
const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count))

/** Base64url without padding (RFC 4648 §5). */
export const toBase64Url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

/** An unguessable text of 256 bits, for `state` and PKCE verifier (security R09). */
export const createSecret = () => toBase64Url(randomBytes(32))

/** A random UUID (RFC 9562, version 4): idempotency keys, client ids. */
export const createUuid = () => {
  const bytes = randomBytes(16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x40 // 16 bytes were asked for
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
