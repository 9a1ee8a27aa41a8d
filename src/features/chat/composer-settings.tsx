import {useText} from '#ui/text.tsx'
import styles from './composer-settings.module.css'
import {SendKeyChoice} from './send-key-choice.tsx'
import {useThreadWords} from './use-thread-words.ts'

/** Settings of the message field. */
export function ComposerSettings() {
  useThreadWords()
  const text = useText()
  return (
    <>
      <h3 className={styles.heading}>{text('chat.sendKey')}</h3>
      <SendKeyChoice />
    </>
  )
}
