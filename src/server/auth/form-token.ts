import type {ServerDeps} from '../deps.ts'
import {isSameSecret, randomToken} from '../secrets.ts'

/** Name of the cookie that proves that this browser got the form. It signs nobody in. */
export const formCookieName = 'atrium_form'
/** A form that was open longer is shown again. */
const lifeSeconds = 12 * 60 * 60

type Deps = Pick<ServerDeps, 'now' | 'secrets'>
const cookiePattern = /^([\w-]{43})\.(\d{1,12})$/

const isLive = (deps: Deps, value: string | undefined): value is string => {
  const issuedAt = Number(cookiePattern.exec(value ?? '')?.[2] ?? Number.NaN)
  const age = deps.now().getTime() / 1000 - issuedAt
  return age >= -60 && age < lifeSeconds
}

/** The cookie's value for a form about to be shown; the one there stays, so that two tabs do not spoil each other. */
export const formCookie = (deps: Deps, present: string | undefined): string =>
  isLive(deps, present) ? present : `${randomToken()}.${Math.floor(deps.now().getTime() / 1000)}`

/** The hidden field that belongs to a cookie. */
export const formToken = (deps: Deps, cookie: string): string => deps.secrets.sign('form', `login:${cookie}`)

/** Double submit: the field must be the signature of the cookie, which a foreign page can neither read nor compute. */
export function isOwnForm(deps: Deps, cookie: string | undefined, field: string | undefined): boolean {
  return isLive(deps, cookie) && field !== undefined && isSameSecret(formToken(deps, cookie), field)
}
