import {useSelector} from '@xstate/react'
import {Suspense, useRef, useState, type DragEvent, type ReactNode} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import {messageText, type QuestionContent, type RecordMessage} from '#domain/conversation.ts'
import {editKeys} from '#domain/edit-keys.ts'
import {askOf} from '#domain/exchange.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectIsSettled} from '#machines/conversation/conversation.selectors.ts'
import {useText} from '#ui/text.tsx'
import {AttachButton} from './attach-button.tsx'
import {useChat} from './chat.context.tsx'
import {ComposerAttachments} from './composer-attachments.tsx'
import {MessageEditor, type EditorHandle} from './message-editor.tsx'
import styles from './message.module.css'
import {referencesOf} from './references-of.ts'
import {useChatModels} from './use-chat-models.ts'
import type {EditDraft} from './use-edit-draft.ts'
import {useEditedFiles} from './use-edited-files.ts'
import {takingFiles} from './use-files.ts'

type QuestionEditorProps = {
  actor: ConversationActor
  group: ModelGroup
  /** Position of the message. */
  index: number
  message: RecordMessage
  draft: EditDraft
  /** Why asking is impossible now. */
  unusable: string | undefined
  onCancel: () => void
  onSend: (content: QuestionContent) => void
  /** Keeps text and files without a new answer; undefined where the server cannot. `references`: where changed. */
  onSave: ((question: string, references: string[] | undefined) => void) | undefined
  isSaving: boolean
}

/**
 * Edits a sent question where it stands: its text and its files, which come and are refused as those of the message
 * field. It stays while another tab's question is answered, and saves nothing until then.
 */
export function QuestionEditor(props: QuestionEditorProps) {
  const {actor, group, index, message, draft, unusable, onCancel, onSend, onSave, isSaving} = props
  const text = useText()
  const {actors} = useChat()
  const editor = useRef<EditorHandle>(null)
  const {chosen: model, offered, choose} = useChatModels(actors, group, actor)
  const [initial] = useState(() => referencesOf(askOf(message, ''), text('chat.file')))
  const [keys] = useState(() => {
    const {key, messages} = actor.getSnapshot().context
    return editKeys(key, messages, index)
  })
  const files = useEditedFiles(message, keys, draft, initial)
  const {uploads} = files
  const savesFiles = useSelector(actor, ({context}) => context.capabilities.includes('edit-files'))
  const {add, paste} = takingFiles(files, model)
  const isSettled = useSelector(actor, selectIsSettled)
  const takes = model?.takesFiles === true || model?.takesImages === true
  const isHeld = (answerer: typeof model) => files.isOpening() || uploads?.holds(answerer) === true
  const send = (text: string) => {
    if (isHeld(model)) return files.press()
    onSend(files.messageFor(text, model))
  }
  /** Saving alone needs no model that takes the files. */
  const save = (text: string) => {
    if (isHeld(undefined)) return files.press()
    const {question, references} = files.messageFor(text, model)
    onSave?.(question, files.isChanged ? references : undefined)
  }
  return (
    <DropArea onFiles={add} onChange={uploads?.edit}>
      <MessageEditor
        ref={editor}
        initial={messageText(message.content)}
        draft={files.draft}
        unusable={isSettled ? unusable : text('chat.editWaits')}
        onCancel={onCancel}
        onSend={send}
        onSave={onSave && save}
        isSaving={isSaving}
        isChanged={files.isChanged}
        isSavable={isSettled && (savesFiles || !files.isChanged)}
        onPaste={paste}
        tools={takes ? <AttachButton takesFiles={model.takesFiles} onFiles={add} /> : undefined}
      >
        {(uploads !== undefined || files.isOpening()) && (
          <Suspense>
            <ComposerAttachments
              isTied
              isSaved={onSave !== undefined}
              uploads={uploads}
              draftKey={files.key}
              model={model}
              models={offered}
              onChooseModel={choose}
              onPasteText={(addition) => editor.current?.insert(addition)}
            />
          </Suspense>
        )}
      </MessageEditor>
    </DropArea>
  )
}

type DropAreaProps = {
  onFiles: (files: FileList, entries: (FileSystemEntry | null)[]) => void
  onChange: (() => void) | undefined
  children: ReactNode
}

/** Takes files that are dropped over the editor, which the message field would take otherwise. */
function DropArea({onFiles, onChange, children}: DropAreaProps) {
  const [isDragging, setIsDragging] = useState(false)
  const over = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsDragging(true)
  }
  const leave = ({currentTarget, relatedTarget}: DragEvent) => {
    if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setIsDragging(false)
  }
  const drop = (event: DragEvent) => {
    setIsDragging(false)
    const {files, items} = event.dataTransfer
    if (files.length === 0) return
    event.preventDefault()
    onFiles(
      files,
      [...items].map((item) => item.webkitGetAsEntry()),
    )
  }
  return (
    <div
      className={styles.editorBox}
      data-dragging={isDragging || undefined}
      onChange={onChange}
      onDragOver={over}
      onDragLeave={leave}
      onDrop={drop}
    >
      {children}
    </div>
  )
}
