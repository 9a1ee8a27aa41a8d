import {randomBytes, scrypt, timingSafeEqual} from 'node:crypto'
import {createHashQueue} from './hash-queue.ts'

/** scrypt costs 32 MiB and tens of milliseconds a hash; the numbers stand in each hash, so they can be raised later. */
const cost = {N: 2 ** 15, r: 8, p: 3} as const
const keyLength = 32
/** Two hashes at a time: the thread pool also serves files and names. The last of the queue waits for five seconds. */
const takeTurn = createHashQueue({concurrency: 2, longest: 64})

const derive = (password: string, salt: Buffer, {N, r, p}: {N: number; r: number; p: number}): Promise<Buffer> =>
  takeTurn(
    () =>
      new Promise((resolve, reject) => {
        // one password typed on two keyboards may differ in its composed forms
        const text = password.normalize('NFKC')
        scrypt(text, salt, keyLength, {N, r, p, maxmem: 256 * N * r}, (error, key) =>
          error ? reject(error) : resolve(key),
        )
      }),
  )

/** `scrypt$N$r$p$salt$key`, salt and key in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password, salt, cost)
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** The hash of an account without a password; no password matches it. */
export const noPassword = 'none'

/** Checked for an unknown account, so that it takes as long as a wrong password. */
const decoySalt = randomBytes(16)
const hashPattern = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{1,128})\$([\w-]{43})$/

/** `false` for an unknown or unreadable hash, after the same work as for a wrong password. */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, N, r, p, salt, key] = hashPattern.exec(hash ?? '') ?? []
  if (N === undefined || r === undefined || p === undefined || salt === undefined || key === undefined) {
    await derive(password, decoySalt, cost)
    return false
  }
  const derivedKey = await derive(password, Buffer.from(salt, 'base64url'), {N: Number(N), r: Number(r), p: Number(p)})
  return timingSafeEqual(derivedKey, Buffer.from(key, 'base64url'))
}
