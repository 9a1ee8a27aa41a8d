import {CheckIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import styles from './select-box.module.css'

type SelectBoxProps = {title: string; isOn: boolean; isCurrent: boolean}

/** The check box on a card while several are being chosen. The whole card is pressed for it (`usePick`). */
export function SelectBox({title, isOn, isCurrent}: SelectBoxProps) {
  const text = useText()
  return (
    <button
      type="button"
      role="checkbox"
      className={styles.box}
      aria-checked={isOn}
      aria-label={text('common.mediaSelectOf', {title})}
      tabIndex={isCurrent ? 0 : -1}
    >
      {isOn && <CheckIcon />}
    </button>
  )
}
