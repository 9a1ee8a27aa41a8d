import {NEVER, Subject} from 'rxjs'
import type {PackFact} from '#domain/packed-file.ts'
import {describe, expect, test} from 'vitest'
import {createActor, fromEventObservable, fromPromise, SimulatedClock, type InspectionEvent} from 'xstate'
import type {ToolRef} from '#domain/tool-ref.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {selectionMachine} from '#machines/selection/selection.machine.ts'
import {selectChosen} from '#machines/selection/selection.selectors.ts'
import type {ListedFact, SelectionEvent, SelectionInput} from '#machines/selection/selection.types.ts'
import {ref} from './media-fixtures.ts'

const input: SelectionInput = {ref}
const files = [
  {url: '/a.png', name: 'a.png'},
  {url: '/b.png', name: 'b.png'},
]

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
