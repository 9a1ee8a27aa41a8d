import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import styles from './prompts.module.css'

/** The instructions that another page saved while others were typed here; Save replaces them. */
export function OtherText({text: theirs, onTake}: {text: string; onTake: () => void}) {
  const text = useText()
  return (
    <div role="alert" className={styles.form}>
      <p className={styles.note}>{text('chat.instructionsChanged')}</p>
      <p className={styles.quote} dir="auto">
        {theirs === '' ? text('chat.instructionsNone') : theirs}
      </p>
      <div className={styles.foot}>
        <Button size="sm" onClick={onTake}>
          {text('chat.instructionsTake')}
        </Button>
      </div>
    </div>
  )
}
