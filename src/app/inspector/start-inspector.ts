import {createBrowserInspector, type StatelyInspectionEvent} from '@stately/inspect'
import {compactHistory, createInspectionSanitizer} from './inspection.ts'

const pageUrl = '/inspector.html'
const windowName = 'atrium-inspector'
/** What an inspector page says when it is there. */
const connected = '@statelyai.connected'
/** Deep enough for the definition of the largest chart: the library cuts off what lies deeper. */
const serializationDepthLimit = 40

const isConnected = (data: unknown) =>
  typeof data === 'object' && data !== null && 'type' in data && data.type === connected

/** Browsers open a window by themselves only after a click: this is the click. */
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

/** Our own page: it and nobody else gets the events, also those from before it was there. */
const createPageTarget = (view: Window) => {
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
  return (event: StatelyInspectionEvent) => {
    history = compactHistory([...history, event])
    post(event)
  }
}

/**
 * Shows the actors at work (docs/inspecting.md). Development only: load it with a dynamic import behind
 * `import.meta.env.DEV`, so that no byte of it is in a build. `?inspect` opens our own page, which works without a
 * network; `?inspect=stately` Stately's. Secrets are taken out before anything leaves this window.
 * @returns the `inspect` observer for `createActor`
 */
export const startInspector = (view: Window = window) => {
  const {sanitizeContext, sanitizeEvent, sanitizeInspection} = createInspectionSanitizer()
  const target = new URLSearchParams(view.location.search).get('inspect')
  const options = {
    window: view,
    sanitizeContext,
    sanitizeEvent,
    serialize: sanitizeInspection,
    serializationDepthLimit,
  }
  const inspector =
    target === 'stately'
      ? createBrowserInspector(options)
      : createBrowserInspector({...options, autoStart: false, maxDeferredEvents: 0, send: createPageTarget(view)})
  return inspector.inspect
}
