import {randomBytes, scryptSync} from 'node:crypto'

/**
 * A hash says what it cost. Registration's own takes a sixth of a second of a processor, which is not what most tests
 * are about.
 */
export function cheapHash(password: string): string {
  const [N, r, p, salt] = [16, 1, 1, randomBytes(16)]
  const key = scryptSync(password, salt, 32, {N, r, p})
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}
