import {lostContact, type Failure} from '#domain/failure.ts'
import {watchActor} from '#machines/lib/watch.ts'
import type {SiteActor} from './site.machine.ts'

/** The site was read or made. `failure`: without an origin, since it could not be. */
export type SiteDecided = {type: 'site.decided'; hasOrigin: boolean; failure?: Failure}

/** Reports once what the actor `site` knows of its origin. */
export const watchSite = watchActor<SiteActor>('site', (snapshot): SiteDecided | undefined => {
  if (!snapshot.hasTag('decided')) return undefined
  const {site, failure} = snapshot.context
  const hasOrigin = Boolean(site?.origin)
  const isFailed = !hasOrigin && snapshot.matches('failed')
  return {type: 'site.decided', hasOrigin, ...(isFailed && {failure: failure ?? lostContact('No site.')})}
})
