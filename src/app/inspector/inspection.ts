import type {AnyEventObject, MachineContext} from 'xstate'
import type {StatelyInspectionEvent} from '@stately/inspect'
import {createSanitizer} from './sanitize.ts'

/** What is shown of a snapshot. The rest of it is machinery, or stands in an actor of its own. */
const shownFields = ['status', 'value', 'context', 'tags', 'input', 'output', 'error'] as const

/**
 * What leaves the page (docs/inspecting.md): every context, event, input, output and error without its secrets, as
 * plain data. `sanitizeContext` and `sanitizeEvent` are the library's own hooks; they do not see input, output and
 * errors of actors, so the whole event passes `sanitizeInspection` last.
 */
export const createInspectionSanitizer = () => {
  const sanitize = createSanitizer()
  const sanitizeSnapshot = (snapshot: object) => {
    const fields = snapshot as Record<string, unknown> // a snapshot of any kind of actor
    return Object.fromEntries(
      shownFields.filter((name) => fields[name] !== undefined).map((name) => [name, sanitize(fields[name])]),
    )
  }
  /** A configuration may name a secret in a literal context or input. */
  const sanitizeDefinition = (definition: string | undefined) => {
    if (definition === undefined) return undefined
    try {
      return JSON.stringify(sanitize(JSON.parse(definition)))
    } catch {
      return undefined // cut off by the library's depth limit: then there is no picture
    }
  }
  const sanitizeInspection = (inspection: StatelyInspectionEvent): StatelyInspectionEvent => {
    // as: the same event with plain data in its places
    switch (inspection.type) {
      case '@xstate.actor':
        return {
          ...inspection,
          definition: sanitizeDefinition(inspection.definition),
          snapshot: sanitizeSnapshot(inspection.snapshot),
        }
      case '@xstate.snapshot': {
        const {event, snapshot} = inspection
        return {...inspection, event: sanitize(event), snapshot: sanitizeSnapshot(snapshot)} as StatelyInspectionEvent
      }
      case '@xstate.event':
        return {...inspection, event: sanitize(inspection.event)} as StatelyInspectionEvent
    }
  }
  return {
    sanitizeContext: (context: MachineContext) => sanitize(context) as MachineContext, // an object stays one
    sanitizeEvent: (event: AnyEventObject) => sanitize(event) as AnyEventObject,
    sanitizeInspection,
  }
}

/** How many events a late or reloaded inspector still gets to see. */
const keptEvents = 1_000

/**
 * The story so far for an inspector that opens late: the newest events, and of everything older what the picture needs:
 * each actor's beginning and its last snapshot.
 */
export const compactHistory = (
  history: readonly StatelyInspectionEvent[],
  kept = keptEvents,
): StatelyInspectionEvent[] => {
  if (history.length <= kept * 2) return [...history]
  const recent = history.length - kept
  const lastSnapshots = new Map(
    history.flatMap((event, at) => (event.type === '@xstate.snapshot' ? [[event.sessionId, at] as const] : [])),
  )
  return history.filter(
    (event, at) => at >= recent || event.type === '@xstate.actor' || lastSnapshots.get(event.sessionId) === at,
  )
}
