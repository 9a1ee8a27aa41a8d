import {
  createEmptyActor,
  type AnyActorRef,
  type AnyActorScope,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  type AnyStateNode,
  type AnyTransitionDefinition,
  type EventFromLogic,
  type InputFrom,
  type InspectionEvent,
  type SnapshotFrom,
} from 'xstate'
import {adjacencyMapToArray, getAdjacencyMap, getStateNodes} from 'xstate/graph'

/*
 * Walks a machine over all edges that its fixtures open (docs/testing-with-machines.md). Events of the outside come
 * from the fixtures; deadlines and the ends of invoked actors are read from the chart itself, so that a new `after`
 * or `invoke` is walked without being listed.
 */

/** Every event type of a machine with at least one real payload: a new event does not compile until it is listed. */
export type EventFixtures<TEvent extends {type: string}> = {
  [Type in TEvent['type']]: readonly Extract<TEvent, {type: Type}>[]
}

export type WalkOptions<TMachine extends AnyStateMachine> = {
  input: InputFrom<TMachine>
  events: readonly {type: string}[]
  /** The answers that an invoked actor may give, by its id. */
  outputs?: Record<string, readonly unknown[]>
  /** The errors that an invoked actor may fail with. */
  errors?: readonly unknown[]
  /** Context that decides what happens next; the rest is left out, else a growing text never ends. */
  key?: (snapshot: SnapshotFrom<TMachine>) => unknown
  limit?: number
  /** Combinations that are not walked further: regions that do not touch each other are walked one at a time. */
  stop?: (snapshot: SnapshotFrom<TMachine>) => boolean
  /** States earlier walks have been in: they are not walked again. */
  seen?: Set<string>
  /** Hears every step of the walk, for example to note which transitions it takes. */
  observe?: (event: InspectionEvent) => void
}

export type Edge<TMachine extends AnyStateMachine> = {
  state: SnapshotFrom<TMachine>
  event: {type: string}
  nextState: SnapshotFrom<TMachine>
}

/** Every snapshot of a machine has these fields. */
// as: the type of a generic machine's snapshot is not resolved by the compiler
export const plain = (snapshot: unknown) => snapshot as AnyMachineSnapshot

export const nodesOf = (machine: AnyStateMachine): AnyStateNode[] => [machine.root, ...getStateNodes(machine.root)]

/**
 * An owner for a step: transitions are pure, but what they start is entered in a system, once for each name.
 * Each step has a system of its own, as if nothing had been started before it. `snapshot`: what it finds of itself.
 */
function stepScope(observe?: (event: InspectionEvent) => void, snapshot?: AnyMachineSnapshot): AnyActorScope {
  const actor = createEmptyActor()
  if (snapshot !== undefined) Object.assign(actor, {getSnapshot: () => snapshot})
  if (observe !== undefined) actor.system.inspect(observe)
  return {
    self: actor,
    logger: () => {},
    id: '',
    sessionId: 'walk',
    defer: () => {},
    system: actor.system,
    stopChild: () => {},
    emit: () => {},
    actionExecutor: () => {},
  }
}

/** The machine as the walk takes it: step by step. */
const stepwise = (machine: AnyStateMachine, observe?: (event: InspectionEvent) => void) => ({
  getInitialSnapshot: (_: unknown, input: unknown) => machine.getInitialSnapshot(stepScope(observe) as never, input),
  transition: (snapshot: AnyMachineSnapshot, event: {type: string}) =>
    machine.transition(snapshot, event, stepScope(observe, snapshot)),
})

const isOwn = (type: string) => type.startsWith('xstate.')

/** Deadlines and answers the active states of a snapshot wait for, as events with real payloads. */
const innerEvents = (
  snapshot: AnyMachineSnapshot,
  outputs: Record<string, readonly unknown[]>,
  errors: readonly unknown[],
) =>
  snapshot._nodes.flatMap((node) => {
    const types = [...new Set([...node.transitions.keys()])].filter(isOwn)
    const deadlines = types.filter((type) => type.startsWith('xstate.after.')).map((type) => ({type}))
    const answers = node.invoke.flatMap(({id}) => [
      ...(outputs[id] ?? [undefined]).map((output) => ({type: `xstate.done.actor.${id}`, output, actorId: id})),
      ...errors.map((error) => ({type: `xstate.error.actor.${id}`, error, actorId: id})),
    ])
    return [...deadlines, ...answers]
  })

