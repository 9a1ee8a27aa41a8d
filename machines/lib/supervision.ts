import {backoffDelay} from '#domain/backoff.ts'
import {toFailure, type Failure} from '#domain/failure.ts'

/** A broken child is started again at most three times without a calm minute between (security R59). */
export const supervision = {restarts: 3, calm: 60_000} as const

export type Crashes<Child extends string> = Partial<Record<Child, {count: number; failure: Failure}>>

export const countCrash = <Child extends string>(crashes: Crashes<Child>, child: Child, error: unknown) => ({
  ...crashes,
  [child]: {count: (crashes[child]?.count ?? 0) + 1, failure: toFailure(error)},
})

export const forgive = <Child extends string>(crashes: Crashes<Child>, child: Child) => ({
  ...crashes,
  [child]: undefined,
})

export const isBeyondRepair = <Child extends string>(crashes: Crashes<Child>, child: Child) =>
  (crashes[child]?.count ?? 0) > supervision.restarts

/** Milliseconds before a restart: the longer, the more often parts broke. */
export const restartDelay = <Child extends string>(crashes: Crashes<Child>) => {
  const counts = Object.values<Crashes<Child>[Child]>(crashes).map((crash) => crash?.count ?? 0)
  return backoffDelay(Math.max(0, ...counts) - 1, 1)
}

type Crash = {event: {error: unknown}}

/**
 * States and reactions of the parts a chart starts again, in regions of `running`, `broken` and `down`; `target`: the
 * state in which a part runs again. The chart's setup names the guards `isBroken` and `isFor`, the delays
 * `restartDelay` and `calm`, and the actions `countCrash`, `forgive` and `logCrash`.
 */
export const supervised = <Child extends string>() => ({
  broken: (child: Child, target = 'running') =>
    ({
      // broke: started again after a while
      always: {guard: {type: 'isBroken', params: {child}}, target: 'down'},
      after: {restartDelay: {target}},
    }) as const,
  down: (child: Child, target = 'running') =>
    ({
      tags: ['down'],
      on: {
        'child.restart': {
          guard: {
            type: 'isFor',
            params: ({event}: {event: {child: Child}}) => ({child, asked: event.child}),
          },
          target,
          actions: [{type: 'forgive', params: {child}}],
        },
      },
    }) as const,
  onError: (child: Child) =>
    ({
      target: 'broken',
      actions: [
        {type: 'countCrash', params: ({event}: Crash) => ({child, error: event.error})},
        {type: 'logCrash', params: ({event}: Crash) => ({child, error: event.error})},
      ],
    }) as const,
  afterCalm: (child: Child) => ({calm: {actions: [{type: 'forgive', params: {child}}]}}) as const,
})
