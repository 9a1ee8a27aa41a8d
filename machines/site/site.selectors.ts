import {siteNameOf} from '#domain/site-name.ts'
import type {SiteSnapshot} from './site.machine.ts'

export const selectSite = ({context}: SiteSnapshot) => context.site
/** The name of the site; undefined until one is known. */
export const selectTitle = ({context: {site}}: SiteSnapshot) => site && siteNameOf(site.title)
