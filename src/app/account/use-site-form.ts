import {useActorRef, useSelector} from '@xstate/react'
import {useState} from 'react'
import {tools} from '#features/shell/tools.ts'
import type {SiteFormSnapshot} from '#machines/site-form/site-form.machine.ts'
import {selectChanges} from '#machines/site-form/site-form.selectors.ts'
import type {SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {actorOf, useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createSiteFormLogic} from '../logic/site-form.logic.ts'
import {keepSite, readKeptSite} from './kept-site.ts'

type SiteForm = {
  snapshot: SiteFormSnapshot
  send: (event: SiteFormEvent) => void
  /** Bytes of chosen images, by the id that the chart knows them by. */
  files: Map<string, File>
  /** Gives up what this tab keeps of the changes. */
  forget: () => void
}

const toolIds = tools.map(({id}) => id)

/**
 * Reads the site with the token of the signed-in user: the answer says whether they may edit it. What they change is
 * kept for this tab until it is saved or they leave the page without saving.
 */
export function useSiteForm(userId: string): SiteForm {
  const root = useRoot()
  const {origin} = useAppActor('site').getSnapshot().context
  const {services} = useAppInfo()
  const [files] = useState(() => new Map<string, File>())
  const [logic] = useState(() =>
    createSiteFormLogic(services, {
      site: () => actorOf(root, 'site'),
      fileOf: (id) => files.get(id),
    }),
  )
  const [owner] = useState({origin, userId})
  const [keptChanges] = useState(() => readKeptSite(owner))
  const actor = useActorRef(logic, {input: {...owner, toolIds, kept: keptChanges}}, (snapshot) => {
    if (snapshot.hasTag('open')) keepSite(owner, selectChanges(snapshot))
  })
  const snapshot = useSelector(actor, (current) => current)
  return {snapshot, send: (event) => actor.send(event), files, forget: () => keepSite(owner, undefined)}
}
