import {Subject} from 'rxjs'
import {expect, test} from 'vitest'
import {createFavouriteModels} from '#app/chat/favourite-models.ts'
import {mergeMarks, type FavouriteMarks} from '#domain/merge-favourites.ts'
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
  const models = createFavouriteModels({state, now: () => (time += 1)})
  models.mark('o3', true)
  models.mark('a/b', true)
  models.mark('gpt-4o', true)
  models.mark('a/b', false)
  expect(models.get()).toEqual(['o3', 'gpt-4o'])
  expect(createFavouriteModels({state, now: Date.now}).get()).toEqual(['o3', 'gpt-4o'])
})

test('what another tab marks shows here, and is not undone by the next mark', () => {
  const state = store()
  const [here, there] = [createFavouriteModels({state, now: () => 1}), createFavouriteModels({state, now: () => 2})]
  let shown = 0
  const end = here.subscribe(() => (shown += 1))
  there.mark('o3', true)
  state.elsewhere({})
  expect([here.get(), shown]).toEqual([['o3'], 1])
  here.mark('gpt-4o', true)
  expect(createFavouriteModels({state, now: Date.now}).get().toSorted()).toEqual(['gpt-4o', 'o3'])
  end()
})

test('they come back with the next session of their user, and are nobody else’s', () => {
  const state = store({owner: 'ada'})
  createFavouriteModels({state, now: () => 1}).mark('o3', true)
  const left = leaveFavourites(state.read())
  const other = store({...left, ...claimFor(left, 'eve')})
  expect(createFavouriteModels({state: other, now: Date.now}).get()).toEqual([])
  const again = store(claimFor(left, 'ada'))
  expect(createFavouriteModels({state: again, now: Date.now}).get()).toEqual(['o3'])
})

/** A server that keeps what it is given, as ours does; `isAway`: calls fail. */
function keeper(marks: FavouriteMarks = {}) {
  const calls: string[] = []
  const answer = async (call: string, news: FavouriteMarks = {}) => {
    calls.push(call)
    if (server.isAway) throw new Error('The server is away')
    server.marks = mergeMarks(server.marks, news)
    return server.marks
  }
  const server = {
    marks,
    calls,
    isAway: false,
    read: () => answer('read'),
    add: (news: FavouriteMarks) => answer('add', news),
  }
  return server
}
const session = {owner: 'ada', token: {access: 'foo'}} as PersistedState // as: the models read nothing of a token

test('a second browser has what the first one marked, and takes a mark away for both', async () => {
  const kept = keeper()
  const [one, other] = [store(session), store(session)]
  const here = createFavouriteModels({state: one, now: () => 1, kept})
  here.mark('o3', true)
  await expect.poll(() => kept.marks).toEqual({o3: 1})
  const there = createFavouriteModels({state: other, now: () => 1, kept})
  await there.meet()
  expect(there.get()).toEqual(['o3'])
  there.mark('o3', false)
  await expect.poll(() => kept.marks).toEqual({o3: -2})
  await here.meet()
  expect(here.get()).toEqual([])
  // nothing new on either side: nothing is written
  expect(kept.calls.splice(0)).toEqual(['add', 'read', 'add', 'read'])
  await here.meet()
  expect(kept.calls).toEqual(['read'])
})

test('what was marked without the server, or before it kept marks, is told when it is there', async () => {
  const kept = keeper({'gpt-4o': 3})
  const models = createFavouriteModels({state: store(session), now: () => 5, kept})
  kept.isAway = true
  models.mark('o3', true)
  await models.meet()
  expect([models.get(), kept.marks]).toEqual([['o3'], {'gpt-4o': 3}])
  kept.isAway = false
  await models.meet()
  expect(models.get()).toEqual(['gpt-4o', 'o3'])
  expect(kept.marks).toEqual({'gpt-4o': 3, o3: 5})
})

test('an answer that comes when another user is signed in adds nothing to theirs; without a session nothing is asked', async () => {
  const kept = keeper({o3: 3})
  const state = store(session)
  const models = createFavouriteModels({state, now: () => 5, kept})
  const meeting = models.meet()
  state.save({owner: 'eve'})
  await meeting
  expect(models.get()).toEqual([])
  kept.calls.length = 0
  await createFavouriteModels({state: store(), now: () => 5, kept}).meet()
  expect(kept.calls).toEqual([])
})
