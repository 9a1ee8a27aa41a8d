import {NEVER, of, Subject} from 'rxjs'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock, waitFor} from 'xstate'
import {
  createResourceListMachine,
  selectFailure,
  selectIsStale,
  selectPage,
  type ListPage,
  type ListQuery,
  type ResourceListEvent,
} from '#machines/resource-list/resource-list.machine.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {describeRules} from './rules.ts'

const machine = createResourceListMachine<string>().provide({actions: {openLastPage: () => {}}})
const environment = startEnvironment()
const input = {query: {page: '1'}, environment}
const page = {items: ['foo', 'bar'], total: 12}
const outputs = [page, {items: [], total: 0}, {items: [], total: 12}]
const events = {
  'query.changed': [
    {type: 'query.changed', query: {page: '1'}},
    {type: 'query.changed', query: {page: '2', state: 'Paid'}},
  ],
  'list.refresh': [{type: 'list.refresh'}],
  'list.reread': [{type: 'list.reread'}],
  'connection.restored': [{type: 'connection.restored'}],
  'page.shown': [{type: 'page.shown'}],
} satisfies EventFixtures<ResourceListEvent>

type QueryChange = Extract<ResourceListEvent, {type: 'query.changed'}>

/** A list whose pages the test gives, one read after the other. */
function open(reads: (() => Promise<ListPage<string>>)[], isLed = false) {
  const asked: ListQuery[] = []
  const reports: number[] = []
  const behind: number[] = []
  const address = new Subject<QueryChange>()
  const clock = new SimulatedClock()
  const logic = machine.provide({
    actors: {
      readPage: fromPromise<ListPage<string>, {query: ListQuery}>(({input: {query}}) => {
        asked.push(query)
        return reads[asked.length - 1]?.() ?? Promise.reject(new Error('one read too many'))
      }),
      queries: fromEventObservable<QueryChange, undefined>(() => address),
    },
    actions: {
      announceReread: () => reports.push(asked.length),
      openLastPage: (_, {total}) => void behind.push(total),
    },
  })
  const own = stopAfterTest(startEnvironment())
  const actor = createActor(logic, {input: {...input, environment: own, isLed}, clock}).start()
  const showAgain = () => {
    own.send({type: 'page.hidden'})
    own.send({type: 'page.shown'})
  }
  return {
    actor,
    own,
    asked,
    reports,
    behind,
    address,
    clock,
    showAgain,
    rested: () => waitFor(actor, (snapshot) => !snapshot.hasTag('loading')),
  }
}

describe('a list of the server', () => {
  const {coverage, edges} = describeRules(machine, {
    input,
    inputs: [{...input, isLed: true}],
    user: ['query.changed', 'list.refresh'],
    events: Object.values(events).flat(),
    endless: ['environmentChanges', 'queries'],
    outputs: {readPage: outputs, rereadPage: outputs},
    key: ({context: {isLed, query, shown, failure}}) => [isLed, query, shown?.query, shown?.total, failure?.code],
  })

  test('every transition is taken', () => expect(coverage.missing(machine)).toEqual([]))

  test('rows are never shown for a query that they do not answer, except while their successor is read', () => {
    const wrong = edges.filter(({nextState}) => {
      const {shown, query} = nextState.context
      return (
        selectPage(nextState) !== undefined &&
        !nextState.hasTag('loading') &&
        JSON.stringify(shown?.query) !== JSON.stringify(query)
      )
    })
    expect(wrong).toEqual([])
  })

  test('what the page reads by itself is quiet: rows stay, nothing says that it loads or failed', () => {
    const quiet = edges.filter(({nextState}) => nextState.matches({success: 'refreshing'}))
    const loud = edges.filter(
      ({state, event, nextState}) =>
        (state.matches({success: 'refreshing'}) || nextState.matches({success: 'refreshing'})) &&
        event.type !== 'query.changed' &&
        event.type !== 'list.refresh' &&
        (selectPage(nextState) === undefined || selectIsStale(nextState) || selectFailure(nextState) !== undefined),
    )
    expect([quiet.length > 0, loud]).toEqual([true, []])
  })

  test('a list that another one leads is not read because its page is shown', () => {
    const own = edges.filter(({event}) => event.type === 'page.shown')
    const led = own.filter(({state}) => state.context.isLed === true)
    const moved = (some: typeof own) =>
      some.filter(({state, nextState}) => JSON.stringify(state.value) !== JSON.stringify(nextState.value))
    expect([led.length > 0, moved(own).length > 0, moved(led)]).toEqual([true, true, []])
  })

  test('a refresh keeps the shown rows', () => {
    const blank = edges.filter(
      ({state, event, nextState}) =>
        event.type === 'list.refresh' && selectPage(state) !== undefined && selectPage(nextState) === undefined,
    )
    expect(blank).toEqual([])
  })
})

