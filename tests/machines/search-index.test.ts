import {describe, expect, test} from 'vitest'
import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, waitFor} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {hiddenVersions, type VersionsOf} from '#domain/hidden-versions.ts'
import type {SearchHit} from '#domain/search-index.ts'
import {
  batchSize,
  searchIndexMachine,
  selectFound,
  selectIsReading,
  selectIsUnread,
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
const branching: ConversationRecord = {
  ...foo,
  messages: [
    {id: 'q', role: 'user', content: 'Which kite?'},
    {id: 'a2', role: 'assistant', content: 'The red one.', versions: ['a1', 'a2']},
  ],
}
const tree = {
  ...{id: 'foo', model: 'gpt-5', created_at: 0, updated_at: 0},
  messages: ['q', 'a1', 'a2'].map((id) => ({
    ...{id, role: id === 'q' ? ('user' as const) : ('assistant' as const)},
    ...{content: id === 'a1' ? 'A pangolin.' : 'Foo', parent: null, created_at: 0},
  })),
}

const events = {
  'records.changed': [
    {type: 'records.changed', records: [foo]},
    {type: 'records.changed', records: []},
    {type: 'records.changed', records: [foo, bar]},
    {type: 'records.changed', records: [branching]},
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
      readVersions: [{foo: hiddenVersions(branching, tree)}],
    },
    endless: ['records'],
    key: ({value, context}) => [
      value,
      context.query,
      context.found,
      context.records.map(({key}) => key),
      Object.keys(context.indexed),
      context.records.map(({messages}) => messages.length),
      Object.keys(context.versions),
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
  const readings: {keys: string[]; answer: (versions: VersionsOf) => void; fail: (error: Error) => void}[] = []
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
        readVersions: fromPromise<VersionsOf, {records: readonly ConversationRecord[]}>(
          ({input}) =>
            new Promise((answer, fail) => readings.push({keys: input.records.map(({key}) => key), answer, fail})),
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
  return {actor, put, updates, searches, readings, resets: () => resets}
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
  expect(updates[1]?.input).toEqual({records: [renamed], gone: ['bar'], versions: {}})
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

const settle = async (actor: ReturnType<typeof start>['actor']) =>
  waitFor(actor, (snapshot) => selectProgress(snapshot) === undefined)

test('hidden versions are read with the first words, and put beside what is shown', async () => {
  const {actor, updates, readings} = start([branching, bar])
  updates[0]?.done()
  await settle(actor)
  expect(readings).toEqual([])
  actor.send({type: 'query.change', query: 'pangolin'})
  expect(readings.map(({keys}) => keys)).toEqual([['foo']])
  const versions = {foo: hiddenVersions(branching, tree)}
  readings[0]?.answer(versions)
  await waitFor(actor, (snapshot) => selectProgress(snapshot) !== undefined)
  expect(updates.at(-1)?.input).toEqual({records: [branching], gone: [], versions})
  updates.at(-1)?.done()
  await settle(actor)
  expect(readings).toHaveLength(1)
})

test('they are read again once the conversation has another path, and not for a new title', async () => {
  const {actor, put, readings} = start([branching])
  actor.send({type: 'query.change', query: 'pangolin'})
  readings[0]?.answer({foo: hiddenVersions(branching, tree)})
  await waitFor(actor, (snapshot) => !selectIsReading(snapshot))
  put([{...branching, title: 'Kites'}])
  expect(readings).toHaveLength(1)
  put([{...branching, messages: branching.messages.map((each) => ({...each, id: `${each.id ?? ''}b`}))}])
  expect(readings).toHaveLength(2)
})

test('versions that could not be read are asked for with the next letter', async () => {
  const {actor, readings} = start([branching])
  actor.send({type: 'query.change', query: 'p'})
  readings[0]?.fail(new Error('offline'))
  await waitFor(actor, selectIsUnread)
  actor.send({type: 'query.change', query: 'pa'})
  expect(readings).toHaveLength(2)
})

test('a conversation that is on its way to the index is put again with the versions read meanwhile', async () => {
  const {actor, updates, readings} = start([branching])
  actor.send({type: 'query.change', query: 'pangolin'})
  readings[0]?.answer({foo: hiddenVersions(branching, tree)})
  await waitFor(actor, (snapshot) => !selectIsReading(snapshot))
  updates[0]?.done()
  await waitFor(actor, () => updates.length === 2)
  expect(updates[1]?.input.versions['foo']?.messages.map(({content}) => content)).toEqual(['A pangolin.'])
})
