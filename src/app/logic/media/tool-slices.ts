import type {FavouriteMarks} from '#domain/merge-favourites.ts'
import {readToolSlice, withToolSlice, type PersistedState, type ToolSlice} from '#domain/persisted-state.ts'
import {isSameData} from '#domain/same-data.ts'
import type {RootDeps} from '../root-deps.ts'

/** The stored slices of the media tools: each is written whole, this keeps the parts of one together. */
export function createToolSlices({state}: Pick<RootDeps, 'state'>) {
  const slices = new Map<string, ToolSlice>()
  const read = (tool: string): ToolSlice => {
    const toolSlice = slices.get(tool) ?? readToolSlice(state.read(), tool) ?? {}
    slices.set(tool, toolSlice)
    return toolSlice
  }
  return {
    read,
    write(tool: string, changes: Partial<ToolSlice>) {
      const slice = {...read(tool), ...changes}
      slices.set(tool, slice)
      const change: Partial<PersistedState> = withToolSlice(tool, slice)
      state.save(change)
    },
    /** Another tab may have written them: then nothing is, so that what else it wrote stays. */
    writeFavourites(tool: string, favourites: FavouriteMarks) {
      const slice = {...read(tool), favourites}
      slices.set(tool, slice)
      // what still waits was made before these were known
      state.flush()
      if (isSameData(readToolSlice(state.read(), tool)?.favourites, favourites)) return
      const change: Partial<PersistedState> = withToolSlice(tool, slice)
      state.save(change)
    },
    clear: () => slices.clear(),
  }
}
export type ToolSlices = ReturnType<typeof createToolSlices>
