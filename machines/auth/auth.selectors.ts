import type {AuthSnapshot} from './auth.machine.ts'

/** A session runs, or one is expected while the page opens. */
export const selectIsSignedIn = (snapshot: AuthSnapshot) =>
  snapshot.hasTag('undecided') || snapshot.hasTag('authenticated')
/** The user of the running session, or the expected one while the page opens; none after a session has ended. */
export const selectUser = (snapshot: AuthSnapshot) => (selectIsSignedIn(snapshot) ? snapshot.context.user : undefined)
export const selectQrLink = ({context}: AuthSnapshot) => context.qrLink
/** The login dialog is on screen (spec §4: flow popup and no access token). */
export const selectShowsLoginDialog = (snapshot: AuthSnapshot) => snapshot.hasTag('loginDialog')
