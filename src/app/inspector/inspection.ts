import type {AnyActorRef, InspectionEvent} from 'xstate'
import type {StatelyInspectionEvent} from '@stately/inspect'
import {createSanitizer} from './sanitize.ts'

/** Fields of a snapshot to show. The others are internal, or belong to actors of their own. */
const shownFields = ['status', 'value', 'context', 'input', 'output', 'error'] as const
/** Version of the messages, as the library's receiver expects it. */
const _version = '0.7.2'

/** xstate passes the parent to observers, but does not type it. */
type InspectedRef = AnyActorRef & {_parent?: AnyActorRef}
/** The machine of a snapshot: the logic of a chart that is chosen when its actor starts does not name it. */
type OfMachine = {machine?: {config?: unknown}}

const systemIdOf = ({id, sessionId}: InspectedRef) => (id === sessionId ? undefined : id)

/**
 * Converts reports of xstate to the inspector's messages (docs/inspecting.md): plain data of every context, event,
 * input, output, error and definition, without secrets. `undefined` for reports that are not shown. Never call it
 * within the observer: an actor being created has no snapshot yet.
 */
export const createInspectionConverter = () => {
  const sanitize = createSanitizer()

  const snapshotOf = (snapshot: object) => {
    const fields = snapshot as Record<string, unknown> // a snapshot of any kind of actor
    return Object.fromEntries(
      shownFields.filter((name) => fields[name] !== undefined).map((name) => [name, sanitize(fields[name])]),
    )
  }

  const actorOf = (actor: InspectedRef) => {
    // as: every snapshot is an object
    const snapshot = {...(actor.getSnapshot() as object & OfMachine)}
    const config = snapshot.machine?.config
    const isMachine = typeof config === 'object' && config !== null
    const machineId = isMachine && 'id' in config && typeof config.id === 'string' ? config.id : undefined
    return {
      type: '@xstate.actor' as const,
      name: systemIdOf(actor) ?? machineId ?? actor.sessionId,
      parentId: actor._parent?.sessionId,
      definition: isMachine ? JSON.stringify(sanitize(config)) : undefined,
      snapshot: snapshotOf(snapshot),
    }
  }

  /** @param at when it was reported, unix milliseconds */
  return (report: InspectionEvent, at: number): StatelyInspectionEvent | undefined => {
    const {sessionId} = report.actorRef
    const base = {sessionId, rootId: report.rootId, createdAt: String(at), id: '', _version}
    // as: the library's own shapes, with plain data inside
    switch (report.type) {
      case '@xstate.actor':
        return {...base, ...actorOf(report.actorRef as InspectedRef)}
      case '@xstate.event':
        return {
          ...base,
          type: report.type,
          sourceId: report.sourceRef?.sessionId,
          event: sanitize(report.event),
        } as StatelyInspectionEvent
      case '@xstate.snapshot':
        return {
          ...base,
          type: report.type,
          event: sanitize(report.event),
          snapshot: snapshotOf(report.snapshot),
        } as StatelyInspectionEvent
      default:
        return undefined
    }
  }
}

/** Most events that a newly opened or reloaded inspector receives. */
const keptEvents = 1_000

/**
 * History for an inspector that opens later: the newest events and, of older ones, each actor's start and last
 * snapshot.
 */
export const compactHistory = (
  history: readonly StatelyInspectionEvent[],
  limit = keptEvents,
): readonly StatelyInspectionEvent[] => {
  if (history.length <= limit * 2) return history
  const recent = history.length - limit
  const lastSnapshots = new Map(
    history.flatMap((event, at) => (event.type === '@xstate.snapshot' ? [[event.sessionId, at] as const] : [])),
  )
  return history.filter(
    (event, at) => at >= recent || event.type === '@xstate.actor' || lastSnapshots.get(event.sessionId) === at,
  )
}
