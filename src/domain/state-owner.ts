import {mergeMarks, type FavouriteMarks} from './merge-favourites.ts'
import {takeFavourites, withLeftFavourites, type ToolMarks} from './favourites-of-users.ts'
import {
  ofBrowser,
  readToolSlice,
  storedTools,
  withToolSlice,
  type PersistedState,
  type ToolSlice,
} from './persisted-state.ts'

/* Owner of the stored state, and what a change of the user removes or keeps. */

const ownerOf = ({owner, user: storedUser}: PersistedState) => owner ?? storedUser?.id

/** Whether what is stored belongs to this user; what nobody owns was stored before anybody signed in. */
export const isOwnedBy = (state: PersistedState, userId: string): boolean => {
  const owner = ownerOf(state)
  return owner === undefined || owner === userId
}

/** The change that keeps the favourites of the owner for their next session, when all else of theirs goes. */
export const leaveFavourites = (state: PersistedState): Pick<PersistedState, 'favourites'> => {
  const marks = storedTools(state).map((tool): ToolMarks => [tool, readToolSlice(state, tool)?.favourites ?? {}])
  return {favourites: withLeftFavourites(state.favourites ?? [], ownerOf(state), marks)}
}

const withMarks = (slice: ToolSlice = {}, marks: FavouriteMarks): ToolSlice => ({
  ...slice,
  favourites: mergeMarks(slice.favourites ?? {}, marks),
})

/** The changes when a session opens: what another user left behind goes, the user's own favourites come back. */
export const claimFor = (state: PersistedState, userId: string): Partial<PersistedState> => {
  const isTheirs = isOwnedBy(state, userId)
  const keptSlices: readonly string[] = ['user', 'token', ...ofBrowser]
  const foreign = isTheirs ? [] : Object.keys(state).filter((slice) => !keptSlices.includes(slice))
  // as: only values go, under the names of the state itself
  const removal = Object.fromEntries(foreign.map((slice) => [slice, undefined])) as Partial<PersistedState>
  const leftFavourites = isTheirs ? state.favourites : leaveFavourites(state).favourites
  const {favourites, marks} = takeFavourites(leftFavourites ?? [], userId)
  return marks.reduce<Partial<PersistedState>>(
    (changes, [tool, favourites]) => ({
      ...changes,
      ...withToolSlice(tool, withMarks(isTheirs ? readToolSlice(state, tool) : undefined, favourites)),
    }),
    {...removal, favourites, owner: userId},
  )
}

const withoutSetUp = <T extends object>(slice: T) => ({
  ...slice,
  service: undefined,
  applications: undefined,
  application: undefined,
  credential: undefined,
})

/**
 * Changes of a page that opens without a session (spec §4): they take away all that opens a service. Lists and settings
 * stay, and the id of their owner (docs/decisions/0021).
 */
export const withoutAccess = (state: PersistedState, userId: string | undefined): Partial<PersistedState> =>
  storedTools(state).reduce<Partial<PersistedState>>(
    (changes, tool) => ({...changes, ...withToolSlice(tool, withoutSetUp(readToolSlice(state, tool) ?? {}))}),
    {
      token: undefined,
      user: undefined,
      owner: state.owner ?? userId,
      chat: state.chat && withoutSetUp(state.chat),
    },
  )
