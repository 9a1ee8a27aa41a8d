import {memo} from 'react'
import {classNames} from '#ui/class-names.ts'
import {CopyButton} from '#ui/copy-button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import surface from '#ui/surface.module.css'
import {useText} from '#ui/text.tsx'
import styles from './flow-dialog.module.css'

/** A state of a chart, a call with what it answered, or that the page was loaded again. `at`: unix milliseconds. */
export type FlowStep = {at: number} & (
  | {kind: 'load'}
  | {kind: 'state'; name: string; event: string}
  | {
      kind: 'call'
      name: string
      status: number | undefined
      took: number | undefined
      trace: string | undefined
      curl: string
    }
)

type FlowDialogProps = {
  steps: readonly FlowStep[]
  /**
   * Facts beside the steps. Their labels are names of the wire in every language, on purpose: the report has them, and
   * an operator of any language searches logs for them.
   */
  facts: Readonly<Record<string, string>>
  /** For a report: JSON. */
  report: () => string
  onClose: () => void
}

const padded = (value: number, length: number) => String(value).padStart(length, '0')
const clock = (at: number) => {
  const date = new Date(at)
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => padded(part, 2))
  return `${parts.join(':')}.${padded(date.getMilliseconds(), 3)}`
}

/** The history of an answer or a task: states of its chart and calls, with times, all to copy for a report. */
export function FlowDialog({steps, facts, report, onClose}: FlowDialogProps) {
  const text = useText()
  return (
    <Dialog
      open
      title={text('flow.title')}
      width={640}
      fillsPhone
      onClose={onClose}
      actions={
        <CopyButton label={text('flow.copyReport')} labelled look={{variant: 'outline', size: 'md'}} value={report} />
      }
    >
      <div className={styles.body}>
        <p className={styles.note}>{text(steps.length === 0 ? 'flow.none' : 'flow.note')}</p>
        <dl className={styles.facts} dir="ltr">
          {Object.entries(facts).map(([name, value]) => (
            <Fact key={name} name={name} value={value} />
          ))}
        </dl>
        {steps.length > 0 && (
          <ol className={classNames(surface.surface, styles.steps)} aria-label={text('flow.steps')} dir="ltr">
            {steps.map((step, index) => (
              <Step key={index} {...step} />
            ))}
          </ol>
        )}
      </div>
    </Dialog>
  )
}

const Fact = ({name, value}: {name: string; value: string}) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
)

/** A step that stands is not rendered again while others come. */
const Step = memo(function Step(step: FlowStep) {
  const text = useText()
  if (step.kind === 'load')
    return (
      <li className={classNames(styles.step, styles.load)}>
        <span className={styles.time}>{clock(step.at)}</span>
        <span dir="auto">{text('flow.loaded')}</span>
      </li>
    )
  if (step.kind === 'state')
    return (
      <li className={styles.step}>
        <span className={styles.time}>{clock(step.at)}</span>
        <span className={classNames(styles.what, step.name.startsWith('failed') && styles.failed)}>{step.name}</span>
        <span className={styles.event}>{step.event}</span>
      </li>
    )
  const {status, took, trace, curl} = step
  const isFailed = status === undefined || status >= 400
  return (
    <li className={styles.step}>
      <span className={styles.time}>{clock(step.at)}</span>
      <span className={styles.what}>{step.name}</span>
      <CopyButton label={text('flow.copyCurl')} value={() => curl} />
      <span className={classNames(styles.detail, isFailed && styles.failed)}>
        {[status ?? text('flow.noAnswer'), took === undefined ? [] : `${took} ms`, trace ?? []].flat().join(' · ')}
      </span>
    </li>
  )
})
