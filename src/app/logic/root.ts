import {map, Subscription} from 'rxjs'
import {createActor, type InspectionEvent, type Observer} from 'xstate'
import {siteOrigin} from '#domain/site-origin.ts'
import {toSessionToken} from '#domain/session-token.ts'
import {appMachine, type AppActor} from '#machines/app/app.machine.ts'
import type {AppInput} from '#machines/app/app.types.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {NoticesActor} from '#machines/notices/notices.machine.ts'
import type {PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import type {SiteActor} from '#machines/site/site.machine.ts'
import type {StartupActor} from '#machines/startup/startup.machine.ts'
import type {TaskListActor} from '#machines/tasks/task-list.machine.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'
import {taskListId, toolProvisioningId} from '#machines/tasks/tasks.types.ts'
import {createAuthLogic} from './auth.logic.ts'
import {createLateMedia, type LateMedia} from './late-media.ts'
import {loginFrameAddress} from './login-frame.ts'
import {
  createChatSlice,
  persistAuth,
  persistConversations,
  persistPreferences,
  persistProvisioning,
  persistRunning,
  persistSite,
  type ChatSlice,
} from './persistence.ts'
import {createPreferencesLogic, followsSystemOf, initialPreferences} from './preferences.logic.ts'
import type {RootDeps} from './root-deps.ts'
import {createServices, type Services} from './services.ts'
import {createSessionLogic} from './session.logic.ts'
import {createSiteLogic} from './site.logic.ts'
import {createStartupLogic} from './startup.logic.ts'

/** The actors of the system by their id (docs/architecture.md §2); those of a session only while there is one. */
export const appActors = (root: AppActor) => ({
  startup: () => findActor<StartupActor>(root.system, 'startup'),
  auth: () => findActor<AuthActor>(root.system, 'auth'),
  site: () => findActor<SiteActor>(root.system, 'site'),
  preferences: () => findActor<PreferencesActor>(root.system, 'preferences'),
  notices: () => findActor<NoticesActor>(root.system, 'notices'),
  session: () => findActor<SessionActor>(root.system, 'session'),
  conversations: () => findActor<ConversationListActor>(root.system, 'conversations'),
  provisioning: () => findActor<ProvisioningActor>(root.system, 'provisioning/chat'),
  tasks: () => findActor<TasksActor>(root.system, 'tasks'),
  player: () => findActor<PlayerActor>(root.system, 'player'),
  /** Set-up and list of one media tool, while it is used. */
  toolProvisioning: (tool: string) => findActor<ProvisioningActor>(root.system, toolProvisioningId(tool)),
  taskList: (tool: string) => findActor<TaskListActor>(root.system, taskListId(tool)),
})
export type AppActors = ReturnType<typeof appActors>

export type Root = {
  actor: AppActor
  actors: AppActors
  services: Services
  /** Tasks and player; empty until a media tool is used. */
  media: LateMedia
  /** The chat's part of the stored state: models last chosen. */
  chatSlice: ChatSlice
  /** A new attempt of the embedded login page. */
  loginFrame: () => string
  /** Starts the actors and connects them with storage, the other tabs and the page. */
  start: () => void
  /** Ends all of it; for tests. */
  stop: () => void
}

function rootInput(deps: RootDeps): AppInput {
  const {config, state, address, createUuid} = deps
  const {token, user, site} = state.read()
  const {origin} = address()
  return {
    auth: {
      flow: config.loginFlow,
      epoch: state.epoch(),
      canRefresh: config.capabilities.includes('refresh'),
      restored: {token, user},
    },
    site: {
      origin: siteOrigin({
        stored: site?.origin,
        page: origin,
        hub: config.hub === origin ? undefined : config.hub,
        placeholder: config.siteOrigin,
        createId: createUuid,
      }),
      restored: site,
    },
    preferences: initialPreferences(deps),
    host: origin,
  }
}

/**
 * The root actor with every port filled, not started yet. The one place where machines, api and browser meet.
 * @param inspect observer of all actors, in development (docs/inspecting.md)
 */
export function createRoot(deps: RootDeps, inspect?: Observer<InspectionEvent>): Root {
  const late: {actors?: AppActors; fingerprint?: string} = {}
  const authContext = () => late.actors?.auth()?.getSnapshot().context
  const services = createServices(deps, {
    accessToken: () => authContext()?.token?.access,
    userId: () => authContext()?.user?.id,
    language: () => late.actors?.preferences()?.getSnapshot().context.locale ?? 'en',
    fingerprint: () => late.fingerprint,
    credentialToken: () => late.actors?.provisioning()?.getSnapshot().context.credential?.token ?? undefined,
    onUnauthorized: (access) => late.actors?.auth()?.send({type: 'token.rejected', access}),
  })
  const media = createLateMedia(deps, services, {
    userId: () => late.actors?.session()?.getSnapshot().context.user.id,
    provisioning: (tool) => late.actors?.toolProvisioning(tool),
  })
  const site = () => late.actors?.site()
  const auth = () => late.actors?.auth()
  const machine = appMachine.provide({
    actors: {
      startup: createStartupLogic(deps, {auth, site, preferences: () => late.actors?.preferences()}, (fingerprint) => {
        late.fingerprint = fingerprint
      }),
      auth: createAuthLogic(deps, services, {site, user: () => authContext()?.user}),
      site: createSiteLogic(deps, services, auth),
      preferences: createPreferencesLogic(deps, services),
      session: createSessionLogic(
        deps,
        services,
        {provisioning: () => late.actors?.provisioning(), notices: () => late.actors?.notices()},
        media,
      ),
    },
    actions: {logCrash: (_, {child, error}) => deps.log('A part of the app broke', {child, error: String(error)})},
  })
  const actor = createActor(machine, {input: rootInput(deps), ...(inspect && {inspect})})
  const known = appActors(actor)
  late.actors = known
  const chatSlice = createChatSlice(deps)
  const frame = loginFrameAddress(deps, site)
  const subscriptions = new Subscription()

  return {
    actor,
    actors: known,
    services,
    media,
    chatSlice,
    loginFrame: frame.open,
    start() {
      actor.start()
      persistParts(deps, actor, known, chatSlice, media)
      subscriptions.add(connectTabs(deps, known, chatSlice))
      subscriptions.add(connectPage(deps, known))
      connectParts(deps, actor, known, frame.state)
      if (deps.state.isVolatile()) warnOfVolatileStorage(deps, known)
    },
    stop() {
      subscriptions.unsubscribe()
      actor.stop()
    },
  }
}

/** Connects each actor it is shown, once. */
function createOnce() {
  const known = new WeakSet<object>()
  return <Actor extends object>(actor: Actor | undefined, connect: (actor: Actor) => void) => {
    if (actor === undefined || known.has(actor)) return
    known.add(actor)
    connect(actor)
  }
}

/** Undo of notices, the embedded login page, and what failed for an old token; also for parts that were restarted. */
function connectParts(deps: RootDeps, root: AppActor, actors: AppActors, frameState: () => string | undefined) {
  const once = createOnce()
  const look = () => {
    once(actors.notices(), (notices) => {
      notices.on('undo.requested', ({undo}) => findActor(root.system, undo.to)?.send(undo.event))
    })
    once(actors.auth(), (auth) => {
      connectLoginFrame(deps, auth, frameState)
      repeatAfterRefresh(auth, actors)
    })
  }
  look()
  root.subscribe(look)
}

/** A list that failed because its token was old is read again with the new one. */
function repeatAfterRefresh(auth: AuthActor, actors: AppActors) {
  let access = auth.getSnapshot().context.token?.access
  auth.subscribe(({context: {token}}) => {
    if (token === undefined || token.access === access) return
    access = token.access
    const provisioning = actors.provisioning()
    const value = provisioning?.getSnapshot().value
    if (value?.service === 'error' || value?.applications === 'error') provisioning?.send({type: 'provision.refresh'})
  })
}

/** Storage is blocked or full (security R58): everything works until the page is left. */
const warnOfVolatileStorage = ({createUuid}: RootDeps, actors: AppActors) =>
  actors.notices()?.send({
    type: 'notice.show',
    notice: {id: createUuid(), kind: 'warning', textId: 'common.storageBlocked', duration: 15_000},
  })

/** Every part that is there now or comes later (a restarted one, a session) is followed by the storage, once. */
function persistParts(deps: RootDeps, root: AppActor, actors: AppActors, chat: ChatSlice, media: LateMedia) {
  const once = createOnce()
  let hadSession = false
  const followSession = (session: SessionActor) => {
    const userId = session.getSnapshot().context.user.id
    const look = () => {
      once(actors.provisioning(), (provisioning) => persistProvisioning(chat, provisioning))
      once(actors.conversations(), (list) => persistConversations(deps, chat, userId, list))
      once(actors.tasks(), media.followTasks)
      once(actors.player(), media.followPlayer)
    }
    look()
    session.subscribe(look)
  }
  const look = () => {
    once(actors.auth(), (auth) => persistAuth(deps, auth))
    once(actors.site(), (site) => persistSite(deps, site))
    once(actors.preferences(), (preferences) => persistPreferences(deps, preferences))
    once(actors.session(), followSession)
    // nothing of a person stays in memory for the next one (security R16)
    const hasSession = actors.session() !== undefined
    if (hadSession && !hasSession) {
      chat.clear()
      media.clear()
    }
    hadSession = hasSession
  }
  look()
  root.subscribe(look)
}

/** Signing out, refreshing, language and theme of one tab reach all (security R15, R16, R57). */
function connectTabs({tabs, state, page}: RootDeps, actors: AppActors, chat: ChatSlice) {
  const endSession = (epoch: number) => {
    state.adoptEpoch(epoch)
    chat.clear()
    actors.auth()?.send({type: 'session.ended', epoch})
  }
  const subscription = tabs.facts$.subscribe((fact) => {
    if (fact.type === 'session.ended') return endSession(fact.epoch)
    const {token} = state.read()
    if (token !== undefined) actors.auth()?.send({type: 'token.adopted', token, epoch: fact.epoch})
  })
  subscription.add(
    state.changes$.subscribe(({epoch, state: {token, locale, dark, setting}}) => {
      // the word of a new token may be here before the token: storage and messages travel on their own
      if (token !== undefined && epoch === state.epoch()) actors.auth()?.send({type: 'token.adopted', token, epoch})
      const preferences = actors.preferences()
      const shown = preferences?.getSnapshot().context
      if (locale !== undefined) preferences?.send({type: 'locale.choose', locale})
      const followsSystem = followsSystemOf(setting) ?? shown?.followsSystem ?? false
      const theme = dark === undefined ? shown?.theme : dark ? 'dark' : 'light'
      if (theme === undefined || (theme === shown?.theme && followsSystem === shown.followsSystem)) return
      preferences?.send({type: 'theme.choose', theme, followsSystem})
    }),
  )
  subscription.add(
    page.restored$.subscribe(() => {
      if (state.storedEpoch() > state.epoch()) endSession(state.storedEpoch())
      else actors.auth()?.send({type: 'page.restored'})
    }),
  )
  return subscription
}

/** Network, theme of the system, and the last moment before the page goes. */
function connectPage(deps: RootDeps, actors: AppActors) {
  const {page, bulk} = deps
  const subscription = page.online$.subscribe((isOnline) => {
    actors.conversations()?.send({type: isOnline ? 'connection.restored' : 'connection.lost'})
    if (isOnline) actors.auth()?.send({type: 'connection.restored'})
  })
  subscription.add(
    page.systemTheme$.subscribe((theme) => actors.preferences()?.send({type: 'systemTheme.changed', theme})),
  )
  // a tab that is only hidden keeps what can be undone
  subscription.add(page.leaving$.subscribe(() => actors.conversations()?.send({type: 'page.hidden'})))
  subscription.add(
    page.hidden$.subscribe(() => {
      const conversations = actors.conversations()
      if (conversations === undefined) return
      persistRunning(deps, conversations.getSnapshot().context.userId, conversations)
      void bulk.flush()
    }),
  )
  return subscription
}

/** The embedded login page is listened to exactly while its dialog is shown (security R14). */
function connectLoginFrame({loginMessages$, timers}: RootDeps, auth: AuthActor, state: () => string | undefined) {
  const facts$ = loginMessages$(state).pipe(
    map((message) =>
      message.name === 'login'
        ? ({type: 'login.received', token: toSessionToken(message.data, timers.now())} as const)
        : ({type: 'qr.received', link: message.data.qrLink} as const),
    ),
  )
  let listening: Subscription | undefined
  const follow = (isShown: boolean) => {
    if (isShown === (listening !== undefined)) return
    listening?.unsubscribe()
    listening = isShown ? facts$.subscribe((fact) => auth.send(fact)) : undefined
  }
  follow(auth.getSnapshot().hasTag('loginDialog'))
  auth.subscribe({
    next: (snapshot) => follow(snapshot.hasTag('loginDialog')),
    complete: () => follow(false),
    error: () => follow(false),
  })
}
