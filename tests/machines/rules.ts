import {expect, test} from 'vitest'
import type {AnyStateMachine, EventFromLogic, InputFrom} from 'xstate'
import {
  contextForms,
  createCoverage,
  deadEnds,
  endlessInvokes,
  plain,
  unguardedInvokes,
  walk,
  type WalkOptions,
} from './graph.ts'

/** The rules that hold for every machine (docs/architecture.md §2). Returns the walk, for the machine's own rules. */
export function describeRules<TMachine extends AnyStateMachine>(
  machine: TMachine,
  options: WalkOptions<TMachine> & {
    /**
     * Events a user sends by a control of a screen; the others are told by the outside, and may never come. Left out,
     * every event of the outside counts.
     */
    user?: readonly EventFromLogic<TMachine>['type'][]
    /** More starting points: stored data re-enters states that a first start does not. */
    inputs?: readonly InputFrom<TMachine>[]
    /** Invoked actors that are meant to run on. */
    endless?: readonly string[]
    /** Invoked charts that end by deadlines of their own, as their own rules say. */
    limited?: readonly string[]
    /** States in which a supervisor works: they last until its owner ends it, and nobody waits in them. */
    lasting?: readonly unknown[]
  },
) {
  const seen = new Set<string>()
  const coverage = createCoverage()
  const walks = [options.input, ...(options.inputs ?? [])].map((input) =>
    walk(machine, {...options, input, seen, observe: coverage.inspect}),
  )
  const edges = walks.flatMap((walked) => walked.edges)
  const states = walks.flatMap((walked) => walked.states)

  test('no state without an exit: the user or a deadline leads out of each', () => {
    expect(states.length).toBeGreaterThan(1)
    const types = [...new Set(options.events.map(({type}) => type))]
    const {user = types, limited, key} = options
    expect(user.filter((type) => !types.includes(type))).toEqual([])
    const isKeyed = options.user !== undefined && key !== undefined
    expect(deadEnds({edges, states, user, limited, ...(isKeyed ? {key} : {})})).toEqual(
      (options.lasting ?? []).map((value) => JSON.stringify(value)),
    )
  })
  test('every invoked actor has an onError', () => {
    expect(unguardedInvokes(machine)).toEqual([])
  })
  test('nothing waits without a deadline', () => {
    expect(endlessInvokes(machine, [...(options.endless ?? []), ...(options.limited ?? [])])).toEqual([])
  })
  test('every context is plain data', () => {
    const forms = contextForms<TMachine>(states)
    expect(forms.map(({context}) => context)).toEqual(forms.map(({copy}) => copy))
  })
  test('no event breaks the machine', () => {
    expect(states.filter((state) => plain(state).status === 'error')).toEqual([])
  })
  return {edges, states, coverage}
}
