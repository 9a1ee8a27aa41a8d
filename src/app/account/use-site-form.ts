import {useActor} from '@xstate/react'
import {useState} from 'react'
import {tools} from '#features/shell/tools.ts'
import type {SiteFormSnapshot} from '#machines/site-form/site-form.machine.ts'
import type {SiteFormEvent} from '#machines/site-form/site-form.types.ts'
import {actorOf, useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createSiteFormLogic} from '../logic/site-form.logic.ts'

type SiteForm = {
  snapshot: SiteFormSnapshot
  send: (event: SiteFormEvent) => void
  /** Bytes of chosen images, by the id that the chart knows them by. */
  files: Map<string, File>
}

const toolIds = tools.map(({id}) => id)

/** Reads the site with the token of the signed-in user: the answer says whether they may edit it. */
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
  const [snapshot, send] = useActor(logic, {input: {origin, userId, toolIds}})
  return {snapshot, send, files}
}
