import type {Artifact, ToolIdentity} from '#contract/media/media-tool.ts'
import {targetsOf, type ChatOffer, type UseTarget} from './use-targets.ts'

/** Most files of one chat question. */
const mostAttachments = 10

/** All targets that accept all of these files together, in their order; for one file the same as `targetsOf`. */
export function targetsOfSeveral(
  identities: readonly ToolIdentity[],
  chatGroups: readonly ChatOffer[],
  files: readonly {url: string; medium: Artifact['medium']}[],
): UseTarget[] {
  const [first, ...rest] = files
  if (first === undefined || rest.some(({medium}) => medium !== first.medium)) return []
  const more = rest.map(({url}) => url)
  return targetsOf(identities, chatGroups, first)
    .filter((target) => files.length <= (target.kind === 'tool' ? Math.max(1, target.input.most) : mostAttachments))
    .map((target) => (more.length === 0 ? target : {...target, more}))
}
