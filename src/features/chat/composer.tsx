import {
  Suspense,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type AriaAttributes,
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
} from 'react'
import {classNames} from '#ui/class-names.ts'
import {isComposing} from '#ui/is-composing.ts'
import {lazyView} from '#ui/use-lazy.ts'
import {useText} from '#ui/text.tsx'
import {useTextHeight} from '#ui/use-text-height.ts'
import {AttachButton} from './attach-button.tsx'
import type {ChatPorts} from './chat.context.tsx'
import styles from './composer.module.css'
import type {Draft} from './draft.types.ts'
import {loadViews} from './load-views.ts'
import type {OfferedModel} from './model-catalogue.ts'
import {reasonOf} from './model-note.ts'
import {pastedAs} from './pasted-as.ts'
import type {PromptMenuHandle} from './prompt-menu.tsx'
import {SendButtons} from './send-buttons.tsx'
import {useFileDrop, useFiles} from './use-files.ts'
import {useSendKey} from './use-send-key.ts'

const PromptMenu = lazyView(async () => (await loadViews()).PromptMenu)
const ComposerHint = lazyView(async () => (await loadViews()).ComposerHint)
const ComposerAttachments = lazyView(async () => (await loadViews()).ComposerAttachments)

export type ComposerHandle = {
  focus: () => void
  /** Appends text to the field with the caret after it. */
  insert: (text: string) => void
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
  draftKey: string
  draft: Draft | undefined
  /** A question that could not be sent; it returns to the field, before newer text. */
  returned?: {question: string} | undefined
  files: ChatPorts['files']
  onDraft: (draft: Draft | undefined) => void
  /** Returns whether the question was accepted; if not, the text stays. */
  onSend: (question: string, references: string[]) => boolean
  onStop: () => void
  onEditLast: () => void
  onChooseModel: (name: string) => void
  ref?: Ref<ComposerHandle>
}

const none: Draft['references'] = []

/** Begins with the name of a saved prompt; a path or a sentence is none. */
const slash = /^\/([^\s/]*)$/

/** The text of the field: the draft at first; a question that could not be sent comes back before newer text. */
function useMessageText(draft: Draft | undefined, returned: ComposerProps['returned']) {
  const [value, setValue] = useState(draft?.text ?? '')
  const [seen, setSeen] = useState(returned)
  if (returned !== seen) {
    setSeen(returned)
    if (returned !== undefined) setValue([returned.question, value].filter((each) => each !== '').join('\n\n'))
  }
  return [value, setValue] as const
}

/** Calls `onSent` when the files of the field have gone: sent, or taken along to another chat. */
function useFilesSent(uploads: object | undefined, onSent: () => void) {
  const [lastUploads, setLastUploads] = useState(uploads)
  if (lastUploads === uploads) return
  setLastUploads(uploads)
  if (uploads === undefined) onSent()
}

/** How files come into the field: chosen or dropped, and pasted. */
function takingFiles(files: ReturnType<typeof useFiles>, model: OfferedModel | undefined) {
  const add = (given: FileList | null, entries?: (FileSystemEntry | null)[]) => {
    // the browser empties both when the event is over
    const taken = [...(given ?? [])]
    files.use((made) => made.add(taken, entries))
  }
  const paste = (event: ClipboardEvent) => {
    const {clipboardData} = event
    const pasted = clipboardData.getData('text')
    const as = pastedAs(clipboardData, pasted, model)
    if (as === undefined) return
    if (as === 'files') add(clipboardData.files)
    else files.use((made) => made.addText(pasted))
    event.preventDefault()
  }
  return {add, paste}
}

/** Why the model answers nothing now, and that another one does. */
function useReasonAgainst(model: OfferedModel | undefined, models: readonly OfferedModel[]): string | undefined {
  const text = useText()
  if (model?.disabled === undefined) return undefined
  const canChoose = models.some(({disabled}) => disabled === undefined)
  return [reasonOf(model.disabled, text), canChoose && text('chat.chooseAnother')].filter(Boolean).join(' ')
}

