import type {InspectionEvent} from 'xstate'
import type {Log} from '#domain/log.ts'
import type {FlowLog} from './flow/flow-log.ts'

/**
 * From the user's first press on, what the actors do and what leaves the page is noted. What happens while the log loads is
 * noted after it; without a network there is none.
 */
export function noteFlow(pageFetch: typeof fetch, log: Log) {
  let flow: FlowLog | undefined
  let loading: Promise<void> | undefined
  let unnoted: InspectionEvent[] = []
  const load = () => {
    loading ??= import('./flow/flow-log.ts').then(
      ({createFlowLog}) => {
        flow = createFlowLog(pageFetch)
        for (const report of unnoted.splice(0)) flow.observe(report)
      },
      (error: unknown) => {
        loading = undefined
        unnoted = []
        log('What happens is not noted', {error: String(error)})
      },
    )
  }
  for (const press of ['keydown', 'pointerdown']) addEventListener(press, load, {once: true, capture: true})
  const send: typeof fetch = (input, init) =>
    flow !== undefined || loading === undefined
      ? (flow?.fetch ?? pageFetch)(input, init)
      : loading.then(() => send(input, init))
  return {
    log: () => flow,
    send,
    observe: (report: InspectionEvent) => {
      if (flow !== undefined) flow.observe(report)
      else if (loading !== undefined) unnoted.push(report)
    },
  }
}
