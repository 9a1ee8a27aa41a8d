import {expect, test} from 'vitest'
import type {FavouriteMarks} from '#domain/merge-favourites.ts'
import {ownerMark} from '#domain/owner-mark.ts'
import {isOfBrowser, readToolSlice, validateState, type PersistedState} from '#domain/persisted-state.ts'
import {claimFor, leaveFavourites} from '#domain/state-owner.ts'

/** Returns the state that is stored after it was validated. */
const store = (stored: Record<string, unknown>): PersistedState => validateState(stored).state
const marksOf = (state: PersistedState, tool = 'flux') => readToolSlice(state, tool)?.favourites
const marked = (owner: string, favourites: FavouriteMarks) => store({owner, flux: {favourites}, chat: {}})

const signOut = (state: PersistedState): PersistedState =>
  store(Object.fromEntries(Object.entries({...state, ...leaveFavourites(state)}).filter(([name]) => isOfBrowser(name))))
const signIn = (state: PersistedState, user: string): PersistedState => store({...state, ...claimFor(state, user)})

test('favourites are there when their user signs in again, and not for anybody between', () => {
  const left = signOut(marked('foo', {'task-1': 5, 'task-2': -6}))
  expect(JSON.stringify(left)).not.toContain('foo')
  const other = signIn(left, 'bar')
  expect([marksOf(other), other.chat]).toEqual([undefined, undefined])
  const again = signIn(signOut(other), 'foo')
  expect([marksOf(again), again.favourites]).toEqual([{'task-1': 5, 'task-2': -6}, undefined])
})

test('a user who signs in where a session only ended takes nothing over, and removes no favourite', () => {
  const other = signIn(marked('foo', {'task-1': 5}), 'bar')
  expect([marksOf(other), other.owner]).toEqual([undefined, 'bar'])
  expect(marksOf(signIn(other, 'foo'))).toEqual({'task-1': 5})
})

test('marks that were made since are kept beside those that come back', () => {
  const left = leaveFavourites(marked('foo', {'task-1': 5}))
  const stored = store({...left, owner: 'foo', flux: {favourites: {'task-2': 7}}, sora: {}})
  expect(marksOf(signIn(stored, 'foo'))).toEqual({'task-1': 5, 'task-2': 7})
})

test('a user without favourites leaves nothing, and only the last three who have some are remembered', () => {
  expect(signOut(marked('foo', {'task-1': -5}))).toEqual({})
  const left = ['a', 'b', 'c', 'd'].reduce<PersistedState>(
    (state, user) => signOut({...marked(user, {'task-1': 5}), ...(state.favourites && {favourites: state.favourites})}),
    {},
  )
  expect(left.favourites?.map(({owner}) => owner)).toEqual(['b', 'c', 'd'].map(ownerMark))
})

test('marks of users differ', () => {
  const marks = Array.from({length: 5_000}, (_, index) => ownerMark(`user-${index}`))
  expect(new Set(marks).size).toBe(5_000)
})
