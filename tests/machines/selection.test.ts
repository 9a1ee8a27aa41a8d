import {NEVER, Subject} from 'rxjs'
import type {PackFact} from '#domain/packed-file.ts'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock, type InspectionEvent} from 'xstate'
import {noToken} from '#domain/failure.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {selectionMachine} from '#machines/selection/selection.machine.ts'
import {selectChosen} from '#machines/selection/selection.selectors.ts'
import type {ListedFact, SelectionEvent, SelectionInput} from '#machines/selection/selection.types.ts'
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
    {type: 'tasks.listed', ids: ['b'], gone: ['b']},
    {type: 'tasks.listed', ids: [], gone: []},
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
  'removal.done': [{type: 'removal.done', key: 'a'}],
  'removal.failed': [{type: 'removal.failed', key: 'b', failure: noToken}],
  'removal.undone': [{type: 'removal.undone', key: 'a'}],
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
    outputs: {listed: [], packFiles: [undefined]},
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
  test('a deletion that breaks counts as one that failed', async () => {
    const run = start({breaks: true, inspect: coverage.inspect})
    run.send({type: 'selection.enter'}, {type: 'tasks.choose', ids: ['a', 'b']})
    run.send({type: 'delete.ask'}, {type: 'delete.confirm', tasks})
    await run.answer('a')
    await run.answer('b', new Error('foo'))
    expect([run.actor.getSnapshot().status, run.chosen(), run.reports]).toEqual(['active', ['a', 'b'], [['A', 'B']]])
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
  test('a deletion is left when the last task was heard of, or nothing is heard any more', () => {
    const left = edges.filter(
      ({state, nextState}) => state.matches({selecting: 'deleting'}) && !nextState.matches({selecting: 'deleting'}),
    )
    const early = left.filter(({state: {context}}) => context.done < context.deleting.length - 1)
    expect(left.length).toBeGreaterThan(early.length)
    expect(new Set(early.map(({event}) => event.type))).toEqual(
      new Set(['xstate.after.silence.selection.selecting.deleting.waiting']),
    )
    const running = states.filter(
      (state) =>
        !state.matches({selecting: 'deleting'}) && Object.keys(state.children).some((id) => id.startsWith('removal/')),
    )
    expect(running).toEqual([])
  })
})

/** `breaks`: a deletion breaks instead of reporting what it did. */
function start({breaks = false, inspect}: {breaks?: boolean; inspect?: (event: InspectionEvent) => void} = {}) {
  const ports = {
    listed: new Subject<ListedFact>(),
    deletions: new Map<string, {resolve: () => void; reject: (error: unknown) => void}>(),
    packed: new Subject<PackFact>(),
  }
  const opened: string[] = []
  const deleted: string[] = []
  /** The tasks that a next page is to delete; none again once that is over. */
  const noted: string[][] = []
  const reports: unknown[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    selectionMachine.provide({
      actors: {
        listed: fromEventObservable(() => ports.listed),
        noteDeletions: fromEventObservable<never, {ref: ToolRef; ids: string[]}>(({input: {ids}}) => {
          noted.push(ids)
          return NEVER
        }),
        removal: removalMachine.provide({
          actors: {
            remove: fromPromise<void, {id: string}>(({input: {id}}) => {
              opened.push(`delete ${id}`)
              return new Promise((resolve, reject) => void ports.deletions.set(id, {resolve, reject}))
            }),
          },
          ...(breaks && {
            actions: {
              report: () => {
                throw new Error('bar')
              },
            },
          }),
        }),
        packFiles: fromEventObservable(() => {
          opened.push('pack')
          return ports.packed
        }),
      },
      actions: {
        tellDeleted: (_, {key}) => void deleted.push(key),
        forgetDeletions: () => void noted.push([]),
        tellKept: (_, {tasks: kept}) => void reports.push(kept.map(({title}) => title)),
        tellFailed: (_, {names}) => void reports.push(names),
        tellUnpacked: (_, {error}) => void reports.push(String(error)),
      },
    }),
    {input, clock, ...(inspect && {inspect})},
  ).start()
  const send = (...sent: SelectionEvent[]) => sent.forEach((event) => actor.send(event))
  const chosen = () => selectChosen(actor.getSnapshot())
  /** The server answers for the deletion of this task. */
  const answer = async (id: string, failure?: Error) => {
    const deletion = ports.deletions.get(`${ref.service}/${id}`)
    if (failure === undefined) deletion?.resolve()
    else deletion?.reject(failure)
    await new Promise((resolve) => setImmediate(resolve))
  }
  return {actor, ports, opened, deleted, noted, reports, answer, clock, send, chosen}
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
    run.send(
      {type: 'tasks.listed', ids: order, gone: []},
      {type: 'task.toggle', id: 'a'},
      {type: 'task.toggle', id: 'b'},
    )
    run.ports.listed.next({type: 'tasks.listed', ids: ['b', 'c'], gone: []})
    expect(run.chosen()).toEqual(['b'])
    run.send({type: 'delete.ask'})
    run.ports.listed.next({type: 'tasks.listed', ids: ['c'], gone: []})
    expect(run.actor.getSnapshot().value).toEqual({selecting: 'choosing'})
  })

  const confirm = (run: ReturnType<typeof start>, ids: string[]) =>
    run.send(
      {type: 'selection.enter'},
      {type: 'tasks.choose', ids},
      {type: 'delete.ask'},
      {type: 'delete.confirm', tasks: ids.map((id) => ({id, title: id.toUpperCase()}))},
    )

  test('those that could not be deleted are told of and stay chosen', async () => {
    const run = start()
    confirm(run, ['a', 'b'])
    expect([run.opened, run.reports]).toEqual([['delete foo-service/a', 'delete foo-service/b'], []])
    await run.answer('a')
    expect(run.noted).toEqual([['a', 'b']])
    // leaving the screen does not leave the work
    run.send({type: 'selection.leave'})
    await run.answer('b', new Error('foo'))
    expect([run.chosen(), run.reports, run.deleted]).toEqual([['b'], [['B']], ['a']])
    expect(run.noted).toEqual([['a', 'b'], []])
  })

  test('three travel at once; the next one begins as one of them ends', async () => {
    const run = start()
    confirm(run, order)
    const begun = ['a', 'b', 'c'].map((id) => `delete foo-service/${id}`)
    expect(run.opened).toEqual(begun)
    await run.answer('b')
    expect(run.opened).toEqual([...begun, 'delete foo-service/d'])
    await run.answer('a', new Error('foo'))
    expect(run.opened).toEqual([...begun, 'delete foo-service/d', 'delete foo-service/e'])
    for (const id of ['c', 'd', 'e']) await run.answer(id)
    expect([run.chosen(), run.reports, run.opened.length]).toEqual([['a'], [['A']], 5])
  })

  test('a task that the server does not know any more goes without a call', () => {
    const run = start()
    run.send({type: 'selection.enter'})
    run.ports.listed.next({type: 'tasks.listed', ids: ['a', 'b'], gone: ['b']})
    confirm(run, ['b'])
    expect([run.opened, run.deleted, run.chosen(), run.reports]).toEqual([[], ['b'], undefined, []])
  })

  test('a deletion without an answer is given up: it is told of, and nothing is deleted twice', async () => {
    const run = start()
    confirm(run, ['a', 'b'])
    run.clock.increment(14_999)
    await run.answer('a')
    expect(run.reports).toEqual([])
    run.clock.increment(1)
    expect([run.chosen(), run.reports, run.opened]).toEqual([
      ['b'],
      [['B']],
      ['delete foo-service/a', 'delete foo-service/b'],
    ])
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
