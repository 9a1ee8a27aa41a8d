import type {ReactElement} from 'react'
import {buttonClass} from '#ui/button-class.ts'
import {iconButtonClass} from '#ui/icon-button-class.ts'
import {AlertIcon, CheckIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {useCopy} from '#ui/use-copy.ts'

type CopyToolProps = {
  label: string
  icon: ReactElement
  /** Shows the label beside the icon. */
  labelled?: boolean
  /** Read on press. */
  value: () => string
}

const labelledClass = buttonClass('ghost', 'sm')
const iconClass = iconButtonClass('sm')

/** `CopyButton` for a block of an answer, with fewer records for React. An enclosing `TooltipArea` shows its name. */
export function CopyTool({label, icon, labelled = false, value}: CopyToolProps) {
  const text = useText()
  const {result, copy} = useCopy()
  const outcome = result?.outcome
  const Result = outcome === 'copied' ? CheckIcon : AlertIcon
  const shownLabel = outcome === undefined ? label : text(`common.${outcome}`)
  const mark = outcome === undefined ? icon : <Result size={labelled ? 14 : 16} />
  const press = () => copy(value())
  return (
    <>
      {labelled ? (
        <button type="button" className={labelledClass} onClick={press}>
          {mark}
          {shownLabel}
        </button>
      ) : (
        <button type="button" className={iconClass} aria-label={shownLabel} data-named onClick={press}>
          {mark}
        </button>
      )}
      <span role="status" className="visually-hidden">
        {outcome === undefined ? '' : shownLabel}
      </span>
    </>
  )
}
