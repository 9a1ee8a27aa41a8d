import {
  Suspense,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type Ref,
} from 'react'
import {classNames} from '#ui/class-names.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {AttachIcon, SendIcon, StopIcon} from '#ui/icons.tsx'
import {Kbd} from '#ui/kbd.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useText} from '#ui/text.tsx'
import {coarsePointer, useMediaQuery} from '#ui/use-media-query.ts'
import {useTextHeight} from '#ui/use-text-height.ts'
import type {ChatPorts, Draft, UploadedReference} from './chat.context.tsx'
import styles from './composer.module.css'
import {isComposing, sendsMessage} from './inline-editor.tsx'
import type {OfferedModel} from './model-catalogue.ts'
import {noteOf} from './model-note.ts'
import {mostFiles, readyReferences, refusalOf, useUploads} from './use-uploads.ts'

const ComposerAttachments = lazyView(async () => (await import('./composer-attachments.tsx')).ComposerAttachments)

export type ComposerHandle = {
  focus: () => void
  /** Appends text to the field with the caret after it, and adds attachments. */
  insert: (text: string, references?: readonly UploadedReference[]) => void
}

export type ComposerProps = {
  /** The conversation is busy: Stop stands in the place of Send, which comes beside it for a question that waits for its turn. */
  busy: boolean
  canStop: boolean
  /** A question can be asked now. */
  canSend: boolean
  isFirst: boolean
  autoFocus?: boolean
  model: OfferedModel | undefined
  models: readonly OfferedModel[]
  draft: Draft | undefined
  /** A question that could not be sent; it returns to the field, before newer text. */
  returned?: {question: string} | undefined
  upload: ChatPorts['upload']
  onDraft: (draft: Draft | undefined) => void
  /** Returns whether the question was accepted; if not, the text stays. */
  onSend: (question: string, references: string[]) => boolean
  onStop: () => void
  onEditLast: () => void
  onChooseModel: (name: string) => void
  ref?: Ref<ComposerHandle>
}

/** The message field with its attachments and the Send or Stop button (design §10). */
export function Composer(props: ComposerProps) {
  const {busy, canStop, canSend, isFirst, model, models, draft, onDraft, onSend, onStop, onEditLast, ref} = props
  const text = useText()
  const id = useId()
  const isTouch = useMediaQuery(coarsePointer)
  const [value, setValue] = useState(draft?.text ?? '')
  const [seen, setSeen] = useState(props.returned)
  if (props.returned !== seen) {
    setSeen(props.returned)
    if (props.returned !== undefined)
      setValue([props.returned.question, value].filter((each) => each !== '').join('\n\n'))
  }
  const [dragging, setDragging] = useState(false)
  const [tooMany, setTooMany] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const uploads = useUploads(props.upload, draft?.references ?? [])
  const {attachments} = uploads
  const takes = model?.takesFiles === true || model?.takesImages === true

  useTextHeight(field, value)
  useLayoutEffect(() => {
    onDraft(
      value === '' && attachments.length === 0 ? undefined : {text: value, references: readyReferences(attachments)},
    )
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what is kept follows the text and the files, not the callback
  }, [value, attachments])
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    insert: (added, references = []) => {
      uploads.restore(references)
      const next = value === '' ? added : `${value.trimEnd()}\n${added}`
      setValue(next)
      field.current?.focus()
      requestAnimationFrame(() => field.current?.setSelectionRange(next.length, next.length))
    },
  }))

  const isUploading = attachments.some(({state}) => state === 'uploading')
  const isRefused = attachments.some((each) => each.state === 'failed' || refusalOf(each, model) !== undefined)
  const isUnavailable = model?.disabled !== undefined
  const sendable = canSend && value.trim() !== '' && !isUploading && !isRefused && !isUnavailable
  const send = () => {
    if (
      !sendable ||
      !onSend(
        value.trim(),
        readyReferences(attachments).map(({url}) => url),
      )
    )
      return
    setValue('')
    setTooMany(false)
    uploads.clear()
  }
  const add = (files: readonly File[]) => {
    setTooMany(attachments.length + files.length > mostFiles)
    uploads.add(files)
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return
    if (sendsMessage(event, isTouch)) {
      event.preventDefault()
      send()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (canStop) onStop()
      else event.currentTarget.blur()
    } else if (event.key === 'ArrowUp' && value === '' && !event.shiftKey) {
      event.preventDefault()
      onEditLast()
    }
  }
  const paste = (event: ClipboardEvent) => {
    const files = [...event.clipboardData.files]
    if (files.length === 0 || !takes) return
    event.preventDefault()
    add(files)
  }
  const drop = (event: DragEvent) => {
    setDragging(false)
    const files = [...event.dataTransfer.files]
    if (files.length === 0) return
    event.preventDefault()
    add(files)
  }
  const alternative = models.find(
    (other) => other.disabled === undefined && attachments.every((each) => refusalOf(each, other) === undefined),
  )
  const reason = isUploading
    ? text('chat.waitsForUploads')
    : tooMany
      ? text('chat.tooManyFiles', {count: mostFiles})
      : isUnavailable
        ? [noteOf(model, text), ...(alternative === undefined ? [] : [text('chat.chooseAnother')])].join(' ')
        : undefined
  return (
    <form
      className={classNames(styles.composer, dragging && styles.dragging)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setDragging(true)
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={drop}
    >
      {attachments.length > 0 && (
        <Suspense>
          <ComposerAttachments
            uploads={uploads}
            model={model}
            alternative={alternative}
            onChooseModel={props.onChooseModel}
          />
        </Suspense>
      )}
      <textarea
        ref={field}
        className={styles.field}
        aria-label={text('chat.message')}
        aria-describedby={reason === undefined ? undefined : `${id}-reason`}
        placeholder={text(isFirst ? 'chat.placeholder' : 'chat.placeholderMore')}
        dir="auto"
        rows={1}
        autoFocus={props.autoFocus === true}
        value={value}
        enterKeyHint={isTouch ? 'enter' : 'send'}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={press}
        onPaste={paste}
      />
      <div className={styles.row}>
        {takes && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              {...(model.takesFiles ? {} : {accept: 'image/*'})}
              onChange={(event) => {
                add([...(event.currentTarget.files ?? [])])
                event.currentTarget.value = ''
              }}
            />
            <IconButton
              label={text('chat.attach')}
              icon={<AttachIcon size={20} />}
              onClick={() => picker.current?.click()}
            />
          </>
        )}
        <span className={styles.hint} id={`${id}-reason`} role="status">
          {dragging ? text('chat.dropHere') : reason}
        </span>
        {busy && (
          <span className={styles.escape} aria-hidden="true">
            <Kbd keys="Esc" />
            {text('chat.toStop')}
          </span>
        )}
        {(!busy || value.trim() !== '') && (
          <button type="submit" className={styles.round} aria-label={text('chat.send')} disabled={!sendable}>
            <SendIcon size={20} />
          </button>
        )}
        {busy && (
          <button
            type="button"
            className={styles.round}
            aria-label={text('chat.stop')}
            disabled={!canStop}
            onClick={(event) => {
              // the second click of a double click on Send must not stop the answer
              if (event.detail <= 1) onStop()
            }}
          >
            <StopIcon size={14} />
          </button>
        )}
      </div>
    </form>
  )
}
