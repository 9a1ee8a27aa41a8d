import {describe, expect, test} from 'vitest'
import {createActor} from 'xstate'
import {markedTasks} from '#domain/favourites.ts'
import {taskFavouritesMachine, type TaskFavouritesEvent} from '#machines/task-favourites/task-favourites.machine.ts'
import type {EventFixtures} from './graph.ts'
import {record, startList} from './media-fixtures.ts'
import {describeRules} from './rules.ts'
import {startTaskList} from './start-task-list.ts'

const {input} = startList('ready', {items: [record('a')]})
const events = {
  'favourite.set': [
    {type: 'favourite.set', id: 'z/1', isOn: true, at: 1},
    {type: 'favourite.set', id: 'z/1', isOn: false, at: 2},
  ],
  'favourites.merged': [{type: 'favourites.merged', marks: {'z/1': 5}}],
  'favourites.find': [{type: 'favourites.find'}],
  'task.forgotten': [{type: 'task.forgotten', id: 'z'}],
} satisfies EventFixtures<TaskFavouritesEvent>

describe('task favourites', () => {
  const {states, coverage} = describeRules(taskFavouritesMachine, {
    user: ['favourite.set', 'favourites.find'],
    input,
    events: Object.values(events).flat(),
    outputs: {
      retrieveNamed: [
        {records: [record('z')], missing: []},
        {records: [], missing: ['z']},
      ],
    },
    errors: [new Error('foo')],
    key: ({context: {marks}}) => [...markedTasks(marks)],
  })
  test('every transition is taken', () => expect(coverage.missing(taskFavouritesMachine)).toEqual([]))
  test('nothing is asked for that is listed, or before set-up', () => {
    expect(states.some((state) => state.matches('asking'))).toBe(true)
    const settling = createActor(taskFavouritesMachine, {input: startList('settling').input}).start()
    settling.send({type: 'favourite.set', id: 'z', isOn: true, at: 1})
    settling.send({type: 'favourites.find'})
    const listed = createActor(taskFavouritesMachine, {input}).start()
    listed.send({type: 'favourite.set', id: 'a', isOn: true, at: 1})
    listed.send({type: 'favourites.find'})
    expect([settling.getSnapshot().value, listed.getSnapshot().value]).toEqual(['none', 'none'])
  })
})

describe('task favourites journeys', () => {
  test('favourites that are not listed are asked for, and those the server does not know go', async () => {
    const asked: string[][] = []
    const run = startTaskList({
      cached: {
        records: [record('a', 'succeeded')],
        total: 9,
        intents: [],
        favourites: {a: 1, 'old/1': 2, deleted: 3, never: -4},
      },
      named: async (ids) => {
        asked.push(ids)
        return {records: [record('old', 'succeeded', 20)], missing: ['deleted']}
      },
    })
    await run.turn()
    run.favourites.send({type: 'favourites.find'})
    await run.turn()
    expect([asked, run.ids()]).toEqual([[['deleted', 'old']], ['old', 'a']])
    expect([...markedTasks(run.favourites.getSnapshot().context.marks)].toSorted()).toEqual(['a', 'old'])
    run.favourites.send({type: 'favourites.find'})
    await run.turn()
    expect(asked).toHaveLength(1)
  })

  test('a deleted task is no favourite any more, one whose deletion is taken back still is', async () => {
    const run = startTaskList({
      cached: {records: [record('a', 'succeeded')], total: 1, intents: [], favourites: {a: 5, b: 6}},
    })
    await run.turn()
    run.list.send({type: 'task.remove', id: 'a'})
    run.restore('a')
    expect(markedTasks(run.favourites.getSnapshot().context.marks)).toEqual(new Set(['a', 'b']))
    run.list.send({type: 'task.remove', id: 'a'})
    run.clock.increment(8_000)
    await run.turn()
    expect([run.removed, [...markedTasks(run.favourites.getSnapshot().context.marks)]]).toEqual([
      ['foo-service/a'],
      ['b'],
    ])
  })
})
