import {useSelector} from '@xstate/react'
import {useEffect, useState} from 'react'
import {createActor, fromPromise} from 'xstate'
import type {Site} from '#contract/management.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import type {SessionActor} from '#machines/session/session.machine.ts'
import {
  selectIsEditor,
  siteAccessMachine,
  type SiteAccessActor,
  type SiteAccessSnapshot,
} from '#machines/site-access/site-access.machine.ts'
import {actorOf, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import type {Services} from '../logic/services.ts'

const started = new WeakMap<SessionActor, SiteAccessActor>()

/** The one actor of the session, once it was used. */
function runningAccess(root: AppActor): SiteAccessActor | undefined {
  const session = actorOf(root, 'session')
  return session && started.get(session)
}

/** The one actor of the session, started with its first use; it ends with the session. Not while a view is drawn. */
export function siteAccessOf(root: AppActor, {management}: Pick<Services, 'management'>): SiteAccessActor | undefined {
  const [session, site] = [actorOf(root, 'session'), actorOf(root, 'site')]
  if (session === undefined || site === undefined) return undefined
  const running = started.get(session)
  if (running !== undefined) return running
  const machine = siteAccessMachine.provide({
    actors: {
      readSite: fromPromise<Site | undefined, {origin: string}>(({input, signal}) =>
        management.sites.findByOrigin(input.origin, signal),
      ),
    },
  })
  const userId = session.getSnapshot().context.user.id
  const actor = createActor(machine, {input: {origin: site.getSnapshot().context.origin, userId}}).start()
  started.set(session, actor)
  session.subscribe({complete: () => actor.stop()})
  return actor
}

const isEditor = (snapshot: SiteAccessSnapshot | undefined) => snapshot !== undefined && selectIsEditor(snapshot)

/** Whether the signed-in user may edit the site, as far as the server has said. The view's appearance asks it again. */
export function useIsSiteEditor(): boolean {
  const root = useRoot()
  const {services} = useAppInfo()
  // what an earlier view was told holds at once
  const [access, setAccess] = useState(() => runningAccess(root))
  useEffect(() => {
    const actor = siteAccessOf(root, services)
    actor?.send({type: 'access.look'})
    setAccess(actor)
  }, [root, services])
  return useSelector(access, isEditor)
}
