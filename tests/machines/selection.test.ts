import {Subject} from 'rxjs'
import type {PackFact} from '#domain/packed-file.ts'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, SimulatedClock} from 'xstate'
import {selectionMachine} from '#machines/selection/selection.machine.ts'
import {selectChosen} from '#machines/selection/selection.selectors.ts'
import type {DeletionFact, ListedFact, SelectionEvent, SelectionInput} from '#machines/selection/selection.types.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import type {EventFixtures} from './graph.ts'
import {ref} from './media-fixtures.ts'
import {describeRules} from './rules.ts'

const input: SelectionInput = {ref}
const files = [
  {url: '/a.png', name: 'a.png'},
  {url: '/b.png', name: 'b.png'},
]
const tasks = [
  {id: 'a', title: 'A'},
  {id: 'b', title: 'B'},
]

const events = {
  'selection.enter': [{type: 'selection.enter'}],
  'selection.leave': [{type: 'selection.leave'}],
  'task.toggle': [
    {type: 'task.toggle', id: 'a'},
    {type: 'task.toggle', id: 'b'},
  ],
  'task.extend': [{type: 'task.extend', id: 'b', order: ['a', 'b']}],
  'tasks.choose': [{type: 'tasks.choose', ids: ['a', 'b']}],
  'tasks.drop': [{type: 'tasks.drop'}],
  'tasks.listed': [
    {type: 'tasks.listed', ids: ['b']},
    {type: 'tasks.listed', ids: []},
  ],
  'delete.ask': [{type: 'delete.ask'}],
  'delete.cancel': [{type: 'delete.cancel'}],
  'delete.confirm': [
    {type: 'delete.confirm', tasks},
    {type: 'delete.confirm', tasks: []},
  ],
  'download.start': [
    {type: 'download.start', files},
    {type: 'download.start', files: []},
  ],
  'download.cancel': [{type: 'download.cancel'}],
  'task.deleted': [{type: 'task.deleted', id: 'a'}],
  'task.kept': [{type: 'task.kept', id: 'b'}],
  'file.packed': [{type: 'file.packed'}],
  'file.failed': [{type: 'file.failed', name: 'b.png'}],
} satisfies EventFixtures<SelectionEvent>

describe('selection', () => {
  const {edges, states, coverage} = describeRules(selectionMachine, {
    user: [
      'selection.enter',
      'selection.leave',
      'task.toggle',
      'task.extend',
      'tasks.choose',
      'tasks.drop',
      'delete.ask',
      'delete.cancel',
      'delete.confirm',
      'download.start',
      'download.cancel',
    ],
    input,
    events: Object.values(events).flat(),
    outputs: {listed: [], deleteTasks: [undefined], packFiles: [undefined]},
    endless: ['listed'],
    key: ({context: {chosen, anchor, kept, failed, done}}) => [
      chosen,
      anchor,
      kept.length > 0,
      failed.length > 0,
      Math.min(done, 2),
    ],
    stop: ({context: {kept, failed, done}}) => kept.length > 2 || failed.length > 2 || done > 3,
  })
  test('every transition is taken', () => {
    expect(coverage.missing(selectionMachine)).toEqual([])
  })
  test('nothing is chosen while nothing is being chosen', () => {
    expect(states.filter((state) => state.matches('idle') && state.context.chosen.length > 0)).toEqual([])
  })
  test('each is chosen once', () => {
    const twice = states.filter(({context: {chosen}}) => new Set(chosen).size !== chosen.length)
    expect(twice).toEqual([])
  })
  test('nothing is asked, and nothing deleted, without a task', () => {
    const asked = states.filter(
      (state) =>
        (state.matches({selecting: 'confirming'}) && state.context.chosen.length === 0) ||
        (state.matches({selecting: 'deleting'}) && state.context.deleting.length === 0),
    )
    expect(asked).toEqual([])
  })
  test('what is being deleted was confirmed', () => {
    const entered = edges.filter(
      ({state, nextState}) => !state.matches({selecting: 'deleting'}) && nextState.matches({selecting: 'deleting'}),
    )
    expect([...new Set(entered.map(({event}) => event.type))]).toEqual(['delete.confirm'])
  })
})

