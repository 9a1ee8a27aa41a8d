import {useSelector} from '@xstate/react'
import {Suspense, useMemo} from 'react'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {selectShowsLoginDialog} from '#machines/auth/auth.selectors.ts'
import {selectAreWanted} from '#machines/notices/notices.selectors.ts'
import {type ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {usePartWords} from '#ui/part-words.ts'
import {lazyModule, lazyView, useLazy} from '#ui/use-lazy.ts'
import {useAppInfo} from '../app-info.tsx'
import {useAppActor, useSessionActor} from '../actors.context.tsx'
import {Layers} from './layers.tsx'
import {noticesLoad, noticesPart} from './notices-part.ts'

// a small file, which comes before the dialog does
const LoginWait = lazyView(async () => (await import('#features/auth/login-help.tsx')).LoginWait)
const LoginView = lazyView(async () => (await import('./start-dialogs.tsx')).LoginView)
const Start = lazyView(async () => (await import('./start-dialogs.tsx')).Start)
const badge = lazyModule(async () => (await import('./start-dialogs.tsx')).Badge)

/** Layers above every page: notices, the login, QR and start dialogs, the palette and the settings, the test badge. */
export function Overlays() {
  // without it nothing else is lost
  const Badge = useLazy(badge, useAppInfo().isTest)
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
      <Suspense>{Badge && <Badge />}</Suspense>
    </ZoneBoundary>
  )
}

/**
 * The code of the notices is loaded ahead (`after-start.ts`), at the latest with the first one. Where it is lost, a card
 * stands for the notices until it is sent away; the next one loads it anew.
 */
function Messages() {
  const notices = useAppActor('notices')
  return (
    useSelector(notices, selectAreWanted) && (
      <ZoneBoundary zone="notices" floating onDismiss={() => notices.send({type: 'view.dismiss'})}>
        <Notices />
      </ZoneBoundary>
    )
  )
}

function Notices() {
  usePartWords(noticesLoad)
  const View = noticesPart.loaded
  return View && <View />
}

/** Popup flow: the dialog is open while there is no access token (spec §4). */
function Login() {
  const auth = useAppActor('auth')
  const isOpen = useSelector(auth, selectShowsLoginDialog)
  const {loginFrame} = useAppInfo()
  const source = useMemo(() => (isOpen ? loginFrame() : undefined), [isOpen, loginFrame])
  if (!isOpen) return null
  const redirect = () => auth.send({type: 'login.redirect'})
  return (
    <Suspense
      fallback={
        <Suspense>
          <LoginWait onRedirect={redirect} />
        </Suspense>
      }
    >
      <LoginView auth={auth} source={source} onRedirect={redirect} />
    </Suspense>
  )
}

const selectIsStartNeeded = (snapshot: ProvisioningSnapshot | undefined) =>
  snapshot?.hasTag('needsApplication') === true

function FirstRun() {
  const provisioning = useSessionActor('provisioning/chat')
  const isNeeded = useSelector(provisioning, selectIsStartNeeded)
  return isNeeded && provisioning !== undefined && <Start provisioning={provisioning} />
}
