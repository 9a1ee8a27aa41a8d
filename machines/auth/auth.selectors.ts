import type {AuthSnapshot} from './auth.machine.ts'

/** The user whose session runs, or who is expected while the page opens; one whose session ended is nobody's to see. */
export const selectUser = (snapshot: AuthSnapshot) =>
  snapshot.hasTag('undecided') || snapshot.hasTag('authenticated') ? snapshot.context.user : undefined
export const selectQrLink = ({context}: AuthSnapshot) => context.qrLink
/** The login dialog is on screen (spec §4: flow popup and no access token). */
export const selectShowsLoginDialog = (snapshot: AuthSnapshot) => snapshot.hasTag('loginDialog')