/** The message field with its attachments and the Send or Stop button (design §10). */
export function Composer(props: ComposerProps) {
  const {busy, canStop, canSend, isFirst, model, models, draft, onDraft, onSend, onStop, onEditLast, ref} = props
  const text = useText()
  const id = useId()
  const {enterKeyHint, isModified, sends} = useSendKey()
  const [value, setValue] = useMessageText(draft, props.returned)
  const [dragging, setDragging] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const menu = useRef<PromptMenuHandle>(null)
  const [list, setList] = useState<AriaAttributes>()
  const files = useFiles(props.files, props.draftKey, draft?.references ?? none)
  const {uploads, attachments} = files
  useFilesSent(uploads, () => setValue(''))
  const takes = model?.takesFiles === true || model?.takesImages === true

  const promptName = slash.exec(value)?.[1]
  useTextHeight(field, value)
  useLayoutEffect(() => {
    // browsers put the caret before a text that is there when the field gets the focus
    if (document.activeElement === field.current) field.current?.setSelectionRange(value.length, value.length)
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, for the draft
  }, [])
  useLayoutEffect(() => {
    onDraft(
      value === '' && attachments.length === 0 && !files.isOpening
        ? undefined
        : {text: value, references: files.references()},
    )
    // eslint-disable-next-line react-hooks/exhaustive-deps -- what is kept follows the text and the files, not the callback
  }, [value, attachments])
  const replace = (next: string) => {
    setValue(next)
    field.current?.focus()
    requestAnimationFrame(() => field.current?.setSelectionRange(next.length, next.length))
  }
  const insert = (added: string) => replace(value === '' ? added : `${value.trimEnd()}\n${added}`)
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus(),
    insert,
  }))

  const isHeld = files.isOpening || uploads?.holds(model) === true
  const isUnavailable = model?.disabled !== undefined
  const sendable = canSend && value.trim() !== '' && !isUnavailable
  const send = () => {
    if (isHeld) return uploads?.press()
    if (
      !sendable ||
      !onSend(
        value.trim(),
        files.references().map(({url}) => url),
      )
    )
      return
    setValue('')
    uploads?.close()
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event) || menu.current?.press(event) === true) return
    // the name of a saved prompt, perhaps, whose list is not there yet
    const isHeldName = menu.current === null && promptName !== undefined
    if (event.key === 'Enter' && isHeldName) event.preventDefault()
    else if (sends(event)) {
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
  const {add, paste} = takingFiles(files, model)
  useFileDrop(setDragging, add)
  const reason = useReasonAgainst(model, models)
  return (
    <form
      data-composer
      className={classNames(styles.composer, dragging && styles.dragging)}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {uploads !== undefined && (
        <Suspense>
          <ComposerAttachments
            uploads={uploads}
            draftKey={props.draftKey}
            model={model}
            models={models}
            onChooseModel={props.onChooseModel}
            onPasteText={insert}
          />
        </Suspense>
      )}
      {promptName !== undefined && (
        <Suspense>
          <PromptMenu ref={menu} query={promptName} onList={setList} onInsert={replace} />
        </Suspense>
      )}
      <textarea
        ref={field}
        {...list}
        className={styles.field}
        aria-label={text('chat.message')}
        aria-describedby={reason === undefined ? undefined : `${id}-reason`}
        placeholder={text(isFirst ? 'chat.placeholder' : 'chat.placeholderMore')}
        dir="auto"
        rows={1}
        autoFocus={props.autoFocus === true}
        value={value}
        enterKeyHint={enterKeyHint}
        onChange={(event) => setValue(event.currentTarget.value)}
        onKeyDown={press}
        onPaste={paste}
      />
      <div className={styles.row}>
        {takes && <AttachButton takesFiles={model.takesFiles} onFiles={add} />}
        <span className={styles.hint} id={`${id}-reason`} role="status">
          {dragging ? (
            <Suspense>
              <ComposerHint of="drop" />
            </Suspense>
          ) : (
            reason
          )}
        </span>
        {(busy || (isModified && value !== '')) && (
          <Suspense>
            <ComposerHint of={busy ? 'stop' : 'send'} />
          </Suspense>
        )}
        <SendButtons
          busy={busy}
          canStop={canStop}
          hasText={value.trim() !== ''}
          sendable={sendable}
          isHeld={isHeld}
          onStop={onStop}
        />
      </div>
    </form>
  )
}
