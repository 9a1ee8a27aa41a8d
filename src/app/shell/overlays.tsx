import {useSelector} from '@xstate/react'
import {lazy, Suspense, useMemo, type ComponentProps} from 'react'
import {siteNameOf} from '#domain/site-name.ts'
import {TestBadge} from '#features/shell/bars.tsx'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {selectQrLink, selectShowsLoginDialog} from '#machines/auth/auth.selectors.ts'
import {selectNotices} from '#machines/notices/notices.selectors.ts'
import {type ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {selectFailures} from '#machines/provisioning/provisioning.selectors.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useAppInfo} from '../app-info.tsx'
import {useAppActor, useSessionActor} from '../actors.context.tsx'
import {useWords} from '../use-words.ts'
import {Layers} from './layers.tsx'
import {firstRun, useFirstRunDismissed} from './first-run.ts'
import {noticesPart} from './notices-part.ts'

// not `lazyView`: without a network it waits, though the part is there
const Notices = lazy(async () => ({default: await noticesPart.load()}))
// a small file, which comes before the dialog does
const LoginWait = lazyView(async () => (await import('#features/auth/login-help.tsx')).LoginWait)
const LoginDialog = lazyView(async () => (await import('#features/auth/login-dialog.tsx')).LoginDialog)
const Qr = lazyView(async () => (await import('./start-dialogs.tsx')).Qr)
const Start = lazyView(async () => (await import('./start-dialogs.tsx')).Start)

/** Layers above every page: notices, the login, QR and start dialogs, the palette and the settings, the test badge. */
export function Overlays() {
  const {isTest} = useAppInfo()
  return (
    <ZoneBoundary zone="overlays" floating>
      <Suspense>
        <Messages />
      </Suspense>
      <Login />
      <Suspense>
        <FirstRun />
      </Suspense>
      <Suspense>
        <Layers />
      </Suspense>
      {isTest && <TestBadge />}
    </ZoneBoundary>
  )
}

/**
 * The code of the notices is loaded ahead (`after-start.ts`), at the latest with the first one. Where it is lost, a card
 * stands for the notices, and goes when they do.
 */
function Messages() {
  const notices = useAppActor('notices')
  const shownNotices = useSelector(notices, selectNotices)
  const dismiss = () => shownNotices.forEach(({id}) => notices.send({type: 'notice.dismiss', id}))
  return (
    shownNotices.length > 0 && (
      <ZoneBoundary zone="notices" floating onDismiss={dismiss}>
        <Notices />
      </ZoneBoundary>
    )
  )
}

/** Popup flow: the dialog is open while there is no access token (spec §4); its QR link never outlives it. */
function Login() {
  const auth = useAppActor('auth')
  const title = siteNameOf(useSelector(useAppActor('site'), selectSite)?.title)
  const isOpen = useSelector(auth, selectShowsLoginDialog)
  const link = useSelector(auth, selectQrLink)
  const hasFailed = useSelector(auth, (snapshot) => snapshot.context.failure !== undefined)
  const {loginFrame} = useAppInfo()
  const source = useMemo(() => (isOpen ? loginFrame() : undefined), [isOpen, loginFrame])
  if (!isOpen) return null
  const redirect = () => auth.send({type: 'login.redirect'})
  const View = hasFailed ? FailedLogin : LoginDialog
  return (
    <Suspense
      fallback={
        <Suspense>
          <LoginWait onRedirect={redirect} />
        </Suspense>
      }
    >
      <View open siteTitle={title} source={source} onRedirect={redirect}>
        <Suspense>{link !== undefined && <Qr link={link} onClose={() => auth.send({type: 'qr.close'})} />}</Suspense>
      </View>
    </Suspense>
  )
}

/** Says that the sign-in before failed, in words that come with it. */
function FailedLogin(props: ComponentProps<typeof LoginDialog>) {
  useWords('account')
  return <LoginDialog {...props} failed />
}

const selectStart = (snapshot: ProvisioningSnapshot | undefined) =>
  snapshot?.hasTag('needsApplication') !== true ? 'no' : snapshot.hasTag('applying') ? 'applying' : 'asked'

function FirstRun() {
  const provisioning = useSessionActor('provisioning/chat')
  const title = siteNameOf(useSelector(useAppActor('site'), selectSite)?.title)
  const state = useSelector(provisioning, selectStart)
  const failure = useSelector(provisioning, (snapshot) => snapshot && selectFailures(snapshot).application?.code)
  const isDismissed = useFirstRunDismissed()
  const {termsLink} = useAppInfo()
  if (state === 'no' || provisioning === undefined) return null
  return (
    <Start
      open={!isDismissed}
      siteTitle={title}
      termsLink={termsLink}
      applying={state === 'applying'}
      failure={failure}
      onStart={() => provisioning.send({type: 'application.apply', termsAccepted: true})}
      onClose={() => firstRun.setDismissed(true)}
    />
  )
}