const defaultErrors: readonly unknown[] = [new Error('foo')]

/** A wrong id would be walked past: the actor of that name answers with nothing. */
function requireInvoked(machine: AnyStateMachine, names: readonly string[]): void {
  const ids = [...new Set(nodesOf(machine).flatMap(({invoke}) => invoke.map(({id}) => id)))]
  const unknown = names.filter((name) => !ids.includes(name))
  if (unknown.length > 0)
    throw new Error(`outputs: ${machine.id} invokes no ${unknown.join(', ')}, but ${ids.join(', ') || 'nothing'}`)
}

export function walk<TMachine extends AnyStateMachine>(machine: TMachine, options: WalkOptions<TMachine>) {
  const {
    input,
    events,
    outputs = {},
    errors = defaultErrors,
    key = () => '',
    limit = 200_000,
    seen = new Set(),
    stop = () => false,
    observe,
  } = options
  requireInvoked(machine, Object.keys(outputs))
  const serialize = (snapshot: SnapshotFrom<TMachine>) =>
    [JSON.stringify(plain(snapshot).value), plain(snapshot).status, JSON.stringify(key(snapshot))].join(' ')
  const eventsOf = (snapshot: AnyMachineSnapshot) =>
    snapshot.status === 'active' ? [...events, ...innerEvents(snapshot, outputs, errors)] : []
  const adjacency = getAdjacencyMap<SnapshotFrom<TMachine>, EventFromLogic<TMachine>, InputFrom<TMachine>>(
    // as: of a logic the walk needs these two
    stepwise(machine, observe) as never,
    {
      input,
      // as: the walk adds events that only the interpreter sends
      events: (snapshot) => eventsOf(plain(snapshot)) as never,
      serializeState: serialize,
      stopWhen: (snapshot) => seen.has(serialize(snapshot)) || stop(snapshot),
      serializeEvent: (event) =>
        JSON.stringify(event, (_, value: unknown) =>
          value instanceof Error ? {...value, message: value.message} : value,
        ),
      limit,
    },
  )
  // as: the map holds what was given above
  const edges = adjacencyMapToArray(adjacency) as unknown as Edge<TMachine>[]
  const states = Object.values(adjacency).map(({state}) => state as SnapshotFrom<TMachine>)
  for (const state of states) seen.add(serialize(state))
  return {edges, states: states.filter((state) => !stop(state))}
}

// ---- coverage ----------------------------------------------------------------------------------------------------

const nameOf = ({source, eventType}: AnyTransitionDefinition, index: number) =>
  `${source.id} | ${eventType || 'always'} | ${index}`

const candidatesOf = (node: AnyStateNode): AnyTransitionDefinition[][] => [
  ...node.transitions.values(),
  ...(node.always ? [node.always] : []),
]

/** Every transition of a machine by name. Those that only forbid an inherited one (no target, no action) count too. */
export const transitionsOf = (machine: AnyStateMachine): string[] =>
  nodesOf(machine).flatMap((node) => candidatesOf(node).flatMap((group) => group.map(nameOf)))

const takenName = (transition: AnyTransitionDefinition): string => {
  const group = candidatesOf(transition.source).find((candidates) => candidates.includes(transition))
  return nameOf(transition, group?.indexOf(transition) ?? -1)
}

/** Remembers the transitions that were taken, over walks and journeys. */
export function createCoverage() {
  const taken = new Set<string>()
  const observe = (event: InspectionEvent) => {
    if (event.type !== '@xstate.microstep') return
    for (const transition of event._transitions) taken.add(takenName(transition))
  }
  return {
    /** The argument for `createActor(machine, {inspect})`, or for `walk`. */
    inspect: observe,
    missing: (machine: AnyStateMachine) => transitionsOf(machine).filter((name) => !taken.has(name)),
  }
}

// ---- rules of docs/architecture.md §2 ------------------------------------------------------------------------------

/** A user who can do nothing waits at most this long. */
export const longestWait = 120_000

