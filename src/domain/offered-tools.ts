import type {Site} from '#contract/management.ts'

/**
 * The tools a site offers. A site that names any of ours in `features` offers exactly those it turned on; a site that
 * names none (a fresh one, or one of a back end without features) offers all (contract/screens §2).
 */
export function offeredTools(features: Site['features'], ids: readonly string[]): string[] {
  const named = features ?? {}
  if (!ids.some((id) => id in named)) return [...ids]
  return ids.filter((id) => named[id]?.enabled === true)
}
