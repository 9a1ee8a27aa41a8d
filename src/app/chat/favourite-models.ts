import type {StateStorage} from '#browser/storage.ts'
import {mergeMarks, type FavouriteMarks} from '#domain/merge-favourites.ts'
import {readToolSlice, withToolSlice, type PersistedState} from '#domain/persisted-state.ts'

type State = Pick<StateStorage<PersistedState>, 'read' | 'save' | 'flush' | 'changes$'>

/**
 * The slice of the marks, in the form of those of the media tools: it is the user's own, comes back with their next session, and
 * is written apart from all else of the chat, so that another tab does not undo it (docs/decisions/0064-the-picker-of-models.md).
 */
const slice = 'models'

const none: FavouriteMarks = {}
const marksOf = (state: State) => readToolSlice(state.read(), slice)?.favourites ?? none

const namesOf = (marks: FavouriteMarks): string[] =>
  Object.entries(marks)
    .filter(([, time]) => time > 0)
    .sort(([, one], [, other]) => one - other)
    .map(([name]) => name)

/** Names of the models that the user marked, the first one first. Kept on the device. */
export function createFavouriteModels(state: State, now: () => number) {
  let names = namesOf(marksOf(state))
  const listeners = new Set<() => void>()
  const look = () => {
    const next = namesOf(marksOf(state))
    if (next.join('\n') === names.join('\n')) return
    names = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => names,
    subscribe: (listener: () => void) => {
      const elsewhere = state.changes$.subscribe(look)
      listeners.add(listener)
      return () => {
        elsewhere.unsubscribe()
        listeners.delete(listener)
      }
    },
    mark: (name: string, isOn: boolean) => {
      const marks = marksOf(state)
      // later than every press that is known, whatever the tabs' clocks say
      const time = Math.max(now(), Math.abs(marks[name] ?? 0) + 1)
      const favourites = mergeMarks(marks, {[name]: isOn ? time : -time})
      const change: Partial<PersistedState> = withToolSlice(slice, {favourites})
      state.save(change)
      state.flush()
      look()
    },
  }
}
