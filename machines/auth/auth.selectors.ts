import type {AuthSnapshot} from './auth.machine.ts'

export const selectUser = ({context}: AuthSnapshot) => context.user
export const selectUserId = ({context}: AuthSnapshot) => context.user?.id
export const selectAccessToken = ({context}: AuthSnapshot) => context.token?.access
export const selectQrLink = ({context}: AuthSnapshot) => context.qrLink
export const selectFailure = ({context}: AuthSnapshot) => context.failure
export const selectIsAuthenticated = (snapshot: AuthSnapshot) => snapshot.hasTag('authenticated')
export const selectIsUndecided = (snapshot: AuthSnapshot) => snapshot.hasTag('undecided')
/** The login dialog is on screen (spec §4: flow popup and no access token). */
export const selectShowsLoginDialog = (snapshot: AuthSnapshot) => snapshot.hasTag('loginDialog')
/** The browser is on its way to the login page. */
export const selectIsLeaving = (snapshot: AuthSnapshot) => snapshot.hasTag('leaving')
/** The loop breaker stopped the redirects. */
export const selectIsLooping = (snapshot: AuthSnapshot) => snapshot.hasTag('loop')
