import {useSelector} from '@xstate/react'
import {createContext, useContext, useState, type ReactNode} from 'react'
import {type AppActor} from '#machines/app/app.machine.ts'
import {type AuthActor} from '#machines/auth/auth.machine.ts'
import {type ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {type EnvironmentActor} from '#machines/environment/environment.machine.ts'
import {type NoticesActor} from '#machines/notices/notices.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import {type PreferencesActor} from '#machines/preferences/preferences.machine.ts'
import {type ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {type SessionActor} from '#machines/session/session.machine.ts'
import type {SignOutQuestionActor} from '#machines/sign-out-question/sign-out-question.machine.ts'
import type {SiteAccessActor} from '#machines/site-access/site-access.machine.ts'
import {type SiteActor} from '#machines/site/site.machine.ts'
import {type StartupActor} from '#machines/startup/startup.machine.ts'
import type {TasksActor} from '#machines/tasks/tasks.machine.ts'

/** Actors of the system by id (docs/architecture.md §2). */
type SystemActors = {
  environment: EnvironmentActor
  startup: StartupActor
  auth: AuthActor
  site: SiteActor
  preferences: PreferencesActor
  notices: NoticesActor
  session: SessionActor
  conversations: ConversationListActor
  'provisioning/chat': ProvisioningActor
  tasks: TasksActor
  player: PlayerActor
  siteAccess: SiteAccessActor
  signOutQuestion: SignOutQuestionActor
}
type RootId = 'environment' | 'startup' | 'auth' | 'site' | 'preferences' | 'notices'

const RootContext = createContext<AppActor | undefined>(undefined)

export function ActorsProvider({root, children}: {root: AppActor; children: ReactNode}) {
  return <RootContext value={root}>{children}</RootContext>
}

/** The root actor, for the few views that need all of it. */
export function useRoot(): AppActor {
  const root = useContext(RootContext)
  if (root === undefined) throw new Error('There is no ActorsProvider')
  return root
}

/** The current actor with a system id. */
export const actorOf = <Id extends keyof SystemActors>(root: AppActor, id: Id): SystemActors[Id] | undefined =>
  // as: the actor system is not typed by id; SystemActors lists what the machines register
  root.system.get(id) as SystemActors[Id] | undefined

/** An actor that lives as long as the page. While a crashed one is replaced, the view keeps showing its last state. */
export function useAppActor<Id extends RootId>(id: Id): SystemActors[Id] {
  const root = useRoot()
  const running = useSelector(root, () => actorOf(root, id))
  const [last, setLast] = useState(running)
  if (running !== undefined && running !== last) setLast(running)
  const actor = running ?? last
  if (actor === undefined) throw new Error(`The actor "${id}" is not running`)
  return actor
}

/** An actor that lives as long as a user is signed in. */
export function useSessionActor<Id extends 'conversations' | 'provisioning/chat' | 'tasks' | 'player' | 'siteAccess'>(
  id: Id,
): SystemActors[Id] | undefined {
  const root = useRoot()
  const session = useSelector(root, () => actorOf(root, 'session'))
  return useSelector(session, () => actorOf(root, id))
}
