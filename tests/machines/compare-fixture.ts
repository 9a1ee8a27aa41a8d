import {Subject} from 'rxjs'
import {createActor, fromEventObservable} from 'xstate'
import {compareMachine, selectColumns} from '#machines/compare/compare.machine.ts'
import type {
  ColumnAsk,
  ColumnCreate,
  ColumnPhase,
  ColumnRetry,
  ColumnsSeen,
  ComparisonOpen,
  SeenColumn,
} from '#machines/compare/compare.types.ts'

/** The conversations of these columns as they are seen `at` a time, in milliseconds. */
export const seen = (phases: Record<string, ColumnPhase>, at = 9_000): ColumnsSeen => ({
  type: 'columns.seen',
  at,
  columns: Object.entries(phases).map(([name, phase]) => ({name, phase, id: `c-${name}`})),
})
export const question = {question: 'foo', references: ['https://example.org/foo.png'], at: 5}
export const columns = ['a', 'b'].map((name) => ({name, model: `m-${name}`, key: `key-${name}`}))

/** A page with its ports in the test's hand. */
export function open(names: string[] = []) {
  const done: unknown[] = []
  const shownNames: string[][] = []
  let reports = new Subject<ColumnsSeen>()
  const addresses = new Subject<ComparisonOpen>()
  const actor = createActor(
    compareMachine.provide({
      actors: {
        addresses: fromEventObservable<ComparisonOpen, undefined>(() => addresses),
        columns: fromEventObservable<ColumnsSeen, {names: string[]}>(({input}) => {
          done.push(['watch', ...input.names])
          reports = new Subject()
          return reports
        }),
      },
      actions: {
        createColumns: (_, items: ColumnCreate[]) => done.push(...items),
        askColumns: (_, items: ColumnAsk[]) => done.push(...items),
        stopColumns: (_, stopped: string[]) => done.push(...stopped.map((name) => ['stop', name])),
        retryColumn: (_, {name, key}: ColumnRetry) => done.push(['retry', name, key]),
        showNames: (_, {names: newNames}: {names: string[]}) => shownNames.push(newNames),
        keepTimes: () => undefined,
        logFailure: (_, {error}: {error: unknown}) => done.push(['log', error]),
      },
    }),
    {input: {names, models: ['m-a', 'm-b']}},
  ).start()
  const phases = () => selectColumns(actor.getSnapshot()).map(({phase}) => phase)
  return {
    actor,
    phases,
    /** Takes the calls of the ports since the last look. */
    done: () => done.splice(0),
    /** The names in the address since the last look. */
    shownNames: () => shownNames.splice(0),
    see: (given: Record<string, ColumnPhase>, at?: number) => reports.next(seen(given, at)),
    report: (columns: SeenColumn[], at: number) => reports.next({type: 'columns.seen', at, columns}),
    fail: () => reports.error(new Error('foo')),
    failAddresses: () => addresses.error(new Error('bar')),
  }
}
