import {timingSafeEqual} from 'node:crypto'
import type {ServerDeps} from '../deps.ts'

/**
 * A sign-in on a page that nobody asked for (a bookmark, the address of a QR code) has nowhere to send a code: only the
 * app can begin a login (security R09). So the browser keeps this proof while the app begins one, for a minute, and the
 * login page then answers without asking again. It is signed, spent at its first use and good for nothing else.
 */
export const handoverCookieName = 'atrium_handover'
export const handoverSeconds = 60

type Deps = Pick<ServerDeps, 'now' | 'secrets'>
const pattern = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,12})\.([\w-]{43})$/

export function handoverCookie({now, secrets}: Deps, userId: string): string {
  const body = `${userId}.${Math.floor(now().getTime() / 1000) + handoverSeconds}`
  return `${body}.${secrets.sign('form', `handover:${body}`)}`
}

/** The person who signed in here a moment ago. */
export function readHandover({now, secrets}: Deps, cookie: string | undefined): string | undefined {
  const [, userId, expires, signature] = pattern.exec(cookie ?? '') ?? []
  if (userId === undefined || expires === undefined || signature === undefined) return undefined
  const expected = secrets.sign('form', `handover:${userId}.${expires}`)
  if (!timingSafeEqual(Buffer.from(expected), Buffer.from(signature))) return undefined
  return Number(expires) * 1000 > now().getTime() ? userId : undefined
}
