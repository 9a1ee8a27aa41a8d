import {Button, type ButtonProps} from './button.tsx'
import {IconButton} from './icon-button.tsx'
import {AlertIcon, CheckIcon, CopyIcon} from './icons.tsx'
import {useText} from './text.tsx'
import {useCopy} from './use-copy.ts'

type CopyButtonProps = {
  /** Read on press, so that a growing text needs no render. */
  value: () => string
  label?: string
  /** Shows the label beside the icon; otherwise the icon alone. */
  labelled?: boolean
  /** Look of a labelled button. */
  look?: Pick<ButtonProps, 'variant' | 'size'>
  write?: (value: string) => Promise<void>
}

/** Copies a text and confirms it. */
export function CopyButton({value, label, labelled = false, look, write}: CopyButtonProps) {
  const text = useText()
  const copying = useCopy(write)
  const result = copying.result?.outcome
  const copy = () => copying.copy(value())
  const shownLabel = result === undefined ? (label ?? text('common.copy')) : text(`common.${result}`)
  const size = labelled ? 14 : 16
  const icon =
    result === 'copied' ? (
      <CheckIcon size={size} />
    ) : result === 'copyFailed' ? (
      <AlertIcon size={size} />
    ) : (
      <CopyIcon size={size} />
    )
  return (
    <>
      {labelled ? (
        <Button variant="ghost" size="sm" {...look} icon={icon} onClick={copy}>
          {shownLabel}
        </Button>
      ) : (
        <IconButton label={shownLabel} size="sm" icon={icon} onClick={copy} />
      )}
      <span role="status" className="visually-hidden">
        {result === undefined ? '' : shownLabel}
      </span>
    </>
  )
}
