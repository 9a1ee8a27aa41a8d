import type {Failure} from '#domain/failure.ts'
import type {LoginReturn} from '#domain/login-return.ts'
import type {SessionDecided, SessionDecision} from '#machines/auth/auth.types.ts'
import type {SiteDecided} from '#machines/site/site-decision.ts'

/** The findings of start-up in the address, which it leaves behind in cookies. */
export type PreparedPage = {
  /** A code that was taken out of the address, before any request (security R11). */
  code?: LoginReturn
  /** The same page under a date-prefixed sub-domain, when the spec's redirect applies; code and state stripped. */
  redirectTo?: string
}

export type StartupInput = {flow: 'redirect' | 'popup'}
export type StartupEvent =
  | {type: 'startup.retry'}
  /** A session opened after all (another tab, a popup). */
  | {type: 'session.opened'}
  | SessionDecided
  | SiteDecided

export type StartupContext = StartupInput & {
  page: PreparedPage
  session?: SessionDecision
  failure?: Failure
}
/** `ready`: routes may render. `redirecting`: the browser is leaving. `loginFailed`: it could not leave for it. */
export type StartupTag = 'ready' | 'redirecting' | 'failed' | 'loginFailed' | 'busy'
