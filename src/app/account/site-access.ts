import {useSelector} from '@xstate/react'
import {useEffect} from 'react'
import {fromPromise} from 'xstate'
import type {Site} from '#contract/management.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {
  selectIsEditor,
  siteAccessMachine,
  type SiteAccessActor,
  type SiteAccessSnapshot,
} from '#machines/site-access/site-access.machine.ts'
import {actorOf, useRoot, useSessionActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {openPart} from '../logic/open-part.ts'
import type {Services} from '../logic/services.ts'

/** A view is about to show what the answer decides: the server is asked, by the one actor of the session. */
export function lookAtSiteAccess(
  root: AppActor,
  {management}: Pick<Services, 'management'>,
): SiteAccessActor | undefined {
  const [session, site] = [actorOf(root, 'session'), actorOf(root, 'site')]
  if (session === undefined || site === undefined) return undefined
  const access = openPart(root.system, 'siteAccess', () => ({
    machine: siteAccessMachine.provide({
      actors: {
        readSite: fromPromise<Site | undefined, {origin: string}>(({input, signal}) =>
          management.sites.findByOrigin(input.origin, signal),
        ),
      },
    }),
    input: {origin: site.getSnapshot().context.origin, userId: session.getSnapshot().context.user.id},
  }))
  access?.send({type: 'access.look'})
  return access
}

const isEditor = (snapshot: SiteAccessSnapshot | undefined) => snapshot !== undefined && selectIsEditor(snapshot)

/** Whether the signed-in user may edit the site, as far as the server has said. The view's appearance asks it again. */
export function useIsSiteEditor(): boolean {
  const root = useRoot()
  const {services} = useAppInfo()
  useEffect(() => void lookAtSiteAccess(root, services), [root, services])
  return useSelector(useSessionActor('siteAccess'), isEditor)
}