describe('journeys of a list', () => {
  test('the address names another page: the old rows stay until the new ones are there', async () => {
    const run = open([async () => page, async () => ({items: ['baz'], total: 12})])
    await run.rested()
    run.address.next({type: 'query.changed', query: {page: '1'}})
    expect(run.asked).toEqual([{page: '1'}])
    run.address.next({type: 'query.changed', query: {page: '2'}})
    expect([selectPage(run.actor.getSnapshot())?.items, selectIsStale(run.actor.getSnapshot())]).toEqual([
      ['foo', 'bar'],
      true,
    ])
    const next = await run.rested()
    expect([selectPage(next)?.items, selectIsStale(next), run.asked]).toEqual([
      ['baz'],
      false,
      [{page: '1'}, {page: '2'}],
    ])
  })

  test('an empty page is shown for its own query alone: another one is not said to have nothing', async () => {
    const run = open([async () => ({items: [], total: 0}), async () => page, async () => page])
    await run.rested()
    expect(selectPage(run.actor.getSnapshot())?.items).toEqual([])
    run.actor.send({type: 'query.changed', query: {page: '2'}})
    expect(selectPage(run.actor.getSnapshot())).toBeUndefined()
    expect(selectPage(await run.rested())?.items).toEqual(['foo', 'bar'])
  })

  test('a page that fails shows no rows of another query; a refresh that fails keeps its own', async () => {
    const refused = () =>
      Promise.reject(Object.assign(new Error('foo'), {status: 500, code: 'api_error', detail: 'foo'}))
    const run = open([async () => page, refused, refused])
    await run.rested()
    run.actor.send({type: 'list.refresh'})
    const stale = await run.rested()
    expect([selectPage(stale)?.items, selectFailure(stale)?.code]).toEqual([['foo', 'bar'], 'api_error'])
    run.actor.send({type: 'query.changed', query: {page: '2'}})
    const failed = await run.rested()
    expect([selectPage(failed), selectFailure(failed)?.code]).toEqual([undefined, 'api_error'])
  })

  test('a page that is shown again reads its rows once more, and not at every turn', async () => {
    const paid = {items: ['foo', 'paid'], total: 12}
    const run = open([async () => page, async () => paid, async () => page])
    const {actor, showAgain} = run
    const at = (state: 'fresh' | 'resting' | 'awaited') =>
      waitFor(actor, (snapshot) => snapshot.matches({success: state}))
    await at('fresh')
    run.clock.increment(5_000)
    await at('resting')
    showAgain()
    await at('fresh')
    expect(selectPage(actor.getSnapshot())?.items).toEqual(paid.items)
    for (let turn = 0; turn < 5; turn += 1) showAgain()
    await at('awaited')
    expect(run.asked).toHaveLength(2)
    run.clock.increment(5_000)
    await at('fresh')
    expect([run.asked.length, selectPage(actor.getSnapshot())?.items]).toEqual([3, page.items])
    // told before each of the two readings, and of no other
    expect(run.reports).toEqual([1, 2])
  })

  test('a list that failed is read again when its page is shown', async () => {
    const run = open([() => Promise.reject(new TypeError('Failed to fetch')), async () => page])
    await run.rested()
    run.showAgain()
    expect([selectPage(await run.rested())?.items, run.reports]).toEqual([['foo', 'bar'], [1]])
  })

  test('a led list is read when it is told: quietly beside its rows, openly after a failure, anew while it is read', async () => {
    const failed = () => Promise.reject(new TypeError('Failed to fetch'))
    const run = open(
      [failed, () => new Promise(() => {}), async () => page, async () => ({items: ['baz'], total: 1})],
      true,
    )
    await run.rested()
    run.showAgain()
    expect(run.asked).toHaveLength(1)
    run.actor.send({type: 'list.reread'})
    expect(selectFailure(run.actor.getSnapshot())).toBeUndefined()
    run.actor.send({type: 'list.reread'})
    expect(selectPage(await run.rested())?.items).toEqual(['foo', 'bar'])
    run.actor.send({type: 'list.reread'})
    expect(selectIsStale(run.actor.getSnapshot())).toBe(false)
    await waitFor(run.actor, (snapshot) => snapshot.matches({success: 'fresh'}))
    expect([selectPage(run.actor.getSnapshot())?.items, run.asked.length, run.reports]).toEqual([['baz'], 4, []])
  })

  test('a list that failed is read again when the network is back', async () => {
    const run = open([() => Promise.reject(new TypeError('Failed to fetch')), async () => page])
    await run.rested()
    run.actor.send({type: 'connection.restored'})
    expect(selectPage(await run.rested())?.items).toEqual(['foo', 'bar'])
  })

  test('an answer that does not come ends as a failure', () => {
    const run = open([() => new Promise(() => {})])
    run.clock.increment(20_000)
    expect(selectFailure(run.actor.getSnapshot())?.code).toBe('timeout')
  })

  test('an address that cannot be followed leaves the first query', async () => {
    const actor = createActor(
      machine.provide({
        actors: {
          readPage: fromPromise<ListPage<string>, {query: ListQuery}>(async () => page),
          queries: fromEventObservable<QueryChange, undefined>(() => (input.query.page === '1' ? of() : NEVER)),
        },
      }),
      {input},
    ).start()
    stopAfterTest(actor)
    expect(selectPage(await waitFor(actor, (snapshot) => snapshot.matches('success')))?.total).toBe(12)
  })
})

test('a page behind the last leads to the last one: of an old link, or since its last row is gone', async () => {
  const last = {items: [], total: 12}
  const {actor, behind, address, rested} = open([
    async () => last,
    async () => page,
    async () => ({items: [], total: 0}),
    async () => last,
  ])
  await rested()
  expect(behind).toEqual([12])
  address.next({type: 'query.changed', query: {page: '2'}})
  expect(selectPage(await rested())?.items).toEqual(page.items)
  actor.send({type: 'list.refresh'})
  await rested()
  expect(behind).toEqual([12])
  actor.send({type: 'list.refresh'})
  await rested()
  expect(behind).toEqual([12, 12])
})
