import {RouterProvider} from '@tanstack/react-router'
import {Suspense, useSyncExternalStore} from 'react'
import {ZoneBoundary} from '#features/shell/zone-boundary.tsx'
import {type AppActor} from '#machines/app/app.machine.ts'
import {LanguageProvider} from '#ui/language.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {ActorsProvider} from './actors.context.tsx'
import {AppInfoContext, type AppInfo} from './app-info.tsx'
import {AppChat} from './chat/app-chat.tsx'
import {useGateView} from './gate-view.ts'
import {type MessageStore} from './locale-messages.ts'
import {type AppRouter} from './router.ts'

const Gate = lazyView(async () => (await import('./gate.tsx')).Gate)

type AppProps = {root: AppActor; router: AppRouter; messages: MessageStore; info: AppInfo}

const noMessages = {}
const logError = (error: unknown) => console.error(error)

/** The whole page below React's root. The actors are already running; React only renders them. */
export function App({root, router, messages, info}: AppProps) {
  const language = useSyncExternalStore(messages.subscribe, messages.get)
  return (
    <LanguageProvider locale={language?.locale ?? 'en'} messages={language?.messages ?? noMessages} onError={logError}>
      <ActorsProvider root={root}>
        <AppInfoContext value={info}>
          <AppChat ports={info.chat} drafts={info.drafts}>
            <ZoneBoundary zone="page">
              <Gated router={router} />
            </ZoneBoundary>
          </AppChat>
        </AppInfoContext>
      </ActorsProvider>
    </LanguageProvider>
  )
}

/** While the gate is closed, the content below is inert but keeps its state. */
function Gated({router}: {router: AppRouter}) {
  const gate = useGateView()
  return (
    <>
      <div inert={gate !== 'open'}>
        <RouterProvider router={router} />
      </div>
      {gate !== 'open' && (
        <ZoneBoundary zone="gate" floating resetKey={gate}>
          <Suspense>
            <Gate view={gate} />
          </Suspense>
        </ZoneBoundary>
      )}
    </>
  )
}
