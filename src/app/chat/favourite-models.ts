import type {FavouriteModelsApi} from '#api/favourite-models.ts'
import type {StateStorage} from '#browser/storage.ts'
import {createValueStore} from '#browser/value-store.ts'
import {mergeMarks, type FavouriteMarks} from '#domain/merge-favourites.ts'
import {readToolSlice, withToolSlice, type PersistedState} from '#domain/persisted-state.ts'

type State = Pick<StateStorage<PersistedState>, 'read' | 'save' | 'flush' | 'changes$'>

/**
 * The slice of the marks, in the form of those of the media tools: it is the user's own, comes back with their next
 * session, and is written apart from all else of the chat, so that another tab does not undo it
 * (docs/decisions/0064-the-picker-of-models.md).
 */
const slice = 'models'

const none: FavouriteMarks = {}
const marksOf = (state: State) => readToolSlice(state.read(), slice)?.favourites ?? none

const namesOf = (marks: FavouriteMarks): string[] =>
  Object.entries(marks)
    .filter(([, time]) => time > 0)
    .sort(([, one], [, other]) => one - other)
    .map(([name]) => name)

type FavouriteModelsDeps = {
  state: State
  now: () => number
  /** Keeps them on the server too; undefined where the back end cannot (decision 66). */
  kept?: FavouriteModelsApi | undefined
}

/**
 * Names of the models that the user marked, the first one first. The device keeps all marks. A server that keeps them
 * too gets each press; `meet` reads its marks and sends it those that it does not have, after a failed call as well.
 */
export function createFavouriteModels({state, now, kept}: FavouriteModelsDeps) {
  const names = createValueStore(namesOf(marksOf(state)))
  const look = () => {
    const next = namesOf(marksOf(state))
    if (next.join('\n') !== names.get().join('\n')) names.set(next)
  }
  const add = (marks: FavouriteMarks) => {
    const favourites = mergeMarks(marksOf(state), marks)
    if (favourites === marksOf(state)) return
    const change: Partial<PersistedState> = withToolSlice(slice, {favourites})
    state.save(change)
    state.flush()
    look()
  }
  /** Adds the marks that a call answers, unless another user has signed in since. */
  const take = async (call: (api: FavouriteModelsApi) => Promise<FavouriteMarks>) => {
    const {owner, token} = state.read()
    if (kept === undefined || token === undefined) return
    // the marks of a failed call go along with the next one
    const marks = await call(kept).catch(() => none)
    if (state.read().owner === owner) add(marks)
  }
  return {
    get: names.get,
    subscribe: (listener: () => void) => {
      const elsewhere = state.changes$.subscribe(look)
      const leave = names.subscribe(listener)
      return () => {
        elsewhere.unsubscribe()
        leave()
      }
    },
    /** Reads the marks of other devices, and sends the server the marks that it does not have yet. */
    meet: () =>
      take(async (api) => {
        const there = await api.read()
        const here = marksOf(state)
        return mergeMarks(there, here) === there ? there : api.add(here)
      }),
    mark: (name: string, isOn: boolean) => {
      // later than every press that is known, whatever the tabs' clocks say
      const time = Math.max(now(), Math.abs(marksOf(state)[name] ?? 0) + 1)
      const press = {[name]: isOn ? time : -time}
      add(press)
      void take((api) => api.add(press))
    },
  }
}
