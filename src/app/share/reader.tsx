import {useActor} from '@xstate/react'
import {StrictMode, Suspense, useEffect, useSyncExternalStore} from 'react'
import {createRoot} from 'react-dom/client'
import {fromPromise} from 'xstate'
import {createManagementCalls, type ManagementDeps} from '#api/management-calls.ts'
import {createUuid} from '#api/random.ts'
import {createSharesApi} from '#api/shares.ts'
import {readPageConfig, type ClientConfig} from '#browser/page-config.ts'
import {sitePage} from '#contract/management.ts'
import type {Log} from '#domain/log.ts'
import {serviceBases} from '#domain/service-bases.ts'
import {siteNameOf} from '#domain/site-name.ts'
import {siteOrigin} from '#domain/site-origin.ts'
import {HighlightWorkerContext, type HighlightWorker} from '#features/chat/markdown/highlight-worker.ts'
import highlightWorker from '#features/chat/markdown/highlight.worker.ts?worker&url'
import {MediaPolicyContext, type MediaPolicy} from '#features/chat/markdown/media-origins.ts'
import {sharedTitle, SharedThread} from '#features/chat/shared-thread.tsx'
import {
  sharedConversationMachine,
  type SharedReading,
} from '#machines/shared-conversation/shared-conversation.machine.ts'
import {LanguageProvider} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {loadFirstWords, type MessageStore} from '../locale-messages.ts'
import {followSystemTheme} from './system-theme.ts'

/** The parts behind the page: there is no session, so every call is sent without a token. */
function createReaderLogic(config: ClientConfig, messages: MessageStore, log: Log) {
  const deps: ManagementDeps = {
    fetch: (input, init) => fetch(input, init),
    baseUrl: config.platform,
    headers: () => ({'accept-language': messages.get()?.locale ?? 'en'}),
    log,
    onUnauthorized: () => undefined,
  }
  const origin = siteOrigin({
    stored: undefined,
    page: location.origin,
    hub: config.hub === location.origin ? undefined : config.hub,
    placeholder: config.siteOrigin,
    createId: createUuid,
  })
  // the conversation is worth reading where its site cannot be named
  const readSite = (signal: AbortSignal) =>
    createManagementCalls(deps)
      .get('/api/v1/sites/', sitePage, signal, {origin})
      .then(
        ({items}) => items[0]?.title ?? undefined,
        () => undefined,
      )
  return sharedConversationMachine.provide({
    actors: {
      readShared: fromPromise<SharedReading, {id: string}>(async ({input, signal}) => {
        const [conversation, site] = await Promise.all([createSharesApi(deps).read(input.id, signal), readSite(signal)])
        return {conversation, site}
      }),
    },
  })
}

type ReaderProps = {
  id: string
  logic: ReturnType<typeof createReaderLogic>
  messages: MessageStore
  media: MediaPolicy
  startHighlighting: () => HighlightWorker
}

const logError = (error: unknown) => console.error(error)

function Reader({messages, media, startHighlighting, ...page}: ReaderProps) {
  const language = useSyncExternalStore(messages.subscribe, messages.get)
  return (
    <LanguageProvider locale={language?.locale ?? 'en'} messages={language?.messages ?? {}} onError={logError}>
      <MediaPolicyContext value={media}>
        <HighlightWorkerContext value={startHighlighting}>
          <Suspense>
            <SharedPage {...page} />
          </Suspense>
        </HighlightWorkerContext>
      </MediaPolicyContext>
    </LanguageProvider>
  )
}

function SharedPage({id, logic}: Pick<ReaderProps, 'id' | 'logic'>) {
  const text = useText()
  const [snapshot, send] = useActor(logic, {input: {id}})
  const {shared} = snapshot.context
  const site = siteNameOf(shared?.site)
  const name = snapshot.matches('missing') ? text('share.missing') : shared && sharedTitle(shared.conversation)
  const page = name === '' ? text('chat.untitled') : name
  const title = page === undefined ? site : text('index.documentTitle', {page, site})
  useEffect(() => {
    document.title = title
  }, [title])
  return <SharedThread snapshot={snapshot} send={send} />
}

/**
 * Shows the conversation of a shared link instead of the app (docs/decisions/0059). Rejects with the failure of a page
 * that is not configured.
 */
export async function showShared(messages: MessageStore, scriptUrl: (url: string) => string, log: Log): Promise<void> {
  const table = serviceBases(location.origin)
  const config = readPageConfig({page: document, environment: import.meta.env, table, log})
  const container = document.getElementById('root')
  if (container === null) throw new Error('The page has no element "root"')
  // an address without a handle belongs to no link
  const id = /^\/share\/([\w-]+)\/?$/.exec(location.pathname)?.[1] ?? 'none'
  // the language that the page's first script chose
  await loadFirstWords(messages, document.documentElement.lang)
  await messages.loadPart('thread')
  followSystemTheme(window)
  createRoot(container).render(
    <StrictMode>
      <Reader
        id={id}
        logic={createReaderLogic(config, messages, log)}
        messages={messages}
        media={{
          pageOrigin: location.origin,
          ownFiles: [new URL(`${config.platform}/api/v1/shares/${id}/files/`, location.href).href],
          foreignImages: config.foreignImages ?? true,
        }}
        startHighlighting={() => new Worker(scriptUrl(highlightWorker), {type: 'module'})}
      />
    </StrictMode>,
  )
}
