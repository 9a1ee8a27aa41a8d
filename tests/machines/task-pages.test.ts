import {describe, expect, test} from 'vitest'
import {selectPageStatus} from '#machines/tasks/tasks.selectors.ts'
import type {PageInput, TaskPage} from '#machines/task-list/task-list.types.ts'
import {taskPagesMachine} from '#machines/task-pages/task-pages.machine.ts'
import type {TaskPagesEvent} from '#machines/task-pages/task-pages.types.ts'
import {startEnvironment} from './environment-fixture.ts'
import type {EventFixtures} from './graph.ts'
import {record, startList} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {startTaskList} from './start-task-list.ts'

const {input: listed, list} = startList('ready', {items: [record('a')]})
const input = {...listed, environment: startEnvironment()}
const events = {
  'tasks.open': [{type: 'tasks.open'}],
  'tasks.refresh': [{type: 'tasks.refresh'}],
  'tasks.older': [{type: 'tasks.older'}],
  'provision.ready': [{type: 'provision.ready'}],
  'provision.missing': [{type: 'provision.missing'}],
  'connection.restored': [{type: 'connection.restored'}],
} satisfies EventFixtures<TaskPagesEvent>

describe('task pages', () => {
  const {edges, coverage} = describeRules(taskPagesMachine, {
    // a set-up that failed is tried again by the user, in the machine of the set-up
    user: ['tasks.open', 'tasks.refresh', 'tasks.older', 'provision.ready'],
    input,
    inputs: (['settling', 'missing'] as const).map((state) => ({...input, list: startList(state).list})),
    events: Object.values(events).flat(),
    outputs: {
      retrieveNewest: [{records: [record('a')], total: 2}],
      retrieveOlder: [
        {records: [record('0', 'succeeded', 1)], total: 2},
        {records: [record('a', 'running', 50)], total: 9},
      ],
    },
    errors: [{status: 401, code: 'invalid_token', detail: 'foo'}],
    endless: ['environmentChanges'],
    key: ({context: {list: owner, hasOlder, range, failure, olderFailure}}) => [
      owner.getSnapshot().hasTag('ready'),
      owner.getSnapshot().hasTag('missing'),
      hasOlder,
      range,
      failure?.code,
      olderFailure?.code,
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(taskPagesMachine)).toEqual([]))
  test('without set-up nothing is asked', () => {
    const asking = edges.filter(
      ({state, event, nextState}) =>
        state.context.list !== list && nextState.matches({newest: 'request'}) && event.type !== 'provision.ready',
    )
    expect(asking.filter(({state}) => !state.matches({newest: 'request'}))).toEqual([])
  })
})

describe('task pages journeys', () => {
  test('older pages come before the oldest task until one leads no further', async () => {
    const older = [[record('b', 'succeeded', 20)], [record('b', 'succeeded', 20)]]
    const run = startTaskList({
      page: async ({createdAtMax}) =>
        createdAtMax === undefined
          ? {records: [record('c', 'succeeded', 30)], total: 9}
          : {records: older.shift() ?? [], total: 9},
    })
    run.pages.send({type: 'tasks.open'})
    await run.turn()
    run.pages.send({type: 'tasks.older'})
    await run.turn()
    expect([run.ids(), run.pages.getSnapshot().context.hasOlder]).toEqual([['b', 'c'], true])
    run.pages.send({type: 'tasks.older'})
    await run.turn()
    expect([run.readPages.at(-1)?.createdAtMax, run.pages.getSnapshot().context.hasOlder]).toEqual([20, false])
    run.pages.send({type: 'tasks.older'})
    await run.turn()
    expect(run.readPages).toHaveLength(3)
  })

  /** `most` tasks a page of those from 1 to `count`, made at 1, 2, … */
  const server =
    (count: number, most: number) =>
    async ({createdAtMax = Number.POSITIVE_INFINITY}: PageInput): Promise<TaskPage> => {
      const all = Array.from({length: count}, (_, index) => record(`${index + 1}`, 'succeeded', index + 1))
      const within = all.filter(({task}) => task.created_at <= createdAtMax)
      return {records: within.slice(-most).reverse(), total: within.length}
    }

  const olderUntilEnd = async (run: ReturnType<typeof startTaskList>) => {
    const totals = [run.context().total]
    for (let press = 0; run.pages.getSnapshot().context.hasOlder && press < 500; press += 1) {
      run.pages.send({type: 'tasks.older'})
      await run.turn()
      await run.turn()
      totals.push(run.context().total)
    }
    return totals
  }

  test.each([
    {name: 'the newest of long ago', from: 200, to: 300, count: 500},
    {name: 'some of each kind', from: 340, to: 355, count: 360},
    {name: 'all there is', from: 1, to: 120, count: 120},
    {name: 'nothing', from: 1, to: 0, count: 130},
  ])('whatever the cache holds ($name), every task can be reached and the total stays', async ({from, to, count}) => {
    const cached = Array.from({length: Math.max(0, to - from + 1)}, (_, index) =>
      record(`${from + index}`, 'succeeded', from + index),
    )
    const run = startTaskList({cached: {records: cached, total: 7, intents: []}, page: server(count, 50)})
    await run.turn()
    run.pages.send({type: 'tasks.open'})
    await run.turn()
    const totals = await olderUntilEnd(run)
    expect(run.ids()).toEqual(Array.from({length: count}, (_, index) => `${index + 1}`))
    expect(new Set(totals)).toEqual(new Set([count]))
  })

  test('a press for older tasks passes over what is known already', async () => {
    const cached = Array.from({length: 40}, (_, index) => record(`${index + 61}`, 'succeeded', index + 61))
    const run = startTaskList({cached: {records: cached, total: 100, intents: []}, page: server(100, 10)})
    run.pages.send({type: 'tasks.open'})
    await run.turn()
    run.pages.send({type: 'tasks.older'})
    for (let round = 0; round < 6; round += 1) await run.turn()
    expect([run.ids()[0], run.pages.getSnapshot().value.older]).toEqual(['55', 'idle'])
  })

  test('more new tasks than a page holds are no hole', async () => {
    let count = 60
    const run = startTaskList({page: (asked) => server(count, 50)(asked)})
    run.pages.send({type: 'tasks.open'})
    await run.turn()
    await olderUntilEnd(run)
    count = 200
    run.pages.send({type: 'tasks.refresh'})
    await run.turn()
    await olderUntilEnd(run)
    expect(run.ids()).toHaveLength(200)
  })

  test('without a token nothing is asked; it is a step of set-up, and goes on by itself', async () => {
    const run = startTaskList({}, 'missing')
    run.pages.send({type: 'tasks.open'})
    await run.turn()
    expect([run.readPages, selectPageStatus(run.pages.getSnapshot()), run.pages.getSnapshot().context.failure]).toEqual(
      [[], 'error', {code: 'not_applied', detail: 'no token'}],
    )
    run.list.send({type: 'provision.ready'})
    await run.turn()
    expect(selectPageStatus(run.pages.getSnapshot())).toBe('success')
  })
})
