import {useSelector} from '@xstate/react'
import {SitePage} from '#features/site/site-page.tsx'
import {type SiteSnapshot} from '#machines/site/site.machine.ts'
import {selectSite} from '#machines/site/site.selectors.ts'
import {useAppActor} from '../actors.context.tsx'

const statusOf = (snapshot: SiteSnapshot) =>
  snapshot.hasTag('busy') ? 'loading' : snapshot.matches('failed') ? 'failed' : 'ready'

export function SiteRoute() {
  const actor = useAppActor('site')
  const site = useSelector(actor, selectSite)
  const status = useSelector(actor, statusOf)
  return <SitePage site={site} status={status} onRetry={() => actor.send({type: 'site.load'})} />
}
