import {Outlet, useLocation, useParams, type ErrorComponentProps} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {Fragment, Suspense, useEffect, useState, useSyncExternalStore} from 'react'
import {conversationTitle} from '#domain/conversation-title.ts'
import {Crash} from '#features/shell/crash.tsx'
import {ScreenWait} from '#features/shell/screen-wait.tsx'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {selectTitle} from '#machines/site/site.selectors.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useText} from '#ui/text.tsx'
import {useAppActor, useRoot, useSessionActor} from './actors.context.tsx'
import {AppShell} from './app-shell.tsx'
import {titleOf} from './routes/static-data.ts'
import {openLayer} from './shell/open-layer.ts'
import {Overlays} from './shell/overlays.tsx'
import {unseenCount} from './shell/unseen-count.ts'
import {useRunningCount} from './shell/use-running-count.ts'
import {Skeleton} from './skeleton.tsx'
import {usePage} from './use-page.ts'

const NotFoundPage = lazyView(async () => (await import('#features/shell/not-found-page.tsx')).NotFoundPage)
const SigningIn = lazyView(async () => (await import('./account/auth-routes.tsx')).SigningIn)

/**
 * Every page, with the layers above all pages. The end of a session renders all of it anew: no view keeps that user's
 * data.
 */
export function RootScreen() {
  const endedSessions = useSelector(useRoot(), (snapshot) => snapshot.context.endedSessions)
  return (
    <Fragment key={endedSessions}>
      <DocumentTitle />
      <Outlet />
      <Overlays />
    </Fragment>
  )
}

/** Shown before the first page: the frame, or the return from the login page. */
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

/** Shown while a screen of the shell loads, so that the previous page does not seem stuck. */
export function NextWait() {
  const text = useText()
  const isOnline = useSelector(useAppActor('environment'), selectIsOnline)
  return <ScreenWait title={titleOf(text, usePage())} isOnline={isOnline} />
}

/**
 * "(2) page · site" (design.md §9, §10): running work, and ends that the user did not see. A component of its own: a
 * changed title renders nothing else.
 */
function DocumentTitle() {
  const text = useText()
  // of the site where our server writes the page, until the site itself is read
  const [serverTitle] = useState(() => document.title)
  const site = useSelector(useAppActor('site'), selectTitle) ?? serverTitle
  const conversation = useConversationTitle()
  const name = titleOf(text, usePage())
  const page = conversation === '' ? text('chat.untitled') : (conversation ?? name)
  const unseen = useSyncExternalStore(unseenCount.subscribe, unseenCount.get)
  const count = useRunningCount() + unseen
  const title = page === undefined ? site : text('index.documentTitle', {page, site})
  useEffect(() => {
    document.title = count === 0 ? title : `(${count}) ${title}`
  }, [count, title])
  return null
}

/** Title of the conversation in the address, as the list shows it; undefined elsewhere, and until it is known. */
function useConversationTitle(): string | undefined {
  const {conversationId} = useParams({strict: false})
  return useSelector(useSessionActor('conversations'), (snapshot) => {
    if (snapshot === undefined || conversationId === undefined) return undefined
    const record = selectItem(snapshot, conversationId)
    return record && conversationTitle(record)
  })
}

/** An unknown address; the navigation stays. */
export function LostInShell() {
  return (
    <AppShell>
      <NotFoundPage onSearch={() => openLayer.set('palette')} />
    </AppShell>
  )
}

/** A route that failed to load or render. */
export function RouteCrash({error, reset}: ErrorComponentProps) {
  return <Crash error={error} onReload={reset} />
}
