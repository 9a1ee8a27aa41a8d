import {describe, expect, test} from 'vitest'
import {taskLookupMachine, type TaskLookupEvent} from '#machines/task-lookup/task-lookup.machine.ts'
import type {EventFixtures} from './graph.ts'
import {record, startList} from './media-fixtures.ts'
import {nobody} from './nobody.ts'
import {describeRules} from './rules.ts'
import {startTaskList} from './start-task-list.ts'

const session = nobody
const input = {...startList('ready', {items: [record('a')]}).input, session}
const events = {
  'task.find': [
    {type: 'task.find', id: 'a'},
    {type: 'task.find', id: 'c'},
  ],
  'task.reread': [{type: 'task.reread', id: 'a'}],
} satisfies EventFixtures<TaskLookupEvent>

describe('task lookup', () => {
  const {edges, coverage} = describeRules(taskLookupMachine, {
    input,
    inputs: [{...startList('settling').input, session}],
    events: Object.values(events).flat(),
    outputs: {retrieveTask: [record('c')]},
    errors: [{status: 404, code: 'not_found', detail: 'foo'}],
    key: ({context: {list, wanted}}) => [list.getSnapshot().hasTag('ready'), wanted],
  })
  test('every transition is taken', () => expect(coverage.missing(taskLookupMachine)).toEqual([]))
  test('a listed task is asked for only to be read again', () => {
    const asked = edges.filter(
      ({state, event, nextState}) => event.type === 'task.find' && state.matches('none') && nextState.matches('asking'),
    )
    expect([...new Set(asked.map(({nextState}) => nextState.context.wanted))]).toEqual(['c'])
  })
})

describe('task lookup journeys', () => {
  test('a task that the user goes to is asked for when it is not listed', async () => {
    const asked: string[] = []
    const run = startTaskList({
      cached: {records: [record('b', 'succeeded', 200)], total: 2, intents: []},
      task: async (id) => {
        asked.push(id)
        return record(id, 'succeeded', 50)
      },
    })
    await run.turn()
    run.lookup.send({type: 'task.find', id: 'b'})
    run.lookup.send({type: 'task.find', id: 'a'})
    await run.turn()
    expect([asked, run.ids(), run.pages.getSnapshot().context.range]).toEqual([['a'], ['a', 'b'], undefined])
    expect(run.named('task.unfound')).toEqual([])
  })

  test('a task that has ended is read again, and what the server says now counts', async () => {
    const renewed = record('b', 'succeeded', 200)
    const changed = {
      ...renewed,
      task: {...renewed.task, response: {...renewed.task.response, image_url: 'https://foo.test/new.png'}},
    }
    const run = startTaskList({
      cached: {records: [record('b', 'succeeded', 200)], total: 1, intents: []},
      task: async () => changed,
    })
    await run.turn()
    run.lookup.send({type: 'task.reread', id: 'b'})
    await run.turn()
    expect(run.context().items).toEqual([changed])
  })

  test('a task that is not there is told of; without set-up nothing is asked', async () => {
    const failure = {status: 404, code: 'not_found', detail: 'foo'}
    const run = startTaskList({task: () => Promise.reject(Object.assign(new Error('foo'), failure))})
    run.lookup.send({type: 'task.find', id: 'a'})
    await run.turn()
    expect(run.named('task.unfound')).toEqual([{tool: 'foo', id: 'a', failure, type: 'task.unfound'}])
    const early = startTaskList({}, 'settling')
    early.lookup.send({type: 'task.find', id: 'a'})
    await early.turn()
    expect(early.named('task.unfound')).toEqual([])
  })
})
