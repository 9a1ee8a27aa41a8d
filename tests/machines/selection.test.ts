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
