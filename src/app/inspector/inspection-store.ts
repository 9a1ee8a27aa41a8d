import type {StatelyInspectionEvent} from '@stately/inspect'
import {isSameData} from '#domain/same-data.ts'
import {parseDefinition, type Definition} from './chart.ts'

export type InspectedSnapshot = {status?: string; value?: unknown; context?: unknown; [field: string]: unknown}

export type InspectedActor = {
  sessionId: string
  name: string
  parentId: string | undefined
  /** Set for machines only. */
  definition: Definition | undefined
  snapshot: InspectedSnapshot
  events: number
}

/** One event that reached an actor, with the actor's snapshot after it. */
export type LogEntry = {
  id: number
  sessionId: string
  sourceId: string | undefined
  type: string
  event: unknown
  /** Unix milliseconds. */
  at: number
  before: InspectedSnapshot | undefined
  after: InspectedSnapshot | undefined
}

export type Inspection = {
  actors: ReadonlyMap<string, InspectedActor>
  log: readonly LogEntry[]
  nextId: number
}

export const emptyInspection: Inspection = {actors: new Map(), log: [], nextId: 1}

const longestLog = 1_000

const snapshotOf = (snapshot: object | undefined): InspectedSnapshot => ({...snapshot})
const typeOf = (event: unknown) =>
  typeof event === 'object' && event !== null && 'type' in event && typeof event.type === 'string' ? event.type : ''

const withActor = (state: Inspection, actor: InspectedActor): Inspection => ({
  ...state,
  actors: new Map(state.actors).set(actor.sessionId, actor),
})

type InspectedEvent<Type extends StatelyInspectionEvent['type']> = Extract<StatelyInspectionEvent, {type: Type}>

const addActor = (state: Inspection, event: InspectedEvent<'@xstate.actor'>): Inspection =>
  withActor(state, {
    sessionId: event.sessionId,
    name: event.name || event.sessionId,
    parentId: event.parentId,
    definition: parseDefinition(event.definition),
    snapshot: snapshotOf(event.snapshot),
    events: state.actors.get(event.sessionId)?.events ?? 0,
  })

const addEvent = (state: Inspection, inspectedEvent: InspectedEvent<'@xstate.event'>): Inspection => {
  const {sessionId, sourceId, event, createdAt} = inspectedEvent
  const actor = state.actors.get(sessionId)
  const entry: LogEntry = {
    id: state.nextId,
    sessionId,
    sourceId,
    type: typeOf(event),
    event,
    at: Number(createdAt),
    before: actor?.snapshot,
    after: undefined,
  }
  const next = {...state, log: [...state.log, entry].slice(-longestLog), nextId: state.nextId + 1}
  return actor === undefined ? next : withActor(next, {...actor, events: actor.events + 1})
}

/** A snapshot belongs to the actor's last entry without one. */
const addSnapshot = (state: Inspection, inspectedSnapshot: InspectedEvent<'@xstate.snapshot'>): Inspection => {
  const {sessionId, event} = inspectedSnapshot
  const after = snapshotOf(inspectedSnapshot.snapshot)
  const at = state.log.findLastIndex(
    (entry) => entry.sessionId === sessionId && entry.after === undefined && entry.type === typeOf(event),
  )
  const log = at === -1 ? state.log : state.log.map((entry, index) => (index === at ? {...entry, after} : entry))
  const actor = state.actors.get(sessionId)
  const next = {...state, log}
  return actor === undefined ? next : withActor(next, {...actor, snapshot: after})
}

/** The inspection after one more message of the inspected page. */
export const inspect = (state: Inspection, event: StatelyInspectionEvent): Inspection => {
  switch (event.type) {
    case '@xstate.actor':
      return addActor(state, event)
    case '@xstate.event':
      return addEvent(state, event)
    case '@xstate.snapshot':
      return addSnapshot(state, event)
  }
}

/** Empties the log; the actors stay. */
export const clearLog = (state: Inspection): Inspection => ({...state, log: []})

export type ActorBranch = {actor: InspectedActor; children: ActorBranch[]}

/** Actors below their parents, in the order of their start. An actor with an unknown parent is at the top. */
export const actorTree = ({actors}: Pick<Inspection, 'actors'>): ActorBranch[] => {
  const branches = new Map<string, ActorBranch>(
    Array.from(actors.values(), (actor) => [actor.sessionId, {actor, children: []}]),
  )
  const roots: ActorBranch[] = []
  for (const branch of branches.values()) {
    const parent = branch.actor.parentId === undefined ? undefined : branches.get(branch.actor.parentId)
    ;(parent?.children ?? roots).push(branch)
  }
  return roots
}

/** Names of the context fields that an event changed. */
export const changedFields = (
  before: InspectedSnapshot | undefined,
  after: InspectedSnapshot | undefined,
): string[] => {
  // as: an object has fields, whatever they are
  const [old, now] = [before?.context, after?.context].map((context) => Object(context) as Record<string, unknown>)
  if (old === undefined || now === undefined) return []
  return Array.from(new Set([...Object.keys(old), ...Object.keys(now)])).filter(
    (name) => !isSameData(old[name], now[name]),
  )
}
