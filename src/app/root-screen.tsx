import {Outlet, useLocation, type ErrorComponentProps} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {lazy, Suspense, useEffect} from 'react'
import {Crash} from '#features/shell/crash.tsx'
import {selectTitle} from '#machines/site/site.selectors.ts'
import {useText} from '#ui/text.tsx'
import {useAppActor} from './actors.context.tsx'
import {AppShell} from './app-shell.tsx'
import {titleOf} from './routes/static-data.ts'
import {Overlays} from './shell/overlays.tsx'
import {Skeleton} from './skeleton.tsx'
import {usePage} from './use-page.ts'

const NotFoundPage = lazy(async () => ({default: (await import('#features/shell/not-found-page.tsx')).NotFoundPage}))
const SigningIn = lazy(async () => ({default: (await import('./account/auth-routes.tsx')).SigningIn}))

/** Every page, with what stands above all pages. */
export function RootScreen() {
  useDocumentTitle()
  return (
    <>
      <Outlet />
      <Overlays />
    </>
  )
}

/** Until the first page stands: the frame, or the way back from the login page. */
export function FirstWait() {
  const isReturning = useLocation({select: ({pathname}) => pathname === '/auth/callback'})
  return isReturning ? (
    <Suspense>
      <SigningIn />
    </Suspense>
  ) : (
    <Skeleton />
  )
}

/** "page · site" (design.md §9). */
function useDocumentTitle() {
  const text = useText()
  const site = useSelector(useAppActor('site'), selectTitle) ?? 'Atrium'
  const name = titleOf(text, usePage())
  const title = name === undefined ? site : text('index.documentTitle', {page: name, site})
  useEffect(() => {
    document.title = title
  }, [title])
}

/** An unknown address; the navigation stays. */
export function LostInShell() {
  return (
    <AppShell>
      <NotFoundPage />
    </AppShell>
  )
}

/** A route that could not be loaded or drawn. */
export function RouteCrash({error, reset}: ErrorComponentProps) {
  return <Crash error={error} onReload={reset} />
}
