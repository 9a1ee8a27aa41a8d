import {describe, expect, test} from 'vitest'
import {selectDays} from '#machines/tasks/tasks.selectors.ts'
import {taskDaysMachine, type TaskDaysEvent} from '#machines/task-days/task-days.machine.ts'
import type {EventFixtures} from './graph.ts'
import {record, startList} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {startTaskList} from './start-task-list.ts'

const {input} = startList()
const events = {
  'tasks.find': [{type: 'tasks.find', from: 100, to: 200}],
  'tasks.findMore': [{type: 'tasks.findMore'}],
  'provision.ready': [{type: 'provision.ready'}],
  'provision.missing': [{type: 'provision.missing'}],
} satisfies EventFixtures<TaskDaysEvent>

describe('task days', () => {
  const {edges, coverage} = describeRules(taskDaysMachine, {
    // a set-up that failed is tried again by the user, in the machine of the set-up
    user: ['tasks.find', 'tasks.findMore', 'provision.ready'],
    input,
    inputs: (['settling', 'missing'] as const).map((state) => startList(state).input),
    events: Object.values(events).flat(),
    outputs: {
      retrieveTasks: [
        {records: [record('1', 'succeeded', 150)], total: 2},
        {records: [], total: 0},
      ],
    },
    errors: [new Error('foo')],
    key: ({context: {list, from, to}}) => [
      list.getSnapshot().hasTag('ready'),
      list.getSnapshot().hasTag('missing'),
      from,
      to,
    ],
  })
  test('every transition is taken', () => expect(coverage.missing(taskDaysMachine)).toEqual([]))
  test('other days are never shown as read', () => {
    const found = edges.filter(({event}) => event.type === 'tasks.find')
    expect(found.some(({state}) => state.matches('found'))).toBe(true)
    expect(found.filter(({nextState}) => nextState.matches('found') || nextState.matches('none'))).toEqual([])
  })
})

describe('task days journeys', () => {
  test('days are asked for by their times, page by page, and change neither count nor end of the list', async () => {
    const run = startTaskList({
      page: async ({createdAtMin, createdAtMax}) =>
        createdAtMin === undefined
          ? {records: [record('z', 'succeeded', 900)], total: 50}
          : createdAtMax === 299
            ? {records: [record('c', 'succeeded', 250), record('b', 'succeeded', 220)], total: 3}
            : {records: [record('b', 'succeeded', 220), record('a', 'succeeded', 210)], total: 2},
    })
    run.pages.send({type: 'tasks.open'})
    await run.turn()
    run.days.send({type: 'tasks.find', from: 200, to: 299})
    expect(selectDays(run.days.getSnapshot())).toBe('loading')
    await run.turn()
    expect([run.ids(), selectDays(run.days.getSnapshot())]).toEqual([['b', 'c', 'z'], 'some'])
    run.days.send({type: 'tasks.findMore'})
    await run.turn()
    expect([run.ids(), selectDays(run.days.getSnapshot())]).toEqual([['a', 'b', 'c', 'z'], 'none'])
    expect(run.readPages.slice(1).map(({createdAtMin, createdAtMax}) => [createdAtMin, createdAtMax])).toEqual([
      [200, 299],
      [200, 220],
    ])
    expect([run.context().total, run.pages.getSnapshot().context.hasOlder]).toEqual([50, true])
    run.days.send({type: 'tasks.findMore'})
    expect(run.readPages).toHaveLength(3)
  })

  test('days asked for while the tool is set up are read once it is, the last of them', async () => {
    const run = startTaskList({page: async () => ({records: [record('a', 'succeeded', 210)], total: 1})}, 'settling')
    run.days.send({type: 'tasks.find', from: 100, to: 199})
    run.days.send({type: 'tasks.find', from: 200, to: 299})
    await run.turn()
    expect(run.readPages).toEqual([])
    run.list.send({type: 'provision.ready'})
    expect(selectDays(run.days.getSnapshot())).toBe('loading')
    await run.turn()
    expect(run.readPages.map(({createdAtMin, createdAtMax}) => [createdAtMin, createdAtMax])).toEqual([[200, 299]])
    expect([run.ids(), selectDays(run.days.getSnapshot())]).toEqual([['a'], 'none'])
    run.list.send({type: 'provision.ready'})
    expect(run.readPages).toHaveLength(1)
  })

  test.each(['settling', 'missing'] as const)(
    'days asked for while set-up is %s are not told as empty, and can be asked for again',
    async (setUp) => {
      const run = startTaskList({page: async () => ({records: [record('a', 'succeeded', 210)], total: 1})}, setUp)
      const shown = () => selectDays(run.days.getSnapshot())
      run.days.send({type: 'tasks.find', from: 200, to: 299})
      expect(shown()).toBe(setUp === 'missing' ? 'failed' : 'loading')
      run.clock.increment(30_000)
      expect(shown()).toBe('failed')
      run.days.send({type: 'tasks.findMore'})
      expect(shown()).toBe(setUp === 'missing' ? 'failed' : 'loading')
      run.list.send({type: 'provision.missing'})
      expect([shown(), run.readPages]).toEqual(['failed', []])
      run.list.send({type: 'provision.ready'})
      await run.turn()
      expect([run.ids(), shown()]).toEqual([['a'], 'none'])
    },
  )

  test('days that could not be had are asked for again', async () => {
    let fails = true
    const run = startTaskList({
      page: async () => {
        if (fails) throw new Error('foo')
        return {records: [record('a', 'succeeded', 210)], total: 1}
      },
    })
    run.days.send({type: 'tasks.find', from: 200, to: undefined})
    await run.turn()
    expect(selectDays(run.days.getSnapshot())).toBe('failed')
    fails = false
    run.days.send({type: 'tasks.findMore'})
    await run.turn()
    expect([run.ids(), selectDays(run.days.getSnapshot())]).toEqual([['a'], 'none'])
  })
})
