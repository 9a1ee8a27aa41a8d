import type {Failure} from '#domain/failure.ts'
import type {LoginCode} from '#machines/auth/auth.types.ts'

/** What start-up finds in the address and leaves behind in cookies. */
export type PreparedPage = {
  /** A code that was taken out of the address, before any request (security R11). */
  code?: LoginCode
  /** The same page under a date-prefixed sub-domain, when the spec's redirect applies; code and state stripped. */
  redirectTo?: string
}
/** How the stored session or the code turned out. */
export type SessionDecision = {
  authenticated: boolean
  /** There is a token, but the person could not be read. */
  isUnreachable: boolean
  /** A code was spent in vain, or the person could not be read. */
  failure?: Failure
}
export type StartupStep = 'page' | 'session' | 'login' | 'redirect'

export type StartupInput = {flow: 'redirect' | 'popup'}
export type StartupEvent =
  | {type: 'startup.retry'}
  /** Someone signed in after all (another tab, a popup). */
  | {type: 'session.opened'}

export type StartupContext = StartupInput & {
  page: PreparedPage
  hasOrigin: boolean
  session?: SessionDecision
  failure?: Failure
  /** The step that failed: what a retry repeats. */
  step: StartupStep
}
/** `ready`: routes may render. `redirecting`: the browser is leaving. */
export type StartupTag = 'ready' | 'redirecting' | 'failed' | 'busy'
