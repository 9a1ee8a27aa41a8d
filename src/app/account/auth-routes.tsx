import {useSearch} from '@tanstack/react-router'
import {AuthPage} from '#features/auth/auth-page.tsx'
import {selectShowsLoginDialog} from '#machines/auth/auth.selectors.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useWords} from '../use-words.ts'
import {useAppActor} from '../actors.context.tsx'
import {returnTarget} from '../routes/return-target.ts'

/** Shown while the browser goes to the login page; the button helps if it does not (screens.md §14). */
export function LoginRoute() {
  useWords('account')
  const text = useText()
  const auth = useAppActor('auth')
  const search = useSearch({from: '/auth/login'})
  const goToLogin = () => {
    // a dialog that failed to load cannot sign in
    if (selectShowsLoginDialog(auth.getSnapshot())) auth.send({type: 'login.redirect'})
    else auth.send({type: 'login.request', returnPath: returnTarget(search)})
  }
  return (
    <AuthPage busy title={text('index.authRedirecting')} help={text('index.authRedirectingHelp')}>
      <Button onClick={goToLogin}>{text('index.authGo')}</Button>
    </AuthPage>
  )
}

/** Shown after the login page, while the code is exchanged. */
export function SigningIn() {
  return <AuthPage busy title={useText()('index.authSigningIn')} />
}

/** Shown after the login page without a session: the code was refused or missing. */
export function CallbackRoute() {
  useWords('account')
  const text = useText()
  const auth = useAppActor('auth')
  const search = useSearch({from: '/auth/callback'})
  return (
    <AuthPage failed title={text('index.authFailed')} help={text('index.authFailedHelp')}>
      <Button variant="primary" onClick={() => auth.send({type: 'login.request', returnPath: returnTarget(search)})}>
        {text('common.retry')}
      </Button>
    </AuthPage>
  )
}
