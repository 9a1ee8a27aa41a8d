import {fromTransition, transition, type AnyStateMachine, type EventFromLogic, type SnapshotFrom} from 'xstate'
import {adjacencyMapToArray, getAdjacencyMap, getStateNodes} from 'xstate/graph'

/*
 * A machine as a user sees it (docs/testing-with-machines.md §2): each action is a few events of the real machine, and
 * what a user can tell apart is what is shown. The graph of both comes from the machine: nobody draws it by hand.
 */

export type Chart<TSnapshot, TAction extends string, TShown extends string> = {
  start: () => TSnapshot
  /** What an action does to the machine; `undefined` where the page does not offer it. */
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

/** One walk over every edge of a graph: the next edge nobody took, else the shortest way to one. */
export function walkOverAllEdges<TAction extends string, TShown extends string>(
  graph: Graph<TAction, TShown>,
  from: TShown,
): TAction[] {
  const taken = new Set<string>()
  const walk: TAction[] = []
  let here = from
  for (;;) {
    const way = wayToNewEdge(graph, here, taken)
    if (way === undefined) return walk
    for (const action of way) {
      taken.add(`${here} ${action}`)
      walk.push(action)
      here = graph.get(here)?.get(action) ?? here
    }
  }
}

function wayToNewEdge<TAction extends string, TShown extends string>(
  graph: Graph<TAction, TShown>,
  from: TShown,
  taken: Set<string>,
): TAction[] | undefined {
  const queue: {at: TShown; way: TAction[]}[] = [{at: from, way: []}]
  const seen = new Set<TShown>([from])
  for (const {at, way} of queue) {
    for (const [action, next] of graph.get(at) ?? []) {
      if (!taken.has(`${at} ${action}`)) return [...way, action]
      if (seen.has(next)) continue
      seen.add(next)
      queue.push({at: next, way: [...way, action]})
    }
  }
  return undefined
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

type Hands<THands, TName extends string> = {[Name in TName]: (hands: THands) => Promise<unknown>}

/** Takes a way on the page: does each action, and looks for what the machine shows after it. */
export async function takeWay<TSnapshot, TAction extends string, TShown extends string, THands>(
  chart: Chart<TSnapshot, TAction, TShown>,
  way: readonly TAction[],
  hands: THands,
  {done, expected}: {done: Hands<THands, TAction>; expected: Hands<THands, TShown>},
): Promise<void> {
  let snapshot = chart.start()
  await expected[chart.shownBy(snapshot)](hands)
  for (const action of way) {
    snapshot = act(chart, snapshot, action)
    await done[action](hands)
    await expected[chart.shownBy(snapshot)](hands)
  }
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
