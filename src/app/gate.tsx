import {AuthPage} from '#features/auth/auth-page.tsx'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor} from './actors.context.tsx'
import {useWords} from './use-words.ts'
import {type GateView} from './gate-view.ts'

type FailureProps = {view: 'loop' | 'loginFailed' | 'ended'; onSignIn: () => void; onRetry: () => void}

/** Says how a sign-in ended. */
function SignInFailure({view, onSignIn, onRetry}: FailureProps) {
  useWords('account')
  const text = useText()
  switch (view) {
    case 'loop':
      return (
        <AuthPage failed title={text('index.authLoop')} help={text('index.authLoopHelp')}>
          <Button variant="primary" onClick={onSignIn}>
            {text('index.authGo')}
          </Button>
        </AuthPage>
      )
    case 'loginFailed':
      return (
        <AuthPage failed title={text('index.authFailed')} help={text('index.authFailedHelp')}>
          <Button variant="primary" onClick={onRetry}>
            {text('common.retry')}
          </Button>
        </AuthPage>
      )
    case 'ended':
      return (
        <AuthPage title={text('index.authEnded')}>
          <Button variant="primary" onClick={onSignIn}>
            {text('index.signIn')}
          </Button>
        </AuthPage>
      )
  }
}

/** One sentence and an action over the page. */
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
    case 'startFailed':
      return (
        <AuthPage failed title={text('index.startFailed')} help={text('index.startFailedHelp')}>
          <Button variant="primary" onClick={retry}>
            {text('common.retry')}
          </Button>
        </AuthPage>
      )
    default:
      return <SignInFailure view={view} onSignIn={signIn} onRetry={retry} />
  }
}
