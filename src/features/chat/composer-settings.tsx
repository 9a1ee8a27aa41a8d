import {useText} from '#ui/text.tsx'
import surface from '#ui/surface.module.css'
import styles from './composer-settings.module.css'
import {useChat} from './chat.context.tsx'
import {PromptSettings} from './prompt-settings.tsx'
import {SendKeyChoice} from './send-key-choice.tsx'
import {useThreadWords} from './use-thread-words.ts'

/** Settings of the message field. */
export function ComposerSettings() {
  useThreadWords()
  const text = useText()
  const {actors} = useChat()
  return (
    <>
      <div className={styles.setting}>
        <h3 className={surface.heading}>{text('chat.sendKey')}</h3>
        <SendKeyChoice />
      </div>
      {actors !== undefined && <PromptSettings />}
    </>
  )
}
