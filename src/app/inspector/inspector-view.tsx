import {useEffect, useRef, useState} from 'react'
import {toChart, valueText, type ChartNode} from './chart.ts'
import {ChartView} from './chart-view.tsx'
import {
  actorTree,
  changedFields,
  type ActorBranch,
  type InspectedActor,
  type InspectedSnapshot,
  type Inspection,
  type LogEntry,
} from './inspection-store.ts'

const nameOf = (inspection: Inspection, sessionId: string | undefined) =>
  sessionId === undefined ? 'outside' : (inspection.actors.get(sessionId)?.name ?? sessionId)

const timeOf = (at: number) => new Date(at).toISOString().slice(11, 23)

type Choice = {selected: string | undefined; onSelect: (sessionId: string) => void}

function Branch({branch: {actor, children}, selected, onSelect}: {branch: ActorBranch} & Choice) {
  const {sessionId, name, snapshot, events} = actor
  const state = snapshot.status === 'active' ? valueText(snapshot.value) : (snapshot.status ?? '')
  return (
    <li>
      <button
        type="button"
        aria-pressed={sessionId === selected}
        data-status={snapshot.status}
        onClick={() => onSelect(sessionId)}
      >
        <b title={name}>{name}</b>
        <span>{state}</span>
        <small>{events}</small>
      </button>
      {children.length > 0 && (
        <ul>
          {children.map((child) => (
            <Branch key={child.actor.sessionId} branch={child} selected={selected} onSelect={onSelect} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Data({title, value}: {title: string; value: unknown}) {
  if (value === undefined) return null
  return (
    <details open>
      <summary>{title}</summary>
      <pre dir="ltr">{JSON.stringify(value, null, 2)}</pre>
    </details>
  )
}

/** Sections in the order of their usefulness. */
const snapshotTitles = {context: 'Context', output: 'Output', error: 'Error', input: 'Input'} as const

function SnapshotData({snapshot}: {snapshot: InspectedSnapshot}) {
  return Object.entries(snapshotTitles).map(([field, title]) => (
    <Data key={field} title={title} value={snapshot[field]} />
  ))
}

/** Keeps the active states in view: the chart is often taller than the window. */
function Chart({node, value, lastEvent}: {node: ChartNode; value: string; lastEvent: string | undefined}) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const active = container.current?.querySelectorAll('[aria-current="true"]')
    active?.item(active.length - 1).scrollIntoView({block: 'nearest'})
  }, [node.path, value])
  return (
    <div className="chart" ref={container}>
      <ChartView node={node} lastEvent={lastEvent} />
    </div>
  )
}

type ActorPaneProps = {inspection: Inspection; actor: InspectedActor; entry: LogEntry | undefined; onLive: () => void}

/** One actor: its chart with the active states, and its data; for a selected event, as it was then. */
function ActorPane({inspection, actor, entry, onLive}: ActorPaneProps) {
  const snapshot = entry?.after ?? actor.snapshot
  const lastEvent = entry?.type ?? inspection.log.findLast(({sessionId}) => sessionId === actor.sessionId)?.type
  const changes = entry === undefined ? [] : changedFields(entry.before, entry.after)
  return (
    <main>
      <header>
        <h2>{actor.name}</h2>
        <code>{actor.sessionId}</code>
        <span className="value">{valueText(snapshot.value) || snapshot.status}</span>
        {entry !== undefined && (
          <button type="button" onClick={onLive}>
            After {entry.type} · back to now
          </button>
        )}
      </header>
      {actor.definition === undefined ? (
        <p className="empty">This actor is no machine: it has data and no states.</p>
      ) : (
        <Chart
          node={toChart(actor.definition, snapshot.value)}
          value={valueText(snapshot.value)}
          lastEvent={lastEvent}
        />
      )}
      <div className="data">
        {entry !== undefined && <Data title={`Event ${entry.type}`} value={entry.event} />}
        {changes.length > 0 && <p>Changed: {changes.join(', ')}</p>}
        <SnapshotData snapshot={snapshot} />
      </div>
    </main>
  )
}

type LogProps = {
  inspection: Inspection
  entries: readonly LogEntry[]
  selected: number | undefined
  onSelect: (entry: LogEntry) => void
}

function Log({inspection, entries, selected, onSelect}: LogProps) {
  return (
    <ol className="log">
      {entries.map((entry) => (
        <li key={entry.id}>
          <button type="button" aria-pressed={entry.id === selected} onClick={() => onSelect(entry)}>
            <time>{timeOf(entry.at)}</time>
            <b>{entry.type}</b>
            <span>
              {nameOf(inspection, entry.sourceId)} → {nameOf(inspection, entry.sessionId)}
            </span>
          </button>
        </li>
      ))}
    </ol>
  )
}

export type InspectorViewProps = {
  inspection: Inspection
  isPaused: boolean
  onPause: (isPaused: boolean) => void
  onClear: () => void
}

/** Actors, the selected one's chart and data, and its events, newest first. */
export function InspectorView({inspection, isPaused, onPause, onClear}: InspectorViewProps) {
  const [chosenActor, setChosenActor] = useState<string>()
  const [entryId, setEntryId] = useState<number>()
  const [words, setWords] = useState('')
  const [onlyChosen, setOnlyChosen] = useState(false)
  const [first] = inspection.actors.keys()
  const sessionId = chosenActor !== undefined && inspection.actors.has(chosenActor) ? chosenActor : first
  const actor = sessionId === undefined ? undefined : inspection.actors.get(sessionId)
  const entry = inspection.log.find(({id}) => id === entryId)
  const searchText = words.toLowerCase()
  const entries = inspection.log
    .filter((one) => !onlyChosen || one.sessionId === sessionId)
    .filter((one) => `${one.type} ${nameOf(inspection, one.sessionId)}`.toLowerCase().includes(searchText))
    .toReversed()

  const selectActor = (next: string) => {
    setChosenActor(next)
    setEntryId(undefined)
  }
  const selectEntry = (next: LogEntry) => {
    setChosenActor(next.sessionId)
    setEntryId(next.id)
  }
  return (
    <div className="inspector">
      <nav aria-label="Actors">
        <h1>Actors</h1>
        <ul>
          {actorTree(inspection).map((branch) => (
            <Branch key={branch.actor.sessionId} branch={branch} selected={sessionId} onSelect={selectActor} />
          ))}
        </ul>
      </nav>
      {actor === undefined ? (
        <main>
          <p className="empty">
            No actors yet. This page is opened by the app: start it with <code>npm run dev</code> and open it with{' '}
            <code>?inspect</code>.
          </p>
        </main>
      ) : (
        <ActorPane inspection={inspection} actor={actor} entry={entry} onLive={() => setEntryId(undefined)} />
      )}
      <aside aria-label="Events">
        <header>
          <h1>Events</h1>
          <button type="button" aria-pressed={isPaused} onClick={() => onPause(!isPaused)}>
            {isPaused ? 'Resume' : 'Pause'}
          </button>
          <button type="button" onClick={onClear}>
            Clear
          </button>
        </header>
        <input
          type="search"
          aria-label="Filter events"
          placeholder="Filter"
          value={words}
          onChange={({target}) => setWords(target.value)}
        />
        <label>
          <input type="checkbox" checked={onlyChosen} onChange={({target}) => setOnlyChosen(target.checked)} /> Only the
          chosen actor
        </label>
        <Log inspection={inspection} entries={entries} selected={entryId} onSelect={selectEntry} />
      </aside>
    </div>
  )
}
