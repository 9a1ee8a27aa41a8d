import {useSelector} from '@xstate/react'
import {type AuthSnapshot} from '#machines/auth/auth.machine.ts'
import {type StartupSnapshot} from '#machines/startup/startup.machine.ts'
import {useAppActor} from './actors.context.tsx'

/** The view that covers the page and blocks its use. */
export type GateView = 'open' | 'redirecting' | 'loop' | 'loginFailed' | 'startFailed' | 'ended'

/** Derived from the states of start-up and sign-in (screens.md §14). The page below keeps its state. */
function gateView(startup: StartupSnapshot, auth: AuthSnapshot): GateView {
  if (auth.hasTag('loop')) return 'loop'
  if (auth.matches({redirecting: 'failed'})) return 'loginFailed'
  if (startup.hasTag('failed')) return startup.hasTag('loginFailed') ? 'loginFailed' : 'startFailed'
  if (auth.hasTag('leaving') || startup.hasTag('redirecting')) return 'redirecting'
  if (startup.hasTag('ready') && auth.matches('signedOut')) return 'ended'
  return 'open'
}

export function useGateView(): GateView {
  const startup = useSelector(useAppActor('startup'), (snapshot) => snapshot)
  const auth = useSelector(useAppActor('auth'), (snapshot) => snapshot)
  return gateView(startup, auth)
}
