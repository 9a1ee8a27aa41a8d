import {Suspense, useId, useLayoutEffect, useState, type Ref} from 'react'
import type {QuestionContent} from '#domain/conversation.ts'
import {classNames} from '#ui/class-names.ts'
import {partView} from '#ui/use-lazy.ts'
import {useText} from '#ui/text.tsx'
import {coarsePointer} from '#ui/use-media-query.ts'
import {AttachButton} from './attach-button.tsx'
import type {ChatPorts} from './chat.context.tsx'
import styles from './composer.module.css'
import type {Draft} from './draft.types.ts'
import type {Uploads} from './draft-uploads.ts'
import {loadViews} from './load-views.ts'
import {MessageField, useMessage, type MessageHandle} from './message-field.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import {reasonOf} from './model-note.ts'
import {SendButtons} from './send-buttons.tsx'
import {takingFiles, useFiles, useFilesOfPage} from './use-files.ts'
import {useSendKey} from './use-send-key.ts'

const ComposerHint = partView(loadViews, (views) => views.ComposerHint)
const hintOf = (of: 'send' | 'stop' | 'drop') => (
  <Suspense>
    <ComposerHint of={of} />
  </Suspense>
)
const ComposerAttachments = partView(loadViews, (views) => views.ComposerAttachments)

export type ComposerHandle = MessageHandle

export type ComposerProps = {
  /** The conversation is busy: Stop replaces Send, which comes beside it for a question that waits for its turn. */
  busy: boolean
  canStop: boolean
  /** A question can be asked now. */
  canSend: boolean
  isFirst: boolean
  autoFocus?: boolean
  model: OfferedModel | undefined
  models: readonly OfferedModel[]
  draftKey: string
  draft: Draft | undefined
  /** A question that could not be sent; it returns to the field, before newer text. */
  returned?: {question: string} | undefined
  files: ChatPorts['files']
  onDraft: (draft: Draft | undefined) => void
  /** Returns whether the question was accepted; if not, the text stays. */
  onSend: (content: QuestionContent) => boolean
  onStop: () => void
  onEditLast: () => void
  onChooseModel: (name: string) => void
  ref?: Ref<ComposerHandle>
}

const none: Draft['references'] = []

/** Calls `onSent` when the files of the field have gone: sent, or taken to another chat. Lost ones leave the text. */
function useFilesSent(uploads: Uploads | undefined, onSent: () => void) {
  const [lastUploads, setLastUploads] = useState(uploads)
  if (lastUploads === uploads) return
  setLastUploads(uploads)
  if (uploads === undefined && lastUploads?.isLost() === false) onSent()
}

/** Keeps the text and the files as the draft. */
function useKeptDraft(text: string, files: ReturnType<typeof useFiles>, onDraft: ComposerProps['onDraft']) {
  const {attachments} = files
  useLayoutEffect(() => {
    const isEmpty = text === '' && attachments.length === 0 && !files.isOpening()
    onDraft(isEmpty ? undefined : {text, references: files.references()})
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the kept draft follows text and files, not the callback
  }, [text, attachments])
}

/** A view that has the focus, or is open over the page, takes what is pasted into it. */
const otherTakers = '[role="dialog"], input:focus, textarea:focus'

/** Why the model answers nothing now, and that another one does. */
function useReasonAgainst(model: OfferedModel | undefined, models: readonly OfferedModel[]): string | undefined {
  const text = useText()
  if (model?.disabled === undefined) return undefined
  const canChoose = models.some(({disabled}) => disabled === undefined)
  return [reasonOf(model.disabled, text), canChoose && text('chat.chooseAnother')].filter(Boolean).join(' ')
}

const isTouch = () => matchMedia(coarsePointer).matches

/** Further presses of a double click on Send find a thread where the button stood: they select and focus nothing. */
const endPress = (event: MouseEvent) => {
  if (event.detail > 1) event.preventDefault()
  else removeEventListener('mousedown', endPress)
}

type HintsProps = {id: string; isDragging: boolean; reason: string | undefined; busy: boolean; hasText: boolean}

/** In the composer's foot: that files may be dropped, or why the model answers nothing, and the keys of its buttons. */
function Hints({id, isDragging, reason, busy, hasText}: HintsProps) {
  const {isModified} = useSendKey()
  return (
    <>
      <span className={styles.hint} id={id} role="status">
        {isDragging ? hintOf('drop') : reason}
      </span>
      {(busy || (isModified && hasText)) && hintOf(busy ? 'stop' : 'send')}
    </>
  )
}

/** The message field with its attachments and the Send or Stop button (design §10). */
export function Composer(props: ComposerProps) {
  const {busy, canStop, model, models, draft, onStop} = props
  const reasonId = useId()
  const message = useMessage(props.draftKey, draft, props.returned, props.ref)
  const [dragging, setDragging] = useState(false)
  const files = useFiles(props.files, props.draftKey, draft?.references ?? none)
  const {uploads} = files
  useFilesSent(uploads, () => message.write(''))
  useKeptDraft(message.text, files, props.onDraft)
  const {add, paste} = takingFiles(files, model)
  useFilesOfPage(setDragging, add, (event) => {
    const isInField = event.target === message.field.current
    if (isInField || document.querySelector(otherTakers) === null) paste(event, isInField)
  })
  const reason = useReasonAgainst(model, models)

  const takes = model?.takesFiles === true || model?.takesImages === true
  const question = message.text.trim()
  const isHeld = () => files.isOpening() || uploads?.holds(model) === true
  const sendable = props.canSend && question !== '' && model?.disabled === undefined
  /** The button that was pressed goes with its focus; on touch the field would bring up the keyboard. */
  const focusField = () => {
    if (!isTouch()) message.field.current?.focus()
  }
  const send = () => {
    if (isHeld()) return files.press()
    const content = uploads?.messageFor(question, model) ?? {question, references: []}
    if (!sendable || !props.onSend(content)) return
    message.write('')
    uploads?.close()
    focusField()
    // a tap beside the field takes its focus, and the keyboard with it
    if (!isTouch()) addEventListener('mousedown', endPress)
  }
  return (
    <form
      data-composer
      onChange={uploads?.edit}
      className={classNames(styles.composer, dragging && styles.dragging)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {(uploads !== undefined || files.isOpening()) && (
        <Suspense>
          <ComposerAttachments
            uploads={uploads}
            draftKey={props.draftKey}
            model={model}
            models={models}
            onChooseModel={props.onChooseModel}
            onPasteText={message.insert}
          />
        </Suspense>
      )}
      <MessageField
        message={message}
        isFirst={props.isFirst}
        autoFocus={props.autoFocus === true}
        describedBy={reason === undefined ? undefined : reasonId}
        onSend={send}
        onStop={canStop ? onStop : undefined}
        onEditLast={props.onEditLast}
      />
      <div
        className={styles.row}
        onMouseDown={(event) => {
          // beside its buttons, or on one that does nothing now; the page would take the focus
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          focusField()
        }}
      >
        {takes && <AttachButton takesFiles={model.takesFiles} onFiles={add} />}
        <Hints id={reasonId} isDragging={dragging} reason={reason} busy={busy} hasText={message.text !== ''} />
        <SendButtons
          busy={busy}
          canStop={canStop}
          hasText={question !== ''}
          sendable={sendable}
          isHeld={isHeld()}
          onStop={() => {
            onStop()
            focusField()
          }}
          onLeave={focusField}
        />
      </div>
    </form>
  )
}
