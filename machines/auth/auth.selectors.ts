import type {AuthSnapshot} from './auth.machine.ts'

/** The user of the running session, or the expected one while the page opens; none after a session has ended. */
export const selectUser = (snapshot: AuthSnapshot) =>
  snapshot.hasTag('undecided') || snapshot.hasTag('authenticated') ? snapshot.context.user : undefined
export const selectQrLink = ({context}: AuthSnapshot) => context.qrLink
/** The login dialog is on screen (spec §4: flow popup and no access token). */
export const selectShowsLoginDialog = (snapshot: AuthSnapshot) => snapshot.hasTag('loginDialog')
