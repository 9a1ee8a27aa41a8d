import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {RootDeps} from '../logic/root-deps.ts'

/** The stored colours of labels. Written at once: what is read next, here or in another tab, has them. */
export const createLabelColours = ({state}: Pick<RootDeps, 'state'>): ChatPorts['labelColours'] => ({
  read: () => state.read().labels ?? [],
  write(labels) {
    state.save({labels: [...labels]})
    state.flush()
  },
})
