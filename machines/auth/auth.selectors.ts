import type {AuthSnapshot} from './auth.machine.ts'

export const selectUser = ({context}: AuthSnapshot) => context.user
export const selectQrLink = ({context}: AuthSnapshot) => context.qrLink
/** The login dialog is on screen (spec §4: flow popup and no access token). */
export const selectShowsLoginDialog = (snapshot: AuthSnapshot) => snapshot.hasTag('loginDialog')
