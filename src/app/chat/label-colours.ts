import {longestStored, type LabelColour} from '#domain/persisted-state.ts'
import {isSameData} from '#domain/same-data.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import {movedColour} from '#features/chat/list/labels.ts'
import type {RootDeps} from '../logic/root-deps.ts'

/**
 * The stored colours of labels. Written at once: what is read next, here or in another tab, has them. Names that another server
 * gave may be too long; those are left out.
 */
export function createLabelColours({state}: Pick<RootDeps, 'state'>): ChatPorts['labelColours'] {
  const read = () => state.read().labels ?? []
  const write = (labels: readonly LabelColour[]) => {
    const kept = labels.filter(({label}) => label.length <= longestStored)
    if (isSameData(kept, read())) return
    state.save({labels: kept})
    state.flush()
  }
  return {
    read,
    write,
    move: (label, to, labels) => write(movedColour(read(), {label, to, labels})),
  }
}
