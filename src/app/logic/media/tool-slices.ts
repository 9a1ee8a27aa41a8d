import type {FavouriteMarks} from '#domain/merge-favourites.ts'
import {readToolSlice, withToolSlice, type PersistedState, type ToolSlice} from '#domain/persisted-state.ts'
import {isSameData} from '#domain/same-data.ts'
import type {RootDeps} from '../root-deps.ts'

/** The stored slices of the media tools: each is written whole, this keeps the parts of one together. */
export function createToolSlices({state}: Pick<RootDeps, 'state'>) {
  const slices = new Map<string, ToolSlice>()
  /** Deletions that this page has in hand, by tool: it noted them, or read them as it began. */
  const deletions = new Map<string, readonly string[]>()
  const read = (tool: string): ToolSlice => {
    const toolSlice = slices.get(tool) ?? readToolSlice(state.read(), tool) ?? {}
    slices.set(tool, toolSlice)
    return toolSlice
  }
  const write = (tool: string, changes: Partial<ToolSlice>) => {
    const slice = {...read(tool), ...changes}
    slices.set(tool, slice)
    const change: Partial<PersistedState> = withToolSlice(tool, slice)
    state.save(change)
  }
  return {
    read,
    write,
    /** Ids of the tasks that earlier pages were deleting: this one does it for them. */
    readDeletions(tool: string): string[] {
      const ids = [...new Set([...(read(tool).removing ?? []), ...(state.read().deletedTasks?.[tool] ?? [])])]
      deletions.set(tool, ids)
      return ids
    },
    /** Notes the deletions of this page at once, beside those of other tabs: the page may be about to go. */
    writeDeletions(tool: string, ids: readonly string[]) {
      const own = deletions.get(tool) ?? []
      if (isSameData(own, ids)) return
      deletions.set(tool, ids)
      if (read(tool).removing !== undefined) write(tool, {removing: undefined})
      // read and written in one step
      const {[tool]: storedIds = [], ...otherTools} = state.read().deletedTasks ?? {}
      const next = [...storedIds.filter((id) => !own.includes(id) && !ids.includes(id)), ...ids]
      state.save({deletedTasks: {...otherTools, ...(next.length === 0 ? {} : {[tool]: next})}})
      state.flush()
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
    clear() {
      slices.clear()
      deletions.clear()
    },
  }
}
export type ToolSlices = ReturnType<typeof createToolSlices>
