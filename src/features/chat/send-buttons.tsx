import {SendIcon, StopIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {useHandedFocus} from '#ui/use-handed-focus.ts'
import styles from './composer.module.css'

type SendButtonsProps = {
  /** Stop replaces Send, which comes beside it for a question that waits for its turn. */
  busy: boolean
  canStop: boolean
  hasText: boolean
  sendable: boolean
  /** Files hold the message, on their way or refused: a press says so and sends nothing. */
  isHeld: boolean
  onStop: () => void
  /** Stop goes, or stops no more, while it has the focus. */
  onLeave: () => void
}

/** Send submits the form that it stands in. */
export function SendButtons({busy, canStop, hasText, sendable, isHeld, onStop, onLeave}: SendButtonsProps) {
  const text = useText()
  return (
    <>
      {(!busy || hasText) && (
        <button
          type="submit"
          className={styles.round}
          aria-label={text('chat.send')}
          disabled={!sendable}
          aria-disabled={isHeld}
        >
          <SendIcon size={20} />
        </button>
      )}
      {busy && <StopButton {...{canStop, onStop, onLeave}} />}
    </>
  )
}

function StopButton({canStop, onStop, onLeave}: Pick<SendButtonsProps, 'canStop' | 'onStop' | 'onLeave'>) {
  const text = useText()
  return (
    <button
      ref={useHandedFocus(canStop, onLeave)}
      type="button"
      className={styles.round}
      aria-label={text('chat.stop')}
      disabled={!canStop}
      onClick={(event) => {
        // the second click of a double click on Send must not stop the answer
        if (event.detail <= 1) onStop()
      }}
    >
      <StopIcon size={14} className={styles.stop} />
    </button>
  )
}
