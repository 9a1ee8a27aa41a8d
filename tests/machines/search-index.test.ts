import {describe, expect, test} from 'vitest'
import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {SearchHit} from '#domain/search-index.ts'
import {
  batchSize,
  searchIndexMachine,
  selectFound,
  selectProgress,
  selectSearchFailure,
  type IndexChanges,
  type RecordsChanged,
  type SearchIndexEvent,
} from '#machines/search-index/search-index.machine.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const record = (key: string): ConversationRecord => ({key, id: key, model: 'gpt-5', messages: [], updatedAt: 0})
const [foo, bar] = [record('foo'), record('bar')]

const events = {
  'records.changed': [
    {type: 'records.changed', records: [foo]},
    {type: 'records.changed', records: []},
    {type: 'records.changed', records: [foo, bar]},
  ],
  'query.change': [
    {type: 'query.change', query: 'foo'},
    {type: 'query.change', query: ' '},
  ],
  'search.retry': [{type: 'search.retry'}],
  'index.grown': [{type: 'index.grown'}],
} satisfies EventFixtures<SearchIndexEvent>

describe('the search', () => {
  const {coverage, states} = describeRules(searchIndexMachine, {
    input: undefined,
    user: ['query.change', 'search.retry'],
    events: Object.values(events).flat(),
    outputs: {
      records: [undefined],
      updateIndex: [undefined],
      searchConversations: [[{key: 'foo'}]],
      resetIndex: [undefined],
    },
    endless: ['records'],
    key: ({value, context}) => [
      value,
      context.query,
      context.found,
      context.records.map(({key}) => key),
      Object.keys(context.indexed),
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(searchIndexMachine)).toEqual([]))
  test('what failed has no index: the next one begins anew', () => {
    const failed = states.filter((state) => state.matches('failed'))
    expect(failed.length).toBeGreaterThan(0)
    expect(failed.filter(({context}) => Object.keys(context.indexed).length > 0)).toEqual([])
    expect(failed.filter((state) => selectSearchFailure(state) === undefined)).toEqual([])
  })
  test('it rests only with all that the device has', () => {
    const settled = states.filter((state) => state.matches({working: {index: 'settled'}}))
    const wrong = settled.filter(({context}) =>
      context.records.some((each) => context.indexed[each.key]?.key !== each.key),
    )
    expect(wrong).toEqual([])
  })
})

/** The chart over an index in the hands of the test. */
function start(records: readonly ConversationRecord[]) {
  const changes = new Subject<RecordsChanged>()
  const updates: {input: IndexChanges; done: () => void; fail: (error: Error) => void}[] = []
  const searches: {query: string; answer: (hits: readonly SearchHit[]) => void}[] = []
  let resets = 0
  const actor = createActor(
    searchIndexMachine.provide({
      actors: {
        records: fromEventObservable<RecordsChanged, undefined>(() => changes),
        updateIndex: fromPromise<void, IndexChanges>(
          ({input}) => new Promise<void>((done, fail) => updates.push({input, done, fail})),
        ),
        searchConversations: fromPromise<readonly SearchHit[], {query: string}>(
          ({input: {query}}) => new Promise((answer) => searches.push({query, answer})),
        ),
        resetIndex: fromPromise<void, undefined>(async () => {
          resets += 1
        }),
      },
    }),
  ).start()
  stopAfterTest(actor)
  const put = (next: readonly ConversationRecord[]) => changes.next({type: 'records.changed', records: next})
  put(records)
  return {actor, put, updates, searches, resets: () => resets}
}

test('the index is filled in batches, says how far it is, and is asked again when it has more', async () => {
  const records = Array.from({length: batchSize + 1}, (_, index) => record(`c${index}`))
  const {actor, updates, searches} = start(records)
  actor.send({type: 'query.change', query: 'kite'})
  expect(updates.map(({input}) => input.records.length)).toEqual([batchSize])
  expect(selectProgress(actor.getSnapshot())).toEqual({done: 0, total: batchSize + 1})
  searches[0]?.answer([])
  updates[0]?.done()
  await waitFor(actor, (snapshot) => selectProgress(snapshot)?.done === batchSize)
  expect(updates[1]?.input.records).toEqual([records[batchSize]])
  updates[1]?.done()
  await waitFor(actor, (snapshot) => selectProgress(snapshot) === undefined)
  searches.at(-1)?.answer([{key: 'c1', message: 2}])
  await waitFor(actor, (snapshot) => selectFound(snapshot).hits.length === 1)
  expect(selectFound(actor.getSnapshot())).toEqual({query: 'kite', hits: [{key: 'c1', message: 2}]})
  expect(searches.at(-1)?.query).toBe('kite')
})

test('a filling index answers with what it has, and is asked again', async () => {
  const {actor, updates, searches} = start(Array.from({length: batchSize + 1}, (_, index) => record(`c${index}`)))
  actor.send({type: 'query.change', query: 'kite'})
  updates[0]?.done()
  await waitFor(actor, (snapshot) => selectProgress(snapshot)?.done === batchSize)
  // the answer to what was asked before the batch comes after it
  searches[0]?.answer([{key: 'c0'}])
  await waitFor(actor, (snapshot) => selectFound(snapshot).hits.length === 1)
  expect(selectFound(actor.getSnapshot())).toEqual({query: 'kite', hits: [{key: 'c0'}]})
  expect(searches).toHaveLength(2)
  searches[1]?.answer([{key: 'c0'}, {key: 'c1'}])
  await waitFor(actor, (snapshot) => selectFound(snapshot).hits.length === 2)
})

test('only what changed is put again, what is gone is taken out', async () => {
  const {actor, put, updates} = start([foo, bar])
  updates[0]?.done()
  await waitFor(actor, (snapshot) => selectProgress(snapshot) === undefined)
  const renamed = {...foo, title: 'new'}
  put([renamed])
  expect(updates[1]?.input).toEqual({records: [renamed], gone: ['bar']})
})

test('a newer query replaces the one that is asked', async () => {
  const {actor, searches} = start([])
  actor.send({type: 'query.change', query: 'k'})
  actor.send({type: 'query.change', query: 'ki'})
  searches[0]?.answer([{key: 'wrong'}])
  searches[1]?.answer([{key: 'right'}])
  await waitFor(actor, (snapshot) => selectFound(snapshot).query === 'ki')
  expect(selectFound(actor.getSnapshot()).hits).toEqual([{key: 'right'}])
})

test('a broken index is filled anew by Retry, and the query asked again', async () => {
  const {actor, updates, searches, resets} = start([foo])
  actor.send({type: 'query.change', query: 'kite'})
  updates[0]?.fail(new Error('broken'))
  await waitFor(actor, (snapshot) => snapshot.matches('failed'))
  actor.send({type: 'search.retry'})
  await waitFor(actor, (snapshot) => snapshot.matches('working'))
  expect(resets()).toBe(1)
  expect(updates[1]?.input.records).toEqual([foo])
  const asked = searches.length
  updates[1]?.done()
  await waitFor(actor, (snapshot) => selectProgress(snapshot) === undefined)
  expect(searches.length).toBe(asked + 1)
})
