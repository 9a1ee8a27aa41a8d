import {map, merge, throttleTime, type Subscription} from 'rxjs'
import {toSessionToken} from '#domain/session-token.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import type {AuthActor} from '#machines/auth/auth.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import {createOnce, type AppActors} from './app-actors.ts'
import {persistRunning, type ChatSlice} from './persistence.ts'
import {followsSystemOf} from './preferences.logic.ts'
import type {RootDeps} from './root-deps.ts'

/** Undo of notices, the embedded login page, and what failed for an old token; also for parts that were restarted. */
export function connectParts(deps: RootDeps, root: AppActor, actors: AppActors, frameState: () => string | undefined) {
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

/** What failed is asked again: what runs elsewhere, set-up of the chat and of each media tool that is used. */
function repeatFailed(actors: AppActors) {
  actors.session()?.send({type: 'tasks.seek'})
  const tools = actors.session()?.getSnapshot().context.tools ?? []
  for (const provisioning of [actors.provisioning(), ...tools.map(actors.toolProvisioning)]) {
    const value = provisioning?.getSnapshot().value
    if (value === undefined) continue
    if ([value.service, value.applications, value.credential].includes('error')) {
      provisioning?.send({type: 'provision.refresh'})
    }
  }
}

/** What failed because its token was old is asked again with the new one. */
function repeatAfterRefresh(auth: AuthActor, actors: AppActors) {
  let access = auth.getSnapshot().context.token?.access
  auth.subscribe(({context: {token}}) => {
    if (token === undefined || token.access === access) return
    access = token.access
    repeatFailed(actors)
  })
}

/** Milliseconds; one notice is enough for what fails meanwhile. */
const noticeDuration = 15_000

/** Storage is blocked or full (security R58): everything works until the page is left. */
export const connectStorage = ({createUuid, state, bulk}: RootDeps, actors: AppActors) =>
  merge(state.volatile$, bulk.failed$)
    .pipe(throttleTime(noticeDuration))
    .subscribe(() =>
      actors.notices()?.send({
        type: 'notice.show',
        notice: {id: createUuid(), kind: 'warning', textId: 'common.storageBlocked', duration: noticeDuration},
      }),
    )

/** Signing out, refreshing, the site, language, theme and new messages of one tab reach all (security R15, R16, R57). */
export function connectTabs({tabs, state, page}: RootDeps, actors: AppActors, chat: ChatSlice) {
  const endSession = (epoch: number) => {
    state.adoptEpoch(epoch)
    chat.clear()
    actors.auth()?.send({type: 'session.ended', epoch})
  }
  const subscription = tabs.facts$.subscribe((fact) => {
    if (fact.type === 'session.ended') return endSession(fact.epoch)
    if (fact.type !== 'token.stored') return actors.conversations()?.send(fact)
    const {token} = state.read()
    if (token !== undefined) actors.auth()?.send({type: 'token.adopted', token, epoch: fact.epoch})
  })
  subscription.add(
    state.changes$.subscribe(({epoch, state: {token, locale, dark, setting, site}}) => {
      // the word of a new token may be here before the token: storage and messages travel on their own
      if (token !== undefined && epoch === state.epoch()) actors.auth()?.send({type: 'token.adopted', token, epoch})
      // read or edited by another tab
      if (site !== undefined) actors.site()?.send({type: 'site.changed', site})
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

/** What failed without a network is asked again with it; what is not stored yet is stored while the page is still there. */
export function connectPage(deps: RootDeps, actors: AppActors) {
  const environment = actors.environment()
  const store = () => {
    const conversations = actors.conversations()
    if (conversations !== undefined) persistRunning(deps, conversations.getSnapshot().context.userId, conversations)
    deps.bulk.leave()
  }
  environment.on('connection.restored', () => repeatFailed(actors))
  environment.on('page.hidden', store)
  environment.on('page.leaving', store)
}

export const connectTheme = ({page}: RootDeps, actors: AppActors) =>
  page.systemTheme$.subscribe((theme) => actors.preferences()?.send({type: 'systemTheme.changed', theme}))

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
