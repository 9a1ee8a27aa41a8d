import {randomBytes, scryptSync} from 'node:crypto'
import {hashCost} from '#server/auth/hash-cost.ts'

const realCost = {...hashCost}
const cheapCost = {N: 16, r: 1, p: 1}

/** A hash says what it cost. A real one takes a sixth of a second of a processor, which is not what most tests are about. */
export function cheapHash(password: string): string {
  const salt = randomBytes(16)
  const {N, r, p} = cheapCost
  const key = scryptSync(password, salt, 32, cheapCost)
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** From now on each hash of the server is a cheap one; `tests/server/setup.ts` does it for all tests. */
export const lowerHashCost = () => Object.assign(hashCost, cheapCost)
/** From now on a hash costs what it costs a real server. */
export const restoreHashCost = () => Object.assign(hashCost, realCost)
