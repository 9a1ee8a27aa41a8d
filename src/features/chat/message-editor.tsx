import {useId, useImperativeHandle, useRef, useState, type ClipboardEvent, type ReactNode, type Ref} from 'react'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useTextHeight} from '#ui/use-text-height.ts'
import {isComposing} from '#ui/is-composing.ts'
import styles from './message.module.css'
import type {EditDraft} from './use-edit-draft.ts'
import {useEditorFocus} from './use-editor-focus.ts'
import {useEditorInView} from './use-editor-in-view.ts'
import {useSendKey} from './use-send-key.ts'

type MessageEditorProps = {
  initial: string
  /** Keeps what is typed when the editor goes. */
  draft?: Omit<EditDraft, 'keep'>
  /** Why asking is impossible now: the text stays, and Send is disabled. */
  unusable: string | undefined
  /** A note about the consequence of sending; the default: later messages are replaced. */
  note?: string
  /** Name of the button that sends. */
  submit?: string
  onCancel: () => void
  onSend: (question: string) => void
  /** Keeps the text without a new answer; undefined where the server cannot. */
  onSave?: ((question: string) => void) | undefined
  isSaving?: boolean
  /** Something else of the message is changed than its text. */
  isChanged?: boolean
  /** The changed message can be saved without a new answer; asking again takes it along. */
  isSavable?: boolean
  /** Above the text: the files of the message. */
  children?: ReactNode
  /** Before the note below the text. */
  tools?: ReactNode
  onPaste?: (event: ClipboardEvent) => void
  ref?: Ref<EditorHandle>
}

/** Appends text to that of the editor. */
export type EditorHandle = {insert: (text: string) => void}

/** Edits the text of a message where it stands; sending asks again from there. */
export function MessageEditor({
  initial,
  draft,
  unusable,
  note,
  submit,
  onCancel,
  onSend,
  onSave,
  isSaving,
  isChanged = false,
  isSavable = true,
  children,
  tools,
  onPaste,
  ref,
}: MessageEditorProps) {
  const text = useText()
  const {enterKeyHint, sends} = useSendKey()
  const [draftText] = useState(() => draft?.read())
  const [value, setValue] = useState(draftText ?? initial)
  const noteId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  useTextHeight(field, value)
  useEditorFocus(field, draftText === undefined)
  useEditorInView(field)
  const change = (text: string) => {
    setValue(text)
    draft?.write(text === initial ? undefined : text)
  }
  useImperativeHandle(ref, () => ({
    insert: (addition) => change([value.trimEnd(), addition].filter(Boolean).join('\n')),
  }))
  const isEmpty = value.trim() === ''
  const isSendable = !isEmpty && unusable === undefined
  const send = () => {
    if (isSendable) onSend(value.trim())
  }
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {children}
      <textarea
        ref={field}
        className={styles.editorField}
        aria-label={text('chat.editLabel')}
        aria-describedby={isEmpty ? noteId : undefined}
        dir="auto"
        enterKeyHint={enterKeyHint}
        value={value}
        onPaste={onPaste}
        onChange={({currentTarget}) => change(currentTarget.value)}
        // before the text, where browsers put the caret; what is selected stays so
        onFocus={({currentTarget: {selectionStart, selectionEnd}, currentTarget}) => {
          if (selectionStart === selectionEnd) currentTarget.setSelectionRange(value.length, value.length)
        }}
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
      <EditorFoot
        {...{noteId, submit, onCancel, isSaving, tools, isSendable}}
        note={unusable ?? (isEmpty ? text('chat.editEmpty') : note)}
        onSave={onSave && (() => onSave(value.trim()))}
        isSavable={isSavable && !isEmpty && (isChanged || value.trim() !== initial.trim())}
      />
    </form>
  )
}

type EditorFootProps = Pick<MessageEditorProps, 'note' | 'submit' | 'isSaving' | 'tools' | 'onCancel'> & {
  noteId: string
  isSendable: boolean
  onSave: (() => void) | undefined
  isSavable: boolean
}

/** Says what sending does, or why it is impossible, beside the buttons of the editor. */
function EditorFoot({noteId, note, submit, onCancel, isSaving, tools, isSendable, onSave, isSavable}: EditorFootProps) {
  const text = useText()
  const offersSave = onSave !== undefined
  return (
    <div className={styles.editorFoot}>
      {tools !== undefined && <span className={styles.editorTools}>{tools}</span>}
      <span id={noteId} className={styles.editorNote} role="status">
        {note ?? text(offersSave ? 'chat.editKeeps' : 'chat.editNote')}
      </span>
      <Button size="sm" variant="ghost" onClick={onCancel}>
        {text('common.cancel')}
      </Button>
      {offersSave && (
        <Button size="sm" loading={isSaving === true} disabled={!isSavable} onClick={onSave}>
          {text('chat.saveText')}
        </Button>
      )}
      <Button size="sm" variant="primary" type="submit" disabled={!isSendable}>
        {submit ?? text(offersSave ? 'chat.saveAndAsk' : 'chat.send')}
      </Button>
    </div>
  )
}
