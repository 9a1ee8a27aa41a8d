import {useSelector} from '@xstate/react'
import {Suspense, type ComponentProps} from 'react'
import {siteNameOf} from '#domain/site-name.ts'
import {LoginDialog} from '#features/auth/login-dialog.tsx'
import {QrDialog} from '#features/auth/qr-dialog.tsx'
import {FirstRunDialog} from '#features/shell/first-run-dialog.tsx'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import {selectQrLink} from '#machines/auth/auth.selectors.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {selectFailures} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {TestBadge} from '#features/shell/test-badge.tsx'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useWords} from '../use-words.ts'
import {firstRun, useFirstRunDismissed} from './first-run.ts'

/* Dialogs around a sign-in and the badge of test mode, in words that come with them. */

const useSiteTitle = () => siteNameOf(useSelector(useAppActor('site'), selectSite)?.title)

type LoginProps = {auth: AuthActor} & Pick<ComponentProps<typeof LoginDialog>, 'source' | 'onRedirect'>

/** Its QR link never outlives it. */
export function LoginView({auth, ...props}: LoginProps) {
  const title = useSiteTitle()
  const link = useSelector(auth, selectQrLink)
  const hasFailed = useSelector(auth, (snapshot) => snapshot.context.failure !== undefined)
  const View = hasFailed ? FailedLogin : LoginDialog
  return (
    <View open siteTitle={title} {...props}>
      <Suspense>{link !== undefined && <Qr link={link} onClose={() => auth.send({type: 'qr.close'})} />}</Suspense>
    </View>
  )
}

/** Says that the sign-in before failed. */
function FailedLogin(props: ComponentProps<typeof LoginDialog>) {
  useWords('account')
  return <LoginDialog {...props} failed />
}

function Qr(props: ComponentProps<typeof QrDialog>) {
  useWords('account')
  useWords('console')
  return <QrDialog {...props} />
}

type StartProps = {provisioning: ProvisioningActor}

export function Start({provisioning}: StartProps) {
  useWords('account')
  const title = useSiteTitle()
  const isApplying = useSelector(provisioning, (snapshot) => snapshot.hasTag('applying'))
  const failure = useSelector(provisioning, (snapshot) => selectFailures(snapshot).application?.code)
  const isDismissed = useFirstRunDismissed()
  const {termsLink} = useAppInfo()
  return (
    <FirstRunDialog
      open={!isDismissed}
      siteTitle={title}
      termsLink={termsLink}
      applying={isApplying}
      failure={failure}
      onStart={() => provisioning.send({type: 'application.apply', termsAccepted: true})}
      onClose={() => firstRun.setDismissed(true)}
    />
  )
}

export function Badge() {
  useWords('account')
  return <TestBadge />
}
