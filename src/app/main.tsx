import {StrictMode} from 'react'
import {createRoot as createReactRoot} from 'react-dom/client'
import {mediaTools} from 'virtual:media-tool-list'
import {messageLoaders, partLoaders} from 'virtual:message-loaders'
import {listenToKeys} from '#browser/key-listener.ts'
import {showLanguage} from '#browser/page.ts'
import {usedCommands} from '#browser/remembered-value.ts'
import {installTrustedTypes} from '#browser/trusted-types.ts'
import {defaultLocale} from '#domain/locale.ts'
import {testServices} from '#domain/service-bases.ts'
import {loginFrameId} from '#features/auth/login-frame-id.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {loadPart, ownScript} from '#ui/load-part.ts'
import {App} from './app.tsx'
import {createChatPorts} from './chat/chat-ports.ts'
import {createDrafts, type Drafts} from './chat/drafts.ts'
import {idOfKey} from './chat/id-of-key.ts'
import {createBrowserDeps} from './logic/browser-deps.ts'
import {createRoot, type Root} from './logic/root.ts'
import type {RootDeps} from './logic/root-deps.ts'
import {loadTools, toolWords} from './media/load-tools.ts'
import {createMediaTools} from './media/media-tools.ts'
import {createMessageStore, loadFirstWords} from './locale-messages.ts'
import {firstRun} from './shell/first-run.ts'
import {openLayer} from './shell/open-layer.ts'
import {noteFlow} from './note-flow.ts'
import {moveFocusOnNavigation} from './route-focus.ts'
import {createPageFetch} from './page-fetch.ts'
import {createAppRouter, type AppRouter} from './router.ts'
import {createTabUser} from './tab-user.ts'

/** Held until the page closes: the worker does not forget its build meanwhile. None without https. */
function holdBuild() {
  const locks = navigator.locks as LockManager | undefined // as: missing without https
  const name = new URL(ownScript).pathname
  locks?.request(name, {mode: 'shared'}, () => new Promise<never>(() => undefined)).catch(() => undefined)
}
holdBuild()

const log = (message: string, details?: unknown) => console.warn(message, details ?? '')

const {scriptUrl} = installTrustedTypes()
const messages = createMessageStore(messageLoaders, log, {...partLoaders, ...toolWords})
messages.subscribe(() => showLanguage(messages.get()?.locale ?? defaultLocale))

/** Developers see the actors at work with `?inspect` (docs/inspecting.md); no byte of it is in a build. */
const openInspector = async () =>
  import.meta.env.DEV ? (await import('./inspector/open-inspector.ts')).openInspector() : undefined

/** `fetch` of the page. */
const pageFetch = createPageFetch(() =>
  loadPart(async () => (await import('./chat/streams.ts')).openStreams(scriptUrl)),
)

/** The drafts are those of the user; with a session ends what was said and noted during it. */
function followUser({actor, actors}: Root, drafts: Drafts, forgetFlow: () => void) {
  let endedSessions = 0
  const follow = () => {
    const auth = actors.auth()
    if (auth !== undefined) drafts.follow(selectUser(auth.getSnapshot())?.id)
    const sessions = actor.getSnapshot().context.endedSessions
    if (sessions !== endedSessions) {
      firstRun.setDismissed(false)
      openLayer.set(undefined)
      usedCommands.set([])
      forgetFlow()
    }
    endedSessions = sessions
  }
  follow()
  actor.subscribe(follow)
}

/** Tells the tab who is signed in; the login page of the app is left then, in whatever way it happened. */
function followSession({actor, actors}: Root, router: AppRouter, onUser: (userId: string) => void) {
  let current = actors.session()
  actor.subscribe(() => {
    const [before, session] = [current, actors.session()]
    current = session
    if (session === undefined || session === before) return
    onUser(session.getSnapshot().context.user.id)
    const isWaiting = router.state.status === 'idle' && router.state.location.pathname.startsWith('/auth/')
    if (before === undefined && isWaiting) void router.invalidate()
  })
}

/** The language of the cookie goes before the stored one. */
async function loadShownLanguage({actors}: Root, {cookies}: RootDeps) {
  const preferences = actors.preferences()
  const shownLocale = preferences?.getSnapshot().context.locale
  const locale = cookies.read().locale ?? shownLocale ?? defaultLocale
  if (locale !== shownLocale) preferences?.send({type: 'locale.choose', locale})
  await loadFirstWords(messages, locale)
}

