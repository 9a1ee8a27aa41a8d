import {describe, expect, test} from 'vitest'
import {Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise, SimulatedClock, waitFor, type SnapshotFrom} from 'xstate'
import type {ConversationRecord} from '#domain/conversation.ts'
import {versionsName, type VersionNames} from '#domain/hidden-versions.ts'
import type {SearchHit} from '#domain/search-index.ts'
import {
  batchSize,
  searchIndexMachine,
  selectFound,
  selectIsAsking,
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
const names: VersionNames = {foo: versionsName(branching)}

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
      keptVersions: [{}, names],
      readVersions: [names],
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

/** The chart over an index in the hands of the test. `kept`: names of what the device keeps. */
function start(records: readonly ConversationRecord[], kept: VersionNames = {}) {
  const clock = new SimulatedClock()
  const changes = new Subject<RecordsChanged>()
  const updates: {input: IndexChanges; done: () => void; fail: (error: Error) => void}[] = []
  const searches: {query: string; answer: (hits: readonly SearchHit[]) => void}[] = []
  const readings: {keys: string[]; answer: (versions: VersionNames) => void; fail: (error: Error) => void}[] = []
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
        keptVersions: fromPromise<VersionNames, undefined>(async () => kept),
        readVersions: fromPromise<VersionNames, {records: readonly ConversationRecord[]}>(
          ({input}) =>
            new Promise((answer, fail) => readings.push({keys: input.records.map(({key}) => key), answer, fail})),
        ),
        resetIndex: fromPromise<void, undefined>(async () => {
          resets += 1
        }),
      },
    }),
    {clock},
  ).start()
  stopAfterTest(actor)
  const put = (next: readonly ConversationRecord[]) => changes.next({type: 'records.changed', records: next})
  put(records)
  return {actor, put, updates, searches, readings, clock, resets: () => resets}
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
  actor.send({type: 'query.change', query: 'kite'})
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

async function answerAll(actor: ReturnType<typeof start>['actor'], searches: ReturnType<typeof start>['searches']) {
  while (selectIsAsking(actor.getSnapshot())) {
    for (const {answer} of searches.splice(0)) answer([])
    await Promise.resolve()
  }
}

const isVersions = (state: 'pausing' | 'reading' | 'unread') => (snapshot: SnapshotFrom<typeof searchIndexMachine>) =>
  snapshot.matches({working: {versions: state}})

test('hidden versions are read a few at a time before anything is searched for, and without the worker', async () => {
  const many = Array.from({length: 25}, (_, index) => ({...branching, key: `c${index}`, id: `c${index}`}))
  const {actor, updates, searches, readings, clock} = start(many)
  await waitFor(actor, isVersions('pausing'))
  expect(readings).toHaveLength(0)
  clock.increment(3_000)
  expect(readings.map(({keys}) => keys.length)).toEqual([20])
  readings[0]?.answer(Object.fromEntries(many.slice(0, 20).map((each) => [each.id, versionsName(each)])))
  await waitFor(actor, isVersions('pausing'))
  clock.increment(3_000)
  expect(readings[1]?.keys).toEqual(many.slice(20).map(({key}) => key))
  expect([updates, searches]).toEqual([[], []])
})

test('what the device keeps is not read again, whatever is searched for', async () => {
  const {actor, updates, searches, readings, clock} = start([branching], names)
  await waitFor(actor, (snapshot) => snapshot.matches({working: {versions: 'settled'}}))
  actor.send({type: 'query.change', query: 'pangolin'})
  actor.send({type: 'query.change', query: 'pang'})
  updates[0]?.done()
  await settle(actor)
  await answerAll(actor, searches)
  clock.increment(600_000)
  expect(actor.getSnapshot().matches('working')).toBe(true)
  expect(readings).toEqual([])
  expect(updates[0]?.input).toEqual({records: [branching], gone: [], versions: names})
  expect([selectIsReading(actor.getSnapshot()), selectIsUnread(actor.getSnapshot())]).toEqual([false, false])
})

test('a search does not wait between readings, and what is read is put beside what is shown', async () => {
  const {actor, updates, readings} = start([branching, bar])
  await waitFor(actor, isVersions('pausing'))
  actor.send({type: 'query.change', query: 'pangolin'})
  updates[0]?.done()
  await settle(actor)
  expect(readings.map(({keys}) => keys)).toEqual([['foo']])
  expect(selectIsReading(actor.getSnapshot())).toBe(true)
  readings[0]?.answer(names)
  await waitFor(actor, (snapshot) => selectProgress(snapshot) !== undefined)
  expect(updates.at(-1)?.input).toEqual({records: [branching], gone: [], versions: names})
  updates.at(-1)?.done()
  await settle(actor)
  expect(readings).toHaveLength(1)
})

test('they are read again once the conversation has another path or revision, and not for a new title', async () => {
  const {actor, put, readings} = start([branching])
  actor.send({type: 'query.change', query: 'pangolin'})
  await waitFor(actor, isVersions('reading'))
  readings[0]?.answer(names)
  await waitFor(actor, (snapshot) => !selectIsReading(snapshot))
  put([{...branching, title: 'Kites'}])
  expect(readings).toHaveLength(1)
  put([{...branching, messages: [...branching.messages, {id: 'q3', role: 'user', content: 'And?'}]}])
  expect(readings).toHaveLength(1)
  const otherPath = {...branching, messages: branching.messages.map((each) => ({...each, id: `${each.id ?? ''}b`}))}
  put([otherPath])
  expect(readings).toHaveLength(2)
  readings[1]?.answer({foo: versionsName(otherPath)})
  await waitFor(actor, (snapshot) => !selectIsReading(snapshot))
  put([{...otherPath, revision: '1:7'}])
  expect(readings).toHaveLength(3)
})

test('versions that could not be read are asked for with the next letter, and after a while', async () => {
  const {actor, put, updates, searches, readings, clock} = start([branching])
  actor.send({type: 'query.change', query: 'p'})
  updates[0]?.done()
  await waitFor(actor, isVersions('reading'))
  readings[0]?.fail(new Error('offline'))
  await waitFor(actor, selectIsUnread)
  actor.send({type: 'query.change', query: 'pa'})
  expect(readings).toHaveLength(2)
  readings[1]?.fail(new Error('offline'))
  await waitFor(actor, selectIsUnread)
  await answerAll(actor, searches)
  clock.increment(60_000)
  expect(readings).toHaveLength(3)
  readings[2]?.fail(new Error('offline'))
  await waitFor(actor, selectIsUnread)
  put([bar])
  expect(selectIsUnread(actor.getSnapshot())).toBe(false)
})

test('a conversation that is on its way to the index is put again with the versions read meanwhile', async () => {
  const {actor, updates, readings} = start([branching])
  actor.send({type: 'query.change', query: 'pangolin'})
  await waitFor(actor, isVersions('reading'))
  readings[0]?.answer(names)
  await waitFor(actor, (snapshot) => !selectIsReading(snapshot))
  updates[0]?.done()
  await waitFor(actor, () => updates.length === 2)
  expect(updates[1]?.input.versions).toEqual(names)
})
