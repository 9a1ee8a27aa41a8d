import {useSelector} from '@xstate/react'
import {AuthPage} from '#features/auth/auth-page.tsx'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {type AuthSnapshot} from '#machines/auth/auth.machine.ts'
import {type StartupSnapshot} from '#machines/startup/startup.machine.ts'
import {useAppActor} from './actors.context.tsx'

/** What stands over the page instead of letting one work in it. */
export type GateView = 'open' | 'redirecting' | 'loop' | 'loginFailed' | 'startFailed' | 'ended'

/** From the states of start-up and sign-in (screens.md §14). The page below stays as it is. */
export function gateView(startup: StartupSnapshot, auth: AuthSnapshot): GateView {
  if (auth.hasTag('loop')) return 'loop'
  if (auth.matches({redirecting: 'failed'})) return 'loginFailed'
  if (startup.hasTag('failed')) return startup.context.step === 'login' ? 'loginFailed' : 'startFailed'
  if (auth.hasTag('leaving') || startup.hasTag('redirecting')) return 'redirecting'
  if (startup.hasTag('ready') && auth.matches('signedOut')) return 'ended'
  return 'open'
}

export function useGateView(): GateView {
  const startup = useSelector(useAppActor('startup'), (snapshot) => snapshot)
  const auth = useSelector(useAppActor('auth'), (snapshot) => snapshot)
  return gateView(startup, auth)
}

export function Gate({view}: {view: Exclude<GateView, 'open'>}) {
  const text = useText()
  const startup = useAppActor('startup')
  const auth = useAppActor('auth')
  const signIn = () => auth.send({type: 'login.request'})
  const retry = () => {
    if (startup.getSnapshot().hasTag('failed')) startup.send({type: 'startup.retry'})
    else signIn()
  }
  switch (view) {
    case 'redirecting':
      return <AuthPage busy title={text('index.authRedirecting')} />
    case 'loop':
      return (
        <AuthPage failed title={text('index.authLoop')} help={text('index.authLoopHelp')}>
          <Button variant="primary" onClick={signIn}>
            {text('index.authGo')}
          </Button>
        </AuthPage>
      )
    case 'loginFailed':
      return (
        <AuthPage failed title={text('index.authFailed')} help={text('index.authFailedHelp')}>
          <Button variant="primary" onClick={retry}>
            {text('common.retry')}
          </Button>
        </AuthPage>
      )
    case 'startFailed':
      return (
        <AuthPage failed title={text('index.startFailed')} help={text('index.startFailedHelp')}>
          <Button variant="primary" onClick={retry}>
            {text('common.retry')}
          </Button>
        </AuthPage>
      )
    case 'ended':
      return (
        <AuthPage title={text('index.authEnded')}>
          <Button variant="primary" onClick={signIn}>
            {text('index.signIn')}
          </Button>
        </AuthPage>
      )
  }
}
