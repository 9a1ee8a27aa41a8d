import {test} from '@playwright/test'
import {fromTransition, transition, type AnyStateMachine, type EventFromLogic, type SnapshotFrom} from 'xstate'
import {adjacencyMapToArray, getAdjacencyMap, getStateNodes} from 'xstate/graph'

/*
 * A machine as a user sees it (docs/testing-with-machines.md §2): each action is a few events of the real machine, and
 * what a user can tell apart is what is shown. The graph of both comes from the machine: nobody draws it by hand.
 */

export type Chart<TSnapshot, TAction extends string, TShown extends string> = {
  start: () => TSnapshot
  /** The effect of each action on the machine; `undefined` where the page does not offer it. */
  effects: {[Name in TAction]: (snapshot: TSnapshot) => TSnapshot | undefined}
  shownBy: (snapshot: TSnapshot) => TShown
}

export type Graph<TAction extends string, TShown extends string> = Map<TShown, Map<TAction, TShown>>

/** Events that only the interpreter sends: deadlines and the ends of invoked actors. */
type InnerEvent = {type: `xstate.${string}`; output?: unknown; error?: unknown; actorId?: string}

/** Sends events to a machine, step by step. */
export const sender =
  <TMachine extends AnyStateMachine>(machine: TMachine) =>
  (snapshot: SnapshotFrom<TMachine>, ...events: (EventFromLogic<TMachine> | InnerEvent)[]): SnapshotFrom<TMachine> =>
    events.reduce<SnapshotFrom<TMachine>>(
      // as: the machine's own type leaves out the events of the interpreter
      (current, event) => transition(machine, current, event as EventFromLogic<TMachine>)[0],
      snapshot,
    )

/** @throws Error where the page does not offer the action */
export function act<TSnapshot, TAction extends string, TShown extends string>(
  {effects, shownBy}: Chart<TSnapshot, TAction, TShown>,
  snapshot: TSnapshot,
  action: TAction,
): TSnapshot {
  const next = effects[action](snapshot)
  if (next === undefined) throw new Error(`"${action}" is not possible while the page shows "${shownBy(snapshot)}"`)
  return next
}

/** All that can be shown, and where each action leads from there. */
export function graphOf<TSnapshot, TAction extends string, TShown extends string>(
  chart: Chart<TSnapshot, TAction, TShown>,
): Graph<TAction, TShown> {
  const {start, effects, shownBy} = chart
  // as: the keys of the table are the actions
  const actions = Object.keys(effects) as TAction[]
  const logic = fromTransition(
    ({snapshot}: {snapshot: TSnapshot}, {type}: {type: TAction}) => ({snapshot: act(chart, snapshot, type)}),
    {snapshot: start()},
  )
  const adjacency = getAdjacencyMap<SnapshotFrom<typeof logic>, {type: TAction}, unknown>(logic, {
    events: ({context: {snapshot}}) =>
      actions.filter((action) => effects[action](snapshot) !== undefined).map((type) => ({type})),
    serializeState: ({context: {snapshot}}) => shownBy(snapshot),
    limit: 1_000,
  })
  const graph: Graph<TAction, TShown> = new Map()
  for (const {state, event, nextState} of adjacencyMapToArray(adjacency)) {
    const here = shownBy(state.context.snapshot)
    const next = shownBy(nextState.context.snapshot)
    graph.set(here, (graph.get(here) ?? new Map<TAction, TShown>()).set(event.type, next))
    if (!graph.has(next)) graph.set(next, new Map())
  }
  return graph
}

/**
 * One walk over every edge of a graph: the next edge nobody took, else the shortest way to one.
 * @throws Error where an edge is left out since no way leads back to it
 */
export function walkOverAllEdges<TAction extends string, TShown extends string>(
  graph: Graph<TAction, TShown>,
  from: TShown,
): TAction[] {
  const taken = new Set<string>()
  const walk: TAction[] = []
  let here = from
  for (;;) {
    const way = wayToNewEdge(graph, here, taken)
    if (way === undefined) break
    for (const action of way) {
      taken.add(`${here} ${action}`)
      walk.push(action)
      here = graph.get(here)?.get(action) ?? here
    }
  }
  const left = [...graph].flatMap(([shown, edges]) => [...edges.keys()].map((action) => `${shown} ${action}`))
  const missed = left.filter((edge) => !taken.has(edge))
  if (missed.length > 0) throw new Error(`From "${here}" no way leads to: ${missed.join(', ')}`)
  return walk
}

/** First those from which a way leads back here: what is left behind for good is left behind last. */
function wayToNewEdge<TAction extends string, TShown extends string>(
  graph: Graph<TAction, TShown>,
  from: TShown,
  taken: Set<string>,
): TAction[] | undefined {
  const leadsBack = (shown: TShown) => waysToAll(graph, shown).has(from)
  const isNew = (at: TShown, action: TAction) => !taken.has(`${at} ${action}`)
  let onward: TAction[] | undefined
  for (const [at, way] of waysToAll(graph, from)) {
    for (const [action, next] of graph.get(at) ?? []) {
      if (!isNew(at, action)) continue
      if (leadsBack(next)) return [...way, action]
      onward ??= [...way, action]
    }
  }
  return onward
}

/** The shortest way to everything that can be shown; the start itself has none. */
export function waysToAll<TAction extends string, TShown extends string>(
  graph: Graph<TAction, TShown>,
  from: TShown,
): Map<TShown, TAction[]> {
  const ways = new Map<TShown, TAction[]>([[from, []]])
  for (const [at, way] of ways)
    for (const [action, next] of graph.get(at) ?? []) if (!ways.has(next)) ways.set(next, [...way, action])
  return ways
}

