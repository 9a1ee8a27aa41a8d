import {createBrowserInspector, type StatelyInspectionEvent} from '@stately/inspect'
import type {InspectionEvent} from 'xstate'
import {compactHistory, createInspectionConverter} from './inspection.ts'

const pageUrl = '/inspector.html'
const windowName = 'atrium-inspector'
/** Message of an inspector page that is ready. */
const connectedType = '@statelyai.connected'

const isConnected = (data: unknown) =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === connectedType

/** Browsers allow a new window only after a click: asks for that click. */
const askForClick = (view: Window, open: () => void) => {
  const button = view.document.createElement('button')
  button.textContent = 'Open the inspector'
  button.style.cssText = 'position:fixed;inset-block-end:12px;inset-inline-end:12px;z-index:9999;padding:8px 12px'
  button.addEventListener('click', () => {
    button.remove()
    open()
  })
  view.document.body.append(button)
}

export type InspectorTarget = 'page' | 'stately'

type Target = (event: StatelyInspectionEvent) => void

/** Our own page: it alone receives the events, including those before it opened. */
const openOwnPage = (view: Window): Target => {
  let page: MessageEventSource | null = null
  let history: StatelyInspectionEvent[] = []
  const post = (event: StatelyInspectionEvent) => page?.postMessage(event, {targetOrigin: view.location.origin})
  const open = () => view.open(pageUrl, windowName)

  view.addEventListener('message', ({origin, source, data}: MessageEvent<unknown>) => {
    if (origin !== view.location.origin || source === view || !isConnected(data)) return
    page = source
    history.forEach(post)
  })
  if (open() === null) askForClick(view, open)
  return (event) => {
    history.push(event)
    const compact = compactHistory(history)
    if (compact.length < history.length) history = [...compact]
    post(event)
  }
}

/** Stately's page, by the library's own transport; no conversion needed. */
const openStately = (view: Window): Target => {
  const {adapter} = createBrowserInspector({window: view, serialize: (event) => event})
  return (event) => adapter.send(event)
}

/** Runs when the page is idle, and soon in any case. Safari has no idle callback. */
const afterwards = (view: Window, work: () => void) => {
  if ('requestIdleCallback' in view) view.requestIdleCallback(work, {timeout: 200})
  else setTimeout(work, 50)
}

/**
 * Shows the running actors (docs/inspecting.md). Development only: loaded by a dynamic import behind
 * `import.meta.env.DEV`, so that no build contains it. Our own page works without a network. Secrets are removed
 * before a message leaves this window.
 * @returns the `inspect` observer for `createActor`
 */
export const startInspector = (target: InspectorTarget, view: Window = window) => {
  const send = target === 'stately' ? openStately(view) : openOwnPage(view)
  const convert = createInspectionConverter()
  let reports: {report: InspectionEvent; at: number}[] = []
  const flush = () => {
    const batch = reports
    reports = []
    for (const {report, at} of batch) {
      const event = convert(report, at)
      if (event !== undefined) send(event)
    }
  }
  return {
    next(report: InspectionEvent) {
      if (reports.length === 0) afterwards(view, flush)
      reports.push({report, at: Date.now()})
    },
  }
}
