import type {User} from '#contract/management.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import type {ParentRef} from '#machines/lib/parent-ref.ts'
import type {Failure} from '#domain/failure.ts'
import type {LoginReturn} from '#domain/login-return.ts'
import type {SessionToken} from '#domain/session-token.ts'

export type LoginFlow = 'redirect' | 'popup'

/**
 * A code that may be exchanged. `isOurs`: a live login transaction of this browser asked for it (security R09); an auth
 * service without PKCE gives no state back, so its codes are nobody's.
 */
export type LoginCode = {code: string; isOurs: boolean; verifier?: string; redirectUri?: string}

/** How the stored session or a code turned out. */
export type SessionDecision = {
  authenticated: boolean
  /** There is a token, but the user could not be read. */
  isUnreachable: boolean
  /** A code could not be exchanged, or the user could not be read. */
  failure?: Failure
}
/** Fact for start-up. */
export type SessionDecided = {type: 'session.decided'} & SessionDecision

export type AuthInput = {
  environment: EnvironmentActor
  parentRef: ParentRef<AuthFact>
  flow: LoginFlow
  /** Counts sign-outs of this browser; a tab with an older one may not write (security R16). */
  epoch: number
  /** The auth service offers refresh tokens (page config). */
  canRefresh: boolean
  restored?: {token?: SessionToken; user?: User}
}

export type AuthEvent =
  /** Start-up found a code in the address. */
  | ({type: 'code.received'} & LoginReturn)
  /** Start-up found no code: the stored session, if any, is resumed. */
  | {type: 'session.resume'}
  /** `returnPath`: the path after the login; absent: the present one. */
  | {type: 'login.request'; returnPath?: string}
  | LoginFrameFact
  /** The embedded page cannot work here (cookies blocked): sign in by redirect. */
  | {type: 'login.redirect'}
  /** The signed-in user has changed their profile, or was read again. */
  | {type: 'user.changed'; user: User}
  | {type: 'qr.close'}
  | {type: 'logout.request'}
  /** The server has deleted the account of the signed-in user. */
  | {type: 'account.deleted'}
  /** A management call with this access token was answered 401. */
  | {type: 'token.rejected'; access: string}
  /** Another tab signed in or refreshed. */
  | {type: 'token.adopted'; token: SessionToken; epoch: number}
  /** Another tab signed out, or this page came back from the history with an old epoch. */
  | {type: 'session.ended'; epoch: number}
  | {type: 'connection.restored'}
  /** The page came back from the browser's history while it was leaving. */
  | {type: 'page.restored'}

export type AuthContext = {
  environment: EnvironmentActor
  parentRef: ParentRef<AuthFact>
  flow: LoginFlow
  epoch: number
  canRefresh: boolean
  token?: SessionToken
  user?: User
  code?: LoginCode
  /** A link the login page wants shown as a QR code; never outlives the dialog. */
  qrLink?: string
  returnPath?: string
  reason: LoginReason
  failure?: Failure
  /** Refreshes that failed in a row. */
  attempts: number
}

/**
 * `absent`: the page opened without a session: it signs out and in as one navigation (spec §4). `deleted`: a sign-out
 * whose login page says that the account is deleted.
 */
export type LoginReason = 'login' | 'logout' | 'deleted' | 'expired' | 'absent'
/** `isForced`: the user asked, so the loop breaker lets it through. */
export type LoginInput = {reason: LoginReason; returnPath?: string; isForced: boolean}
/** `loop`: more than three redirects within a minute; the page stays (security R11). */
export type LoginStart = {kind: 'leaving'} | {kind: 'loop'}

/** Facts for the root. */
export type AuthFact =
  | {type: 'session.opened'; user: User; epoch: number}
  | {type: 'session.closed'}
  /** The same session has another token: what failed for the old one may be asked again. */
  | {type: 'token.renewed'}

/** The reports of the embedded login page; origin, source and shape were checked by the adapter. */
export type LoginFrameFact = {type: 'login.received'; token: SessionToken} | {type: 'qr.received'; link: string}

/**
 * `authenticated`: calls carry a token of a known user. `undecided`: a guard waits. `loginDialog`: the embedded
 * page is shown. `leaving`: the browser goes to the login page. `unreachable`: the user could not be asked for.
 */
export type AuthTag = 'authenticated' | 'undecided' | 'loginDialog' | 'leaving' | 'unreachable' | 'loop'
