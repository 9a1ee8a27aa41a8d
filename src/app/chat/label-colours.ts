import {longestStored} from '#domain/persisted-state.ts'
import {isSameData} from '#domain/same-data.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {RootDeps} from '../logic/root-deps.ts'

/**
 * The stored colours of labels. Written at once: what is read next, here or in another tab, has them. Names that
 * another server gave may be too long; those are left out.
 */
export function createLabelColours({state}: Pick<RootDeps, 'state'>): ChatPorts['labelColours'] {
  const read = () => state.read().labels ?? []
  return {
    read,
    write(labels) {
      const fittingLabels = labels.filter(({label}) => label.length <= longestStored)
      if (isSameData(fittingLabels, read())) return
      state.save({labels: fittingLabels})
      state.flush()
    },
  }
}
