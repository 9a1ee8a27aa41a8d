import type {ChartNode, ChartTransition} from './chart.ts'
import './chart-view.css'

const kindMarks: Record<ChartNode['kind'], string> = {
  atomic: '',
  compound: '',
  parallel: 'parallel',
  final: 'final',
  history: 'history',
}

function Transition({transition, isTaken}: {transition: ChartTransition; isTaken: boolean}) {
  const {event, targets, guard, actions} = transition
  const target = targets.join(', ') || (actions.length > 0 ? 'stays' : 'nothing')
  return (
    <li
      className="transition"
      data-taken={isTaken}
      title={actions.length > 0 ? `Actions: ${actions.join(', ')}` : undefined}
    >
      <b>{event}</b>
      {guard !== undefined && <i> if {guard}</i>}
      <span> → {target}</span>
    </li>
  )
}

function Chips({label, names}: {label: string; names: readonly string[]}) {
  if (names.length === 0) return null
  return (
    <p className="chips">
      <span>{label}</span>
      {names.map((name, at) => (
        <code key={at}>{name}</code>
      ))}
    </p>
  )
}

/** One state with its nested states; active ones are marked. `lastEvent` marks transitions it may have taken. */
export function ChartView({node, lastEvent}: {node: ChartNode; lastEvent: string | undefined}) {
  const {key, kind, path, isInitial, isActive, description, transitions, children} = node
  return (
    <section className="state" data-active={isActive} data-kind={kind} aria-current={isActive ? 'true' : undefined}>
      <h3 title={path}>
        {isInitial && <span className="initial" role="img" aria-label="initial" />}
        {key}
        {kindMarks[kind] !== '' && <small>{kindMarks[kind]}</small>}
        {node.tags.map((tag) => (
          <em key={tag}>{tag}</em>
        ))}
      </h3>
      {description !== undefined && <p className="description">{description}</p>}
      <Chips label="invokes" names={node.invokes} />
      <Chips label="entry" names={node.entry} />
      <Chips label="exit" names={node.exit} />
      {transitions.length > 0 && (
        <ul>
          {transitions.map((transition, at) => (
            <Transition
              key={at}
              transition={transition}
              isTaken={transition.eventType !== '' && transition.eventType === lastEvent}
            />
          ))}
        </ul>
      )}
      {children.length > 0 && (
        <div className="states">
          {children.map((child) => (
            <ChartView key={child.path} node={child} lastEvent={lastEvent} />
          ))}
        </div>
      )}
    </section>
  )
}
