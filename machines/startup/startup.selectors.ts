import type {StartupSnapshot} from './startup.machine.ts'

/** Routes may render. */
export const selectIsReady = (snapshot: StartupSnapshot) => snapshot.hasTag('ready')
/** The browser is on its way to another page. */
export const selectIsRedirecting = (snapshot: StartupSnapshot) => snapshot.hasTag('redirecting')
export const selectIsFailed = (snapshot: StartupSnapshot) => snapshot.hasTag('failed')
export const selectFailure = ({context}: StartupSnapshot) => context.failure
/** The step that failed; a retry repeats it. */
export const selectFailedStep = (snapshot: StartupSnapshot) =>
  snapshot.hasTag('failed') ? snapshot.context.step : undefined
