import type {Site} from '#contract/management.ts'

/**
 * The tools of a site. A site that lists any tool in `features` offers exactly those turned on; a site that lists none
 * (a new one, or one of a back end without features) offers all (contract/screens §2).
 */
export function offeredTools(features: Site['features'], ids: readonly string[]): string[] {
  const switches = features ?? {}
  if (!ids.some((id) => id in switches)) return [...ids]
  return ids.filter((id) => switches[id]?.enabled === true)
}
