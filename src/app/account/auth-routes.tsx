import {useSearch} from '@tanstack/react-router'
import {AuthPage} from '#features/auth/auth-page.tsx'
import {selectShowsLoginDialog} from '#machines/auth/auth.selectors.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'
import {returnTarget} from '../routes/return-target.ts'

/** On the way to the login page; the button is for the one whose browser did not go (screens.md §14). */
export function LoginRoute() {
  const text = useText()
  const auth = useAppActor('auth')
  const search = useSearch({from: '/auth/login'})
  const goToLogin = () => {
    // a dialog that did not come is no way to sign in
    if (selectShowsLoginDialog(auth.getSnapshot())) auth.send({type: 'login.redirect'})
    else auth.send({type: 'login.request', returnPath: returnTarget(search)})
  }
  return (
    <AuthPage busy title={text('index.authRedirecting')} help={text('index.authRedirectingHelp')}>
      <Button onClick={goToLogin}>{text('index.authGo')}</Button>
    </AuthPage>
  )
}

/** Back from the login page, while the code is spent. */
export function SigningIn() {
  return <AuthPage busy title={useText()('index.authSigningIn')} />
}

/** Back from the login page and still not signed in: the code was refused, or there was none. */
export function CallbackRoute() {
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
