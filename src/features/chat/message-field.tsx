import {
  Suspense,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type AriaAttributes,
  type KeyboardEvent,
  type Ref,
  type RefObject,
} from 'react'
import {isComposing} from '#ui/is-composing.ts'
import {useText} from '#ui/text.tsx'
import {partView} from '#ui/use-lazy.ts'
import {useTextHeight} from '#ui/use-text-height.ts'
import {useChat} from './chat.context.tsx'
import styles from './composer.module.css'
import {loadViews} from './load-views.ts'
import type {PromptMenuHandle} from './prompt-menu.tsx'
import {useSendKey} from './use-send-key.ts'

export type MessageHandle = {
  focus: () => void
  /** Appends text to the field with the caret after it, where the field takes the focus. */
  insert: (text: string, takesFocus?: boolean) => void
}

const PromptMenu = partView(loadViews, (views) => views.PromptMenu)

/** May begin with the name of a saved prompt, which may have spaces; a path is none. */
const slash = /^\/([^\n/]*)$/

/**
 * The text of the field: the draft at first, and what another tab made of it; a question that could not be sent comes
 * back before newer text.
 */
function useMessageText(
  draftKey: string,
  draft: {text: string} | undefined,
  returnedQuestion: {question: string} | undefined,
) {
  const {drafts} = useChat()
  const news = useSyncExternalStore(drafts.heard.subscribe, drafts.heard.get)
  const [value, setValue] = useState(draft?.text ?? '')
  const [lastNews, setLastNews] = useState(news)
  if (news !== lastNews) {
    setLastNews(news)
    if (news?.keys.includes(draftKey)) setValue(news.draft?.text ?? '')
  }
  useEffect(() => {
    const look = () => drafts.look(draftKey)
    addEventListener('focus', look)
    const endNews = drafts.subscribe(look)
    return () => {
      removeEventListener('focus', look)
      endNews()
    }
  }, [drafts, draftKey])
  const [lastReturned, setLastReturned] = useState(returnedQuestion)
  if (returnedQuestion !== lastReturned) {
    setLastReturned(returnedQuestion)
    if (returnedQuestion !== undefined)
      setValue([returnedQuestion.question, value].filter((each) => each !== '').join('\n\n'))
  }
  return [value, setValue] as const
}

/** The caret, or the selection, of a field with the focus, which another one replaces in the same moment. */
let replacedCaret: {text: string; from: number; to: number} | undefined

/** The caret goes over from a field with the same text that had the focus, else to the end. */
function useCaret(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    const {current} = field
    const {from, to} = replacedCaret?.text === text ? replacedCaret : {from: text.length, to: text.length}
    replacedCaret = undefined
    // browsers put the caret before a text that is there when the field gets the focus
    if (document.activeElement === current) current?.setSelectionRange(from, to)
    return () => {
      if (current === null || document.activeElement !== current) return
      replacedCaret = {text: current.value, from: current.selectionStart, to: current.selectionEnd}
      queueMicrotask(() => (replacedCaret = undefined))
    }
    // eslint-disable-next-line react-hooks/exhaustive-deps -- once, for the draft
  }, [])
}

/** The unsent message: its text, the field that it stands in, and how others write into it. */
export function useMessage(
  draftKey: string,
  draft: {text: string} | undefined,
  returnedQuestion: {question: string} | undefined,
  ref: Ref<MessageHandle> | undefined,
) {
  const [text, write] = useMessageText(draftKey, draft, returnedQuestion)
  const field = useRef<HTMLTextAreaElement>(null)
  useTextHeight(field, text)
  useCaret(field, text)
  /** The caret comes behind the new text. */
  const replace = (next: string, takesFocus = true) => {
    write(next)
    if (!takesFocus) return
    field.current?.focus()
    requestAnimationFrame(() => field.current?.setSelectionRange(next.length, next.length))
  }
  const insert = (addition: string, takesFocus?: boolean) =>
    replace(text === '' ? addition : `${text.trimEnd()}\n${addition}`, takesFocus)
  useImperativeHandle(ref, () => ({focus: () => field.current?.focus(), insert}))
  return {text, field, write, replace, insert}
}

type MessageFieldProps = {
  message: ReturnType<typeof useMessage>
  isFirst: boolean
  autoFocus: boolean
  describedBy: string | undefined
  onSend: () => void
  /** Undefined while there is nothing to stop. */
  onStop: (() => void) | undefined
  onEditLast: () => void
}

/** The field for the message, with its keys, and the list of saved prompts while their name is typed. */
export function MessageField(props: MessageFieldProps) {
  const {message, isFirst, autoFocus, describedBy, onSend, onStop, onEditLast} = props
  const text = useText()
  const {enterKeyHint, sends} = useSendKey()
  const menu = useRef<PromptMenuHandle>(null)
  const [list, setList] = useState<AriaAttributes>()
  /** Enter was pressed behind this text, which may name a saved prompt; their list is not there yet. */
  const [waitingEnter, setWaitingEnter] = useState<{text: string; isToSend: boolean}>()
  if (waitingEnter !== undefined && waitingEnter.text !== message.text) setWaitingEnter(undefined)
  const promptName = slash.exec(message.text)?.[1]
  const endWait = (isForList: boolean) => {
    setWaitingEnter(undefined)
    if (isForList) return
    if (waitingEnter?.isToSend === true) onSend()
    else message.insert('')
  }
  const press = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (isComposing(event)) return
    setWaitingEnter(undefined)
    const isTaken = menu.current === null ? promptName !== undefined && 'unknown' : menu.current.press(event)
    if (isTaken === true) return
    if (event.key === 'Enter' && isTaken === 'unknown') {
      event.preventDefault()
      setWaitingEnter({text: message.text, isToSend: sends(event)})
    } else if (sends(event)) {
      event.preventDefault()
      onSend()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      if (onStop === undefined) event.currentTarget.blur()
      else onStop()
    } else if (event.key === 'ArrowUp' && message.text === '' && !event.shiftKey) {
      event.preventDefault()
      onEditLast()
    }
  }
  return (
    <>
      {promptName !== undefined && (
        <Suspense>
          <PromptMenu
            ref={menu}
            query={promptName}
            isEnterWaiting={waitingEnter !== undefined}
            onEnter={endWait}
            onList={setList}
            onInsert={message.replace}
          />
        </Suspense>
      )}
      <textarea
        ref={message.field}
        {...list}
        className={styles.field}
        aria-label={text('chat.message')}
        aria-describedby={describedBy}
        placeholder={text(isFirst ? 'chat.placeholder' : 'chat.placeholderMore')}
        dir="auto"
        rows={1}
        autoFocus={autoFocus}
        value={message.text}
        enterKeyHint={enterKeyHint}
        onChange={(event) => message.write(event.currentTarget.value)}
        onKeyDown={press}
        onBlur={() => setWaitingEnter(undefined)}
      />
    </>
  )
}