/** The ways that no other one begins with: together they pass all that can be shown, each piece once or twice. */
export const wholeWays = <TAction extends string, TShown extends string>(
  ways: Map<TShown, TAction[]>,
): [TShown, TAction[]][] =>
  [...ways].filter(([, way]) =>
    [...ways.values()].every(
      (other) => other.length <= way.length || way.some((action, step) => action !== other[step]),
    ),
  )

/** An action that the page offers in these states alone. */
export const where =
  <TSnapshot>(is: (snapshot: TSnapshot) => boolean, then: (snapshot: TSnapshot) => TSnapshot) =>
  (snapshot: TSnapshot): TSnapshot | undefined =>
    is(snapshot) ? then(snapshot) : undefined

/** The steps by name, each with the machine's snapshot: before an action, or while something is shown. */
type Hands<THands, TName extends string, TSnapshot = unknown> = {
  [Name in TName]: (hands: THands, snapshot: TSnapshot) => Promise<unknown>
}

/** Joins the names of two things that a user can tell apart: `held, two wait`. */
export function bothOf<THands, TOne extends string, TOther extends string, TSnapshot>(
  one: Hands<THands, TOne, TSnapshot>,
  other: Hands<THands, TOther, TSnapshot>,
): Hands<THands, `${TOne}, ${TOther}`, TSnapshot> {
  // as: the keys of an object are typed as any text, and so are those that are made of two
  const names = <TName extends string>(hands: {[Name in TName]: unknown}) => Object.keys(hands) as TName[]
  return Object.fromEntries(
    names(one).flatMap((first) =>
      names(other).map((second) => [
        `${first}, ${second}`,
        async (hands: THands, snapshot: TSnapshot) => {
          await one[first](hands, snapshot)
          await other[second](hands, snapshot)
        },
      ]),
    ),
  ) as Hands<THands, `${TOne}, ${TOther}`, TSnapshot>
}

type Walker<TSnapshot, TAction extends string, TShown extends string, THands> = {
  done: Hands<THands, TAction, TSnapshot>
  expected: Hands<THands, TShown, TSnapshot>
}

/** Takes a way on the page: does each action, and looks for what the machine shows after it. */
export async function takeWay<TSnapshot, TAction extends string, TShown extends string, THands>(
  chart: Chart<TSnapshot, TAction, TShown>,
  way: readonly TAction[],
  hands: THands,
  {done, expected}: Walker<TSnapshot, TAction, TShown, THands>,
): Promise<void> {
  let snapshot = chart.start()
  await expected[chart.shownBy(snapshot)](hands, snapshot)
  for (const action of way) {
    const before = snapshot
    const next = act(chart, before, action)
    await test.step(`${chart.shownBy(before)} → ${action} → ${chart.shownBy(next)}`, async () => {
      await done[action](hands, before)
      await expected[chart.shownBy(next)](hands, next)
    })
    snapshot = next
  }
}

/** Takes every edge of the graph on the page. */
export async function walkPage<TSnapshot, TAction extends string, TShown extends string, THands>(
  chart: Chart<TSnapshot, TAction, TShown>,
  hands: THands,
  walker: Walker<TSnapshot, TAction, TShown, THands>,
): Promise<void> {
  const way = walkOverAllEdges(graphOf(chart), chart.shownBy(chart.start()))
  // a bound against a hang, not a measurement
  test.setTimeout(60_000 + way.length * 8_000)
  await takeWay(chart, way, hands, walker)
}

// ---- resting states ----------------------------------------------------------------------------------------------

/** The states of a machine that have no inner ones, by their path: `open.playing`. */
export type Leaf<TValue> = TValue extends string
  ? TValue
  : {[Name in keyof TValue & string]: `${Name}.${Leaf<NonNullable<TValue[Name]>>}`}[keyof TValue & string]
export type LeafOf<TMachine extends AnyStateMachine> = Leaf<SnapshotFrom<TMachine>['value']>

type Value = string | {[name: string]: Value | undefined}

/** The states a snapshot is in, one for each region. */
export const leavesOf = (value: Value): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.entries(value).flatMap(([name, inner]) =>
        inner === undefined ? [] : leavesOf(inner).map((leaf) => `${name}.${leaf}`),
      )

/** The states of a machine that a user can find it in: those with an unguarded `always` are left at once. */
export const restingStates = (machine: AnyStateMachine): string[] =>
  getStateNodes(machine.root)
    .filter(({type}) => type === 'atomic')
    .filter(({always = []}) => always.every(({guard}) => guard !== undefined))
    .map(({path}) => path.join('.'))
    .sort()

/** Returns those of these states that a walk over every edge passes. */
export function statesPassed<TSnapshot, TAction extends string, TShown extends string>(
  chart: Chart<TSnapshot, TAction, TShown>,
  valueOf: (snapshot: TSnapshot) => Value,
): string[] {
  let snapshot = chart.start()
  const passed = new Set(leavesOf(valueOf(snapshot)))
  for (const action of walkOverAllEdges(graphOf(chart), chart.shownBy(snapshot))) {
    snapshot = act(chart, snapshot, action)
    for (const leaf of leavesOf(valueOf(snapshot))) passed.add(leaf)
  }
  return [...passed].sort()
}
