import type {SiteSnapshot} from './site.machine.ts'

export const selectSite = ({context}: SiteSnapshot) => context.site
export const selectTitle = ({context}: SiteSnapshot) => context.site?.title ?? undefined
