import {Subscription} from 'rxjs'
import {createActor, type InspectionEvent, type Observer} from 'xstate'
import {storedFingerprint} from '#browser/fingerprint.ts'
import {siteOrigin} from '#domain/site-origin.ts'
import {appMachine, type AppActor} from '#machines/app/app.machine.ts'
import type {AppInput} from '#machines/app/app.types.ts'
import {appActors, type AppActors} from './app-actors.ts'
import {createAuthLogic} from './auth.logic.ts'
import {connectPage, connectParts, connectStorage, connectTabs, connectTheme} from './connect-browser.ts'
import {createEnvironmentLogic, environmentInput} from './environment.logic.ts'
import {hostCredential} from './host-credential.ts'
import {createLazyMedia, type LazyMedia} from './lazy-media.ts'
import {loginFrameAddress} from './login-frame.ts'
import {persistParts} from './persist-parts.ts'
import {createChatSlice, type ChatSlice} from './persistence.ts'
import {createPreferencesLogic, initialPreferences} from './preferences.logic.ts'
import type {RootDeps} from './root-deps.ts'
import {createServices, type Services} from './services.ts'
import {createSessionLogic} from './session.logic.ts'
import {createSiteLogic} from './site.logic.ts'
import {createStartupLogic} from './startup.logic.ts'

export type Root = {
  actor: AppActor
  actors: AppActors
  services: Services
  /** Tasks and player; empty until a media tool is used. */
  media: LazyMedia
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
      restored: {token, user: token?.userId === undefined || token.userId === user?.id ? user : undefined},
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
    environment: environmentInput(deps),
    host: origin,
  }
}

/**
 * The root actor with every port filled, not started yet. The one file in which machines, api and browser meet.
 * @param inspect observer of all actors, in development (docs/inspecting.md)
 */
export function createRoot(deps: RootDeps, inspect?: Observer<InspectionEvent>): Root {
  const running: {actors?: AppActors; fingerprint?: string | undefined} = {
    fingerprint: storedFingerprint(deps.state.read().fingerprint),
  }
  const authContext = () => running.actors?.auth()?.getSnapshot().context
  const language = () => running.actors?.preferences()?.getSnapshot().context.locale ?? 'en'
  const services = createServices(deps, {
    accessToken: () => authContext()?.token?.access,
    userId: () => authContext()?.user?.id,
    language,
    fingerprint: () => running.fingerprint,
    credential: hostCredential(() => running.actors?.provisioning()),
    onUnauthorized: (access) => running.actors?.auth()?.send({type: 'token.rejected', access}),
  })
  const media = createLazyMedia(deps, services, {
    userId: () => running.actors?.session()?.getSnapshot().context.user.id,
    language,
    list: (tool) => running.actors?.taskList(tool),
    provisioning: (tool) => running.actors?.toolProvisioning(tool),
    notices: () => running.actors?.notices(),
  })
  const site = () => running.actors?.site()
  const auth = () => running.actors?.auth()
  const frame = loginFrameAddress(deps, site)
  const machine = appMachine.provide({
    actors: {
      environment: createEnvironmentLogic(deps),
      startup: createStartupLogic(deps, (fingerprint) => {
        running.fingerprint = fingerprint
      }),
      auth: createAuthLogic(deps, services, {site, user: () => authContext()?.user, frameState: frame.state}),
      site: createSiteLogic(deps, services, auth),
      preferences: createPreferencesLogic(deps, services),
      session: createSessionLogic(
        deps,
        services,
        {
          notices: () => running.actors?.notices(),
          userId: () => running.actors?.session()?.getSnapshot().context.user.id,
          capabilities: () => running.actors?.conversations()?.getSnapshot().context.capabilities ?? [],
        },
        media,
      ),
    },
    actions: {logCrash: (_, {child, error}) => deps.log('A part of the app broke', {child, error: String(error)})},
  })
  const actor = createActor(machine, {input: rootInput(deps), ...(inspect && {inspect})})
  const actors = appActors(actor)
  running.actors = actors
  const chatSlice = createChatSlice(deps)
  const subscriptions = new Subscription()

  return {
    actor,
    actors,
    services,
    media,
    chatSlice,
    loginFrame: frame.open,
    start() {
      actor.start()
      persistParts({...deps, clock: services.clock}, actor, actors, chatSlice, media)
      subscriptions.add(connectTabs(deps, actors, chatSlice))
      connectPage(deps, actors)
      subscriptions.add(connectTheme(deps, actors))
      connectParts(actor, actors)
      subscriptions.add(connectStorage(deps, actors))
    },
    stop() {
      subscriptions.unsubscribe()
      actor.stop()
    },
  }
}