/** How long a deadline of a snapshot is, in milliseconds. */
function waitOf(snapshot: AnyMachineSnapshot, type: string): number {
  const found = snapshot._nodes.flatMap((node) => node.after).find(({eventType}) => eventType === type)
  if (found === undefined) return Number.POSITIVE_INFINITY
  const {delay} = found
  const named = typeof delay === 'string' ? snapshot.machine.implementations.delays[delay] : delay
  if (typeof named === 'function') {
    // as: delays of ours read the context only
    return (named as (args: {context: unknown}, params: unknown) => number)({context: snapshot.context}, undefined)
  }
  return Number(named ?? delay)
}

/**
 * Rule 1: states from which neither a user (by one of the events of `user`) nor a deadline of at most two minutes leads
 * anywhere. Two states with one value and another deciding context are two. `user` counts when anything that decides
 * changes; a deadline has to lead out of the value, since one that only counts would wait for ever. So has the end of a
 * chart in `limited`, which has deadlines of its own.
 */
export const deadEnds = <TMachine extends AnyStateMachine>({
  edges,
  states,
  user,
  limited = [],
  key = () => '',
}: {
  edges: readonly Edge<TMachine>[]
  states: readonly SnapshotFrom<TMachine>[]
  user: readonly string[]
  limited?: readonly string[]
  key?: (snapshot: SnapshotFrom<TMachine>) => unknown
}): string[] => {
  const ends = limited.map((id) => `xstate.done.actor.${id}`)
  const text = (snapshot: unknown) => JSON.stringify(plain(snapshot).value)
  const whole = (snapshot: SnapshotFrom<TMachine>) => `${text(snapshot)} ${JSON.stringify(key(snapshot))}`
  const isExit = ({state, event, nextState}: Edge<TMachine>) => {
    const hasEnded = plain(nextState).status !== 'active'
    if (user.includes(event.type)) return hasEnded || whole(state) !== whole(nextState)
    const isDeadline = event.type.startsWith('xstate.after.') && waitOf(plain(state), event.type) <= longestWait
    if (!isDeadline && !ends.includes(event.type)) return false
    return hasEnded || text(state) !== text(nextState)
  }
  const open = new Set(edges.filter(isExit).map(({state}) => whole(state)))
  const closed = states.filter((state) => plain(state).status === 'active' && !open.has(whole(state)))
  return [...new Set(closed.map(text))]
}

/** Rule 7: invoked actors whose failure nobody handles. */
export const unguardedInvokes = (machine: AnyStateMachine): string[] =>
  nodesOf(machine).flatMap((node) =>
    node.invoke.filter(({id}) => !node.transitions.has(`xstate.error.actor.${id}`)).map(({id}) => `${node.id}: ${id}`),
  )

const hasDeadline = (node: AnyStateNode | undefined): boolean =>
  node !== undefined && (node.after.length > 0 || hasDeadline(node.parent))
const hasInnerDeadline = (node: AnyStateNode): boolean => {
  const children = Object.values(node.states).filter(({type}) => type !== 'final')
  return children.length > 0 && children.every((child) => child.after.length > 0 || hasInnerDeadline(child))
}

/** R54: invoked actors that nothing limits in time. `endless` names those that are meant to run on. */
export const endlessInvokes = (machine: AnyStateMachine, endless: readonly string[] = []): string[] =>
  nodesOf(machine).flatMap((node) =>
    node.invoke
      .filter(({id}) => !endless.includes(id) && !hasDeadline(node) && !hasInnerDeadline(node))
      .map(({id}) => `${node.id}: ${id}`),
  )

/** A ref is data: it is stored by its id. */
const isRef = (value: object): value is AnyActorRef => 'sessionId' in value && 'getSnapshot' in value

const withoutUndefined = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && isRef(value)
    ? (JSON.parse(JSON.stringify(value)) as unknown)
    : Array.isArray(value)
      ? value.map(withoutUndefined)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([, item]) => item !== undefined)
              .map(([name, item]) => [name, withoutUndefined(item)]),
          )
        : value

/** Rule 6: contexts that are not plain data. Both forms are equal when they are. */
export const contextForms = <TMachine extends AnyStateMachine>(states: readonly SnapshotFrom<TMachine>[]) =>
  states.map((state) => {
    const context: unknown = plain(state).context
    return {context: withoutUndefined(context), copy: JSON.parse(JSON.stringify(context)) as unknown}
  })
