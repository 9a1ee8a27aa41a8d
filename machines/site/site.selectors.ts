import type {SiteSnapshot} from './site.machine.ts'

export const selectSite = ({context}: SiteSnapshot) => context.site
export const selectTitle = ({context}: SiteSnapshot) => context.site?.title ?? undefined
export const selectHasOrigin = ({context}: SiteSnapshot) => Boolean(context.site?.origin)
export const selectFailure = ({context}: SiteSnapshot) => context.failure
/** Whether a tool is offered: a site that says nothing offers all. */
export const selectIsEnabled = ({context}: SiteSnapshot, feature: string) =>
  context.site?.features?.[feature]?.enabled !== false
export const selectIsAdmin = ({context}: SiteSnapshot, userId: string | undefined) =>
  userId !== undefined && (context.site?.admins?.includes(userId) ?? false)
