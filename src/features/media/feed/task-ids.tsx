import type {ReactNode} from 'react'
import {CopyButton} from '#ui/copy-button.tsx'
import {useText} from '#ui/text.tsx'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import styles from './task-well.module.css'

/** The ids that a helper asks for, to be read and selected (contract/media §1.6). */
export function Ids({card: {id, traceId, failure}}: {card: Card}): ReactNode {
  const text = useText()
  if (id === undefined && traceId === undefined && failure === undefined) return null
  return (
    <details className={styles.ids}>
      <summary>{text('common.details')}</summary>
      {failure !== undefined && (
        <p className={styles.code}>
          <bdi dir="ltr">{failure.code}</bdi>
        </p>
      )}
      <dl>
        {id !== undefined && <Id label={text('common.mediaTaskId')} id={id} />}
        {traceId !== undefined && <Id label={text('common.mediaTraceId')} id={traceId} />}
      </dl>
    </details>
  )
}

const Id = ({label, id}: {label: string; id: string}) => (
  <>
    <dt>{label}</dt>
    <dd>
      <bdi dir="ltr">{id}</bdi>
    </dd>
  </>
)

/** Copies all of it at once: the error, the task's id and the trace id. The menu has each alone. */
export function CopyDetails({card}: {card: Card}): ReactNode {
  const text = useText()
  const {traceId, id, failure} = card
  const lines = [
    failure === undefined ? undefined : `${failure.code}: ${failure.detail}`,
    id === undefined ? undefined : `task ${id}`,
    traceId === undefined ? undefined : `trace ${traceId}`,
  ].filter((line) => line !== undefined)
  if (lines.length === 0) return null
  return <CopyButton label={text('common.copyDetails')} value={() => lines.join('\n')} />
}
