import {useChat} from './chat.context.tsx'
import {PromptSettings} from './prompt-settings.tsx'
import {SendKeyChoice} from './send-key-choice.tsx'
import {useThreadWords} from './use-thread-words.ts'

/** Settings of the message field. */
export function ComposerSettings() {
  useThreadWords()
  const {actors} = useChat()
  return (
    <>
      <SendKeyChoice />
      {actors !== undefined && <PromptSettings />}
    </>
  )
}
