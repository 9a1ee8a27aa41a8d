import type {AppActor} from '#machines/app/app.machine.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import {createOnce, type AppActors} from './app-actors.ts'
import type {LazyMedia} from './lazy-media.ts'
import {
  claimState,
  persistAuth,
  persistConversations,
  persistDeletions,
  persistPreferences,
  persistProvisioning,
  persistSite,
  type ChatSlice,
} from './persistence.ts'
import type {RootDeps} from './root-deps.ts'
import type {Services} from './services.ts'

/**
 * Subscribes the storage to every present and future part (a restarted one, a session), once each; other tabs get
 * messages.
 */
export function persistParts(
  deps: RootDeps & Pick<Services, 'clock'>,
  root: AppActor,
  actors: AppActors,
  chat: ChatSlice,
  media: LazyMedia,
) {
  const once = createOnce()
  let current: SessionActor | undefined
  const followSession = (session: SessionActor) => {
    const userId = session.getSnapshot().context.user.id
    claimState(deps, userId)
    chat.open()
    const look = () => {
      once(actors.provisioning(), (provisioning) => persistProvisioning(chat, provisioning))
      once(actors.conversations(), (list) => {
        persistConversations(deps, chat, userId, list)
        persistDeletions(deps, list)
        list.on('*', (fact) => deps.tabs.tell(fact))
        deps.tabs.tell({type: 'followUps.asked'})
      })
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
    const session = actors.session()
    if (session === current) return
    current = session
    // nothing of a user stays in memory for the next one (security R16)
    chat.clear()
    media.clear()
    if (session !== undefined) followSession(session)
  }
  look()
  root.subscribe(look)
}
