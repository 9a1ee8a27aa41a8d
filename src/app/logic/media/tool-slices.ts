import {readToolSlice, withToolSlice, type PersistedState, type ToolSlice} from '#domain/persisted-state.ts'
import type {RootDeps} from '../root-deps.ts'

/** The stored slices of the media tools: each is written whole, this keeps the parts of one together. */
export function createToolSlices({state}: Pick<RootDeps, 'state'>) {
  const slices = new Map<string, ToolSlice>()
  const read = (tool: string): ToolSlice => {
    const known = slices.get(tool) ?? readToolSlice(state.read(), tool) ?? {}
    slices.set(tool, known)
    return known
  }
  return {
    read,
    write(tool: string, changes: Partial<ToolSlice>) {
      const slice = {...read(tool), ...changes}
      slices.set(tool, slice)
      const change: Partial<PersistedState> = withToolSlice(tool, slice)
      state.save(change)
    },
    clear: () => slices.clear(),
  }
}
export type ToolSlices = ReturnType<typeof createToolSlices>
