import {Subject} from 'rxjs'
import {expect, test} from 'vitest'
import {createFavouriteModels} from '#app/chat/favourite-models.ts'
import type {PersistedState} from '#domain/persisted-state.ts'
import {claimFor, leaveFavourites} from '#domain/state-owner.ts'

function store(initial: PersistedState = {}) {
  let slices = initial
  const changes = new Subject<{state: Partial<PersistedState>; epoch: number}>()
  return {
    read: () => slices,
    save: (next: Partial<PersistedState>) => void (slices = {...slices, ...next}),
    flush: () => true,
    changes$: changes,
    elsewhere(next: Partial<PersistedState>) {
      slices = {...slices, ...next}
      changes.next({state: next, epoch: 0})
    },
  }
}

test('favourites stand in the order in which they were marked, and are kept', () => {
  const state = store()
  let time = 0
  const models = createFavouriteModels(state, () => (time += 1))
  models.mark('o3', true)
  models.mark('a/b', true)
  models.mark('gpt-4o', true)
  models.mark('a/b', false)
  expect(models.get()).toEqual(['o3', 'gpt-4o'])
  expect(createFavouriteModels(state, Date.now).get()).toEqual(['o3', 'gpt-4o'])
})

test('what another tab marks shows here, and is not undone by the next mark', () => {
  const state = store()
  const [here, there] = [createFavouriteModels(state, () => 1), createFavouriteModels(state, () => 2)]
  let shown = 0
  const end = here.subscribe(() => (shown += 1))
  there.mark('o3', true)
  state.elsewhere({})
  expect([here.get(), shown]).toEqual([['o3'], 1])
  here.mark('gpt-4o', true)
  expect(createFavouriteModels(state, Date.now).get().toSorted()).toEqual(['gpt-4o', 'o3'])
  end()
})

test('they come back with the next session of their user, and are nobody else’s', () => {
  const state = store({owner: 'ada'})
  createFavouriteModels(state, () => 1).mark('o3', true)
  const left = leaveFavourites(state.read())
  const other = store({...left, ...claimFor(left, 'eve')})
  expect(createFavouriteModels(other, Date.now).get()).toEqual([])
  const again = store(claimFor(left, 'ada'))
  expect(createFavouriteModels(again, Date.now).get()).toEqual(['o3'])
})
