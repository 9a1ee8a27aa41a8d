import type {InspectionEvent} from 'xstate'
import type {Log} from '#domain/log.ts'
import type {OpenFlowLog} from './flow/open-flow-log.ts'
import type {Root} from './logic/root.ts'
import type {RootDeps} from './logic/root-deps.ts'

/**
 * From the user's first press on, what the actors do and what leaves the page is noted. What the actors do while the
 * log loads is noted after it, and calls wait for it; without a network there is none.
 *
 * A log that could not be loaded is asked for again with the next press.
 *
 * @param page what stands when the log has been loaded
 */
export function noteFlow(
  pageFetch: typeof fetch,
  log: Log,
  page: () => {deps: RootDeps; root: Root},
  loadLog = () => import('./flow/open-flow-log.ts'),
) {
  let flow: OpenFlowLog | undefined
  let loading: Promise<void> | undefined
  let waitingEvents: InspectionEvent[] = []
  let isPressed = false
  const presses = new AbortController()
  const load = () => {
    loading ??= loadLog().then(
      ({openFlowLog}) => {
        presses.abort()
        const {deps, root} = page()
        flow = openFlowLog(pageFetch, deps, () => root.actors.session()?.getSnapshot().context)
        for (const report of waitingEvents.splice(0)) flow.observe(report)
      },
      (error: unknown) => {
        loading = undefined
        waitingEvents = []
        log('What happens is not noted', {error: String(error)})
      },
    )
  }
  const begin = () => {
    isPressed = true
    load()
  }
  for (const press of ['keydown', 'pointerdown'])
    addEventListener(press, begin, {capture: true, signal: presses.signal})
  const send: typeof fetch = (input, init) =>
    flow !== undefined || loading === undefined || !isPressed
      ? (flow?.fetch ?? pageFetch)(input, init)
      : loading.then(() => send(input, init))
  return {
    log: () => flow,
    send,
    /** Notes from the start where the tab's page before this one left its log. The start does not wait for that. */
    resume: () => {
      if (page().deps.leftFlow.read() !== undefined) load()
    },
    /** Nothing of a user outlives the session. */
    forget: () => {
      page().deps.leftFlow.write(undefined)
      flow?.forget()
      waitingEvents = []
    },
    observe: (report: InspectionEvent) => {
      if (flow !== undefined) flow.observe(report)
      else if (loading !== undefined) waitingEvents.push(report)
    },
  }
}
