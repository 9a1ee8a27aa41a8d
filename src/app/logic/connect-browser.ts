import {merge} from 'rxjs'
import type {AppActor} from '#machines/app/app.machine.ts'
import {findActor} from '#machines/lib/find-actor.ts'
import type {NoticesActor, NoticeAct} from '#machines/notices/notices.machine.ts'
import {selectAreKept, selectNotices} from '#machines/notices/notices.selectors.ts'
import {createOnce, type AppActors} from './app-actors.ts'
import {persistRunning, type ChatSlice} from './persistence.ts'
import {followsSystemOf} from './preferences.logic.ts'
import type {RootDeps} from './root-deps.ts'

/** Deletions wait while the notices that offer to take them back are held, or their view is not there yet. */
function followHeld(root: AppActor, notices: NoticesActor) {
  let heldUndos: readonly NoticeAct[] = []
  const hold = (next: readonly NoticeAct[]) => {
    const before = heldUndos
    heldUndos = next
    const tell = (type: string, undos: readonly NoticeAct[], others: readonly NoticeAct[]) => {
      for (const undo of undos) if (!others.includes(undo)) findActor(root.system, undo.to)?.send({...undo.event, type})
    }
    tell('removal.release', before, next)
    tell('removal.hold', next, before)
  }
  const leave = () => hold([])
  notices.subscribe({
    next: (snapshot) => hold(selectAreKept(snapshot) ? selectNotices(snapshot).flatMap(({undo}) => undo ?? []) : []),
    complete: leave,
    error: leave,
  })
}

/** The buttons of notices, also of those that were restarted. */
export function connectParts(root: AppActor, actors: AppActors) {
  const once = createOnce()
  const look = () => {
    once(actors.notices(), (notices) => {
      notices.on('act.requested', ({act}) => findActor(root.system, act.to)?.send(act.event))
      followHeld(root, notices)
    })
  }
  look()
  root.subscribe(look)
}

/** Milliseconds; one notice covers all failures within them. */
const noticeDuration = 15_000

type StorageDeps = Pick<RootDeps, 'createUuid' | 'timers'> & {
  state: Pick<RootDeps['state'], 'volatile$'>
  bulk: Pick<RootDeps['bulk'], 'failed$'>
}

/** Storage is blocked or full (security R58): everything works until the page is left. */
export function connectStorage({createUuid, timers, state, bulk}: StorageDeps, actors: Pick<AppActors, 'notices'>) {
  let shownAt = -Infinity
  return merge(state.volatile$, bulk.failed$).subscribe(() => {
    const now = timers.now()
    if (Math.abs(now - shownAt) < noticeDuration) return
    shownAt = now
    actors.notices()?.send({
      type: 'notice.show',
      notice: {id: createUuid(), kind: 'warning', textId: 'common.storageBlocked', duration: noticeDuration},
    })
  })
}

/** Signing out, refreshing, site, language, theme and new messages of one tab reach all (security R15, R16, R57). */
export function connectTabs({tabs, state, bulk, page}: RootDeps, actors: AppActors, chat: ChatSlice) {
  const endSession = (epoch: number) => {
    const auth = actors.auth()
    const user = epoch > state.epoch() && auth?.getSnapshot().context.user
    state.adoptEpoch(epoch)
    chat.clear()
    auth?.send({type: 'session.ended', epoch})
    // after it, with the last writes of the session that ends here
    if (user) void bulk.dropUser(user.id)
  }
  const subscription = tabs.facts$.subscribe((fact) => {
    if (fact.type === 'draft.heard' || 'message' in fact) return
    if (!('epoch' in fact)) return actors.conversations()?.send(fact)
    if (fact.type === 'session.ended') return endSession(fact.epoch)
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
      const current = preferences?.getSnapshot().context
      if (locale !== undefined) preferences?.send({type: 'locale.choose', locale})
      const followsSystem = followsSystemOf(setting) ?? current?.followsSystem ?? false
      const theme = dark === undefined ? current?.theme : dark ? 'dark' : 'light'
      if (theme === undefined || (theme === current?.theme && followsSystem === current.followsSystem)) return
      preferences?.send({type: 'theme.choose', theme, followsSystem})
    }),
  )
  subscription.add(
    page.restored$.subscribe(() => {
      if (state.storedEpoch() > state.epoch()) return endSession(state.storedEpoch())
      actors.auth()?.send({type: 'page.restored'})
      // what the other tabs said meanwhile was not heard
      const list = actors.conversations()
      if (list?.getSnapshot().matches('success')) list.send({type: 'conversations.refresh'})
    }),
  )
  return subscription
}

/** Stores unsaved changes before the page is gone. */
export function connectPage(deps: RootDeps, actors: AppActors) {
  const environment = actors.environment()
  const store = () => {
    const conversations = actors.conversations()
    if (conversations !== undefined) persistRunning(deps, conversations.getSnapshot().context.userId, conversations)
    deps.bulk.leave()
  }
  environment.on('page.hidden', store)
  // after all that hear it: an editor saves its text then
  environment.on('page.leaving', () => queueMicrotask(store))
}

export const connectTheme = ({page}: RootDeps, actors: AppActors) =>
  page.systemTheme$.subscribe((theme) => actors.preferences()?.send({type: 'systemTheme.changed', theme}))
