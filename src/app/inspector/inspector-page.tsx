import {createBrowserReceiver, type StatelyInspectionEvent} from '@stately/inspect'
import {StrictMode, useSyncExternalStore} from 'react'
import {createRoot} from 'react-dom/client'
import {createValueStore} from '#browser/value-store.ts'
import {clearLog, emptyInspection, inspect, type Inspection} from './inspection-store.ts'
import {InspectorView} from './inspector-view.tsx'
import '../../ui/tokens.css'
import './inspector.css'

/** Received messages, rendered once per frame; while paused they queue. */
const createPageStore = () => {
  let inspection: Inspection = emptyInspection
  let isPaused = false
  let waiting: StatelyInspectionEvent[] = []
  let frame: number | undefined
  const view = createValueStore({inspection, isPaused})

  const publish = () => view.set({inspection, isPaused})
  const take = () => {
    frame = undefined
    if (isPaused) return
    inspection = waiting.reduce(inspect, inspection)
    waiting = []
    publish()
  }
  return {
    add: (event: StatelyInspectionEvent) => {
      waiting.push(event)
      frame ??= requestAnimationFrame(take)
    },
    pause: (next: boolean) => {
      isPaused = next
      take()
      publish()
    },
    clear: () => {
      inspection = clearLog(inspection)
      publish()
    },
    subscribe: view.subscribe,
    getSnapshot: view.get,
  }
}

/** The app's theme, else the system's. */
const cookie = /(?:^|; )THEME=(dark|light)/.exec(document.cookie)?.[1]
const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark'
document.documentElement.dataset.theme = cookie ?? system

const store = createPageStore()
createBrowserReceiver().subscribe((event) => store.add(event))

function InspectorPage() {
  const {inspection, isPaused} = useSyncExternalStore(store.subscribe, store.getSnapshot)
  return <InspectorView inspection={inspection} isPaused={isPaused} onPause={store.pause} onClear={store.clear} />
}

const container = document.getElementById('inspector')
if (container === null) throw new Error('The page has no element "inspector"')
createRoot(container).render(
  <StrictMode>
    <InspectorPage />
  </StrictMode>,
)
