import type {InspectionEvent} from 'xstate'
import type {Log} from '#domain/log.ts'
import type {OpenFlowLog} from './flow/open-flow-log.ts'
import type {Root} from './logic/root.ts'
import type {RootDeps} from './logic/root-deps.ts'

/** Most notes that wait for the log: about a minute of an answer. Older ones are dropped. */
const mostWaiting = 600

/**
 * From the user's first press on, what the actors do and what leaves the page is noted. What happens while the log
 * loads is noted after it; nothing waits for the log, and without it there are no notes.
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
  /** Since the log was first asked for. */
  let waiting: ((flowLog: OpenFlowLog) => void)[] | undefined
  const presses = new AbortController()
  const load = () => {
    waiting ??= []
    loading ??= loadLog().then(
      ({openFlowLog}) => {
        presses.abort()
        const {deps, root} = page()
        const flowLog = openFlowLog(pageFetch, deps, () => root.actors.session()?.getSnapshot().context)
        flow = flowLog
        waiting?.splice(0).forEach((note) => note(flowLog))
      },
      (error: unknown) => {
        loading = undefined
        log('What happens is not noted', {error: String(error)})
      },
    )
  }
  const wait = (note: (flowLog: OpenFlowLog) => void) => {
    if (waiting !== undefined && waiting.push(note) > mostWaiting) waiting.shift()
  }
  for (const press of ['keydown', 'pointerdown']) addEventListener(press, load, {capture: true, signal: presses.signal})
  const send: typeof fetch = (input, init) => {
    if (flow !== undefined) return flow.fetch(input, init)
    const at = Date.now()
    const answer = pageFetch(input, init)
    const end = answer.then(Date.now, Date.now)
    wait((flowLog) => void flowLog.fetch(input, init, {at, answer, end}).catch(() => undefined))
    return answer
  }
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
      waiting?.splice(0)
    },
    observe: (report: InspectionEvent) => {
      if (report.type !== '@xstate.snapshot') return
      const at = Date.now()
      if (flow !== undefined) flow.observe(report, at)
      else wait((flowLog) => flowLog.observe(report, at))
    },
  }
}