/** The address of the page and what follows it: focus, and which user the tab shows. */
function openRouter(root: Root, deps: RootDeps) {
  const router = createAppRouter({
    auth: () => {
      const auth = root.actors.auth()
      if (auth === undefined) throw new Error('The actor "auth" is not running')
      return auth
    },
    prepareLanguage: () => loadShownLanguage(root, deps),
    prepareWords: messages.loadPart,
  })
  moveFocusOnNavigation(router)
  followSession(root, router, createTabUser(deps.tabUser, router))
  return router
}

/** Without its part the search of the list is a command only where the list is on screen. */
const loadOffers = (root: Root, router: AppRouter) =>
  loadPart(() => import('./commands/offer-search.ts')).then(
    ({offerSearches}) =>
      offerSearches(root, {pathname: () => router.state.location.pathname, go: (href) => router.navigate({href})}),
    (error: unknown) => log('The search of the list has no keys yet', {error: String(error)}),
  )

/** The facts of the installation that all screens know. */
const installationOf = ({mode, platform, api, auth, capabilities}: RootDeps['config']) => ({
  isTest: mode === 'test' || location.origin === testServices.hub,
  termsLink: `${platform}/terms`,
  apiBase: api,
  authBase: auth,
  ...(new URL(platform, location.href).origin === location.origin ? {} : {platformLink: platform}),
  capabilities,
})

async function start() {
  const flow = noteFlow(pageFetch, log, () => ({deps, root}))
  // Before anything else that could read or send the address: a login code is taken out of it (security R11).
  const deps = createBrowserDeps({
    send: flow.send,
    loadLanguage: messages.load,
    loginFrameId,
    environment: import.meta.env,
    log,
    tools: mediaTools,
    loadTools,
  })
  const inspect = await openInspector()
  const root = createRoot(deps, {
    next: (report) => {
      flow.observe(report)
      inspect?.next?.(report)
    },
  })
  flow.resume()
  // The actors run before React renders: a one-time code must not be spent twice by a view that mounts twice.
  root.start()
  const idOf = (key: string) => {
    const items = root.actors.conversations()?.getSnapshot().context.items
    return items && idOfKey(items, key)
  }
  const drafts = createDrafts(deps.bulk, deps.leftDrafts, deps.tabs, idOf)
  followUser(root, drafts, flow.forget)
  root.actors.environment().on('page.leaving', drafts.leave)

  const {config} = deps
  const router = openRouter(root, deps)
  const prepareKeys = listenToKeys(window, () => loadOffers(root, router))
  const chat = createChatPorts({
    root,
    drafts,
    platform: config.platform,
    foreignImages: config.foreignImages ?? true,
    loadWords: messages.loadPart,
    capabilities: config.capabilities,
    scriptUrl,
    deps,
    navigate: (href, options) => void router.navigate({href, ...options}),
  })
  const info = {
    ...installationOf(config),
    loginFrame: root.loginFrame,
    chat,
    state: deps.state,
    bulk: deps.bulk,
    tabs: deps.tabs,
    services: root.services,
    scriptUrl,
    media: createMediaTools(root, deps),
    prepareWords: messages.loadPart,
    drafts,
    flow: flow.log,
    log,
  }
  const container = document.getElementById('root')
  if (container === null) throw new Error('The page has no element "root"')
  // what ends before a hidden page is counted there: nobody waits for its first screen
  const quiet = new Promise((resolve) => {
    setTimeout(resolve, document.hidden ? 0 : 5_000)
    root.actors.environment().on('page.hidden', resolve)
  })
  quiet
    .then(() => loadPart(() => import('./after-start.ts')))
    .then(({afterStart}) =>
      afterStart({root, messages, router, chat, scriptUrl, prepareKeys, cookieDomain: config.cookieDomain, log}),
    )
    .catch((error: unknown) => log('What follows the start is missing', error))
  await loadShownLanguage(root, deps)
  createReactRoot(container).render(
    <StrictMode>
      <App root={root.actor} router={router} messages={messages} info={info} />
    </StrictMode>,
  )
}

/** Readers of a shared conversation need no session: no actor of the app runs. */
const read = async () => (await loadPart(() => import('./share/reader.tsx'))).showShared(messages, scriptUrl, log)

const begin = location.pathname.startsWith('/share/') ? read : start
begin()
  .catch(async (failure: unknown) =>
    (await loadPart(() => import('./config-failure.tsx'))).showConfigFailure(failure, messages),
  )
  .catch((failure: unknown) => {
    log('The page cannot be shown', failure)
    // the first script of the page says so, as for this one if it does not come
    document.querySelector('script[type=module]')?.dispatchEvent(new Event('error'))
  })