function start() {
  const ports = {
    listed: new Subject<ListedFact>(),
    deleted: new Subject<DeletionFact>(),
    packed: new Subject<PackFact>(),
  }
  const opened: string[] = []
  const reports: unknown[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    selectionMachine.provide({
      actors: {
        listed: fromEventObservable(() => ports.listed),
        deleteTasks: fromEventObservable(({input: {ids}}: {input: {ref: ToolRef; ids: string[]}}) => {
          opened.push(`delete ${ids.join(' ')}`)
          return ports.deleted
        }),
        packFiles: fromEventObservable(() => {
          opened.push('pack')
          return ports.packed
        }),
      },
      actions: {
        tellKept: (_, {tasks: kept}) => void reports.push(kept.map(({title}) => title)),
        tellFailed: (_, {names}) => void reports.push(names),
        tellUnpacked: (_, {error}) => void reports.push(String(error)),
      },
    }),
    {input, clock},
  ).start()
  const send = (...sent: SelectionEvent[]) => sent.forEach((event) => actor.send(event))
  const chosen = () => selectChosen(actor.getSnapshot())
  return {actor, ports, opened, reports, clock, send, chosen}
}

describe('selection journeys', () => {
  const order = ['a', 'b', 'c', 'd', 'e']
  test('a range goes from the last one to this one, either way, and keeps the order of the choice', () => {
    const run = start()
    run.send({type: 'task.toggle', id: 'd'}, {type: 'task.extend', id: 'b', order})
    expect(run.chosen()).toEqual(['d', 'c', 'b'])
    run.send(
      {type: 'task.extend', id: 'c', order},
      {type: 'task.toggle', id: 'd'},
      {type: 'task.extend', id: 'e', order},
    )
    expect(run.chosen()).toEqual(['c', 'b', 'e'])
    run.send({type: 'selection.leave'})
    expect(run.chosen()).toBeUndefined()
  })

  test('a task that vanishes leaves the choice, and the last one takes the question with it', () => {
    const run = start()
    run.send({type: 'tasks.listed', ids: order}, {type: 'task.toggle', id: 'a'}, {type: 'task.toggle', id: 'b'})
    run.ports.listed.next({type: 'tasks.listed', ids: ['b', 'c']})
    expect(run.chosen()).toEqual(['b'])
    run.send({type: 'delete.ask'})
    run.ports.listed.next({type: 'tasks.listed', ids: ['c']})
    expect(run.actor.getSnapshot().value).toEqual({selecting: 'choosing'})
  })

  test('those that could not be deleted are told of and stay chosen', () => {
    const run = start()
    run.send({type: 'tasks.choose', ids: []}, {type: 'selection.enter'}, {type: 'tasks.choose', ids: ['a', 'b']})
    run.send({type: 'delete.ask'}, {type: 'delete.confirm', tasks})
    expect([run.opened, run.reports]).toEqual([['delete a b'], []])
    run.ports.deleted.next({type: 'task.deleted', id: 'a'})
    run.ports.deleted.next({type: 'task.kept', id: 'b'})
    // leaving the screen does not leave the work
    run.send({type: 'selection.leave'})
    run.ports.deleted.complete()
    expect([run.chosen(), run.reports]).toEqual([['b'], [['B']]])
  })

  test('a deletion that says nothing for a minute is given up: the rest is told of, nothing is deleted twice', () => {
    const run = start()
    run.send({type: 'selection.enter'}, {type: 'tasks.choose', ids: ['a', 'b']})
    run.send({type: 'delete.ask'}, {type: 'delete.confirm', tasks})
    run.clock.increment(59_000)
    run.ports.deleted.next({type: 'task.deleted', id: 'a'})
    run.clock.increment(59_000)
    expect(run.reports).toEqual([])
    run.clock.increment(1_000)
    expect([run.chosen(), run.reports, run.opened]).toEqual([['b'], [['B']], ['delete a b']])
  })

  test('a download that has all ends the choice; what is missing is named and the choice stays', () => {
    const run = start()
    run.send({type: 'task.toggle', id: 'a'}, {type: 'download.start', files})
    run.ports.packed.next({type: 'file.packed'})
    run.ports.packed.next({type: 'file.failed', name: 'b.png'})
    expect(run.actor.getSnapshot().context.done).toBe(2)
    run.ports.packed.complete()
    expect([run.chosen(), run.reports]).toEqual([['a'], [['b.png']]])
    const whole = start()
    whole.send({type: 'task.toggle', id: 'a'}, {type: 'download.start', files})
    whole.ports.packed.complete()
    expect([whole.chosen(), whole.reports]).toEqual([undefined, []])
  })

  test('a download can be left', () => {
    const run = start()
    run.send({type: 'task.toggle', id: 'a'}, {type: 'download.start', files})
    expect(run.ports.packed.observed).toBe(true)
    run.send({type: 'download.cancel'})
    expect([run.ports.packed.observed, run.chosen(), run.reports]).toEqual([false, ['a'], []])
  })
})
