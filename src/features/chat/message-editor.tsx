import {useRef, useState} from 'react'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useTextHeight} from '#ui/use-text-height.ts'
import {isComposing} from './is-composing.ts'
import styles from './message.module.css'
import {useSendKey} from './use-send-key.ts'

type MessageEditorProps = {
  initial: string
  /** Why asking is impossible now: the text stays, and Send is disabled. */
  unusable: string | undefined
  /** What sending does; that later messages are replaced, if left out. */
  note?: string
  /** Name of the button that sends. */
  submit?: string
  onCancel: () => void
  onSend: (question: string) => void
  /** Keeps the text without a new answer; undefined where the server cannot. */
  onSave?: ((question: string) => void) | undefined
}

/** Edits a sent message in place; sending asks again from there. Attachments stay. */
export function MessageEditor({initial, unusable, note, submit, onCancel, onSend, onSave}: MessageEditorProps) {
  const text = useText()
  const {enterKeyHint, sends} = useSendKey()
  const [value, setValue] = useState(initial)
  const field = useRef<HTMLTextAreaElement>(null)
  useTextHeight(field, value)
  const sendable = value.trim() !== '' && unusable === undefined
  const send = () => {
    if (sendable) onSend(value.trim())
  }
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      <textarea
        ref={field}
        className={styles.editorField}
        aria-label={text('chat.editLabel')}
        dir="auto"
        autoFocus
        enterKeyHint={enterKeyHint}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.setSelectionRange(initial.length, initial.length)}
        onKeyDown={(event) => {
          if (isComposing(event)) return
          event.stopPropagation()
          if (event.key === 'Escape') onCancel()
          if (sends(event)) {
            event.preventDefault()
            send()
          }
        }}
      />
      <div className={styles.editorFoot}>
        <span className={styles.editorNote} role="status">
          {unusable ?? note ?? text(onSave === undefined ? 'chat.editNote' : 'chat.editKeeps')}
        </span>
        <Button size="sm" variant="ghost" onClick={onCancel}>
          {text('common.cancel')}
        </Button>
        {onSave !== undefined && (
          <Button size="sm" disabled={['', initial.trim()].includes(value.trim())} onClick={() => onSave(value.trim())}>
            {text('chat.saveText')}
          </Button>
        )}
        <Button size="sm" variant="primary" type="submit" disabled={!sendable}>
          {submit ?? text(onSave === undefined ? 'chat.send' : 'chat.saveAndAsk')}
        </Button>
      </div>
    </form>
  )
}
