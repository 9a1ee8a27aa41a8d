import {useSelector} from '@xstate/react'
import {
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
  useState,
  type AriaAttributes,
  type KeyboardEvent,
  type Ref,
} from 'react'
import type {SavedPrompt} from '#contract/prompts.ts'
import {fuzzyRank} from '#domain/fuzzy-rank.ts'
import {promptFields} from '#domain/prompt-fields.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import type {SavedPromptsActor} from '#machines/saved-prompts/saved-prompts.machine.ts'
import {useOptions, type Options} from '#ui/options/use-options.ts'
import {useText} from '#ui/text.tsx'
import {useChat} from './chat.context.tsx'
import {PromptFieldsDialog} from './prompt-fields-dialog.tsx'
import styles from './prompts.module.css'
import {usePrompts} from './use-prompts.ts'
import {useThreadFailure} from './use-thread-failure.ts'

export type PromptMenuHandle = {
  /** Takes a key of the message field; `true`: the list's; `unknown`: Enter, while the list is not there yet. */
  press: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean | 'unknown'
}

type PromptMenuProps = {
  /** The text after the slash. */
  query: string
  /** Enter was pressed before the list was there. */
  isEnterWaiting: boolean
  /** The list is there; `isForList`: it took that Enter. */
  onEnter: (isForList: boolean) => void
  /**
   * Tells the field about the list: where it is, and the option that the keys have reached. A text field of several
   * lines has no `aria-expanded`; that the list is named says that it is there.
   */
  onList: (attributes: AriaAttributes | undefined) => void
  onInsert: (text: string) => void
  ref?: Ref<PromptMenuHandle>
}

/**
 * The saved prompts above the message field, while it holds a slash and a name. Nothing where none are offered, and
 * below a sentence that is in no name.
 */
export function PromptMenu(props: PromptMenuProps) {
  const {failure} = useThreadFailure()
  const prompts = usePrompts()
  return prompts === undefined || failure !== undefined ? (
    <NoPrompts {...props} />
  ) : (
    <PromptList prompts={prompts} {...props} />
  )
}

/** Acts on the Enter that waited for the list, once it is known what that has. */
function useWaitingEnter(isReady: boolean, act: () => void) {
  const release = useEffectEvent(act)
  useEffect(() => {
    if (isReady) release()
  }, [isReady])
}

/** Leaves every key to the message field. */
function NoPrompts({ref, isEnterWaiting, onEnter}: PromptMenuProps) {
  useImperativeHandle(ref, () => ({press: () => false}))
  useWaitingEnter(isEnterWaiting, () => onEnter(false))
  return null
}

const none: readonly SavedPrompt[] = []

const matching = (prompts: readonly SavedPrompt[], query: string) =>
  prompts
    .flatMap((prompt) => {
      const rank = fuzzyRank(prompt.name, query)
      return rank === undefined ? [] : [{prompt, rank}]
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({prompt}) => prompt)

/** Without a network nothing is loaded, and no key waits for it. */
function useIsOnline(): boolean {
  const {actors} = useChat()
  const environment = actors?.conversations.getSnapshot().context.environment
  return useSelector(environment, (snapshot) => snapshot === undefined || selectIsOnline(snapshot))
}

type PromptListProps = PromptMenuProps & {prompts: SavedPromptsActor | 'opening'}

function PromptList({prompts, query, isEnterWaiting, onEnter, onList, onInsert, ref}: PromptListProps) {
  const actor = prompts === 'opening' ? undefined : prompts
  const all = useSelector(actor, (snapshot) => snapshot?.context.prompts ?? none)
  const isOnline = useIsOnline()
  const isMissing = useSelector(actor, (snapshot) => snapshot === undefined || snapshot.matches({server: 'loading'}))
  const isLoading = isMissing && isOnline
  const hasFailed = useSelector(actor, (snapshot) => snapshot?.matches({server: 'failed'}) === true)
  const [filling, setFilling] = useState<SavedPrompt>()
  /** The text after the slash when Escape closed the list: it stays closed until that changes. */
  const [closedAt, setClosedAt] = useState<string>()
  if (closedAt !== undefined && closedAt !== query) setClosedAt(undefined)
  const shownPrompts = matching(all, query)
  const isSentence = /\s/.test(query) && shownPrompts.length === 0 && !isLoading
  const isOpen = closedAt !== query && !isSentence
  const ids = shownPrompts.map(({id}) => id)
  const options = useOptions(ids, {})
  const {listId, currentId} = options
  const active = shownPrompts.find(({id}) => id === options.current)

  useLayoutEffect(() => {
    if (!isOpen) return
    onList({'aria-autocomplete': 'list', 'aria-controls': listId, 'aria-activedescendant': currentId})
    return () => onList(undefined)
  }, [onList, isOpen, listId, currentId])
  const choose = (prompt: SavedPrompt) =>
    promptFields(prompt.text).length === 0 ? onInsert(prompt.text) : setFilling(prompt)
  useImperativeHandle(ref, () => ({
    press(event) {
      if (!isOpen) return false
      if (event.key === 'Escape') {
        event.preventDefault()
        setClosedAt(query)
        return true
      }
      if (event.key !== 'Enter' && event.key !== 'Tab') return options.press(event)
      // what is meant is not known yet
      if (active === undefined && isLoading && event.key === 'Enter') return 'unknown'
      if (active === undefined && !isLoading) return false
      event.preventDefault()
      if (active !== undefined) choose(active)
      return true
    },
  }))
  // where the list failed, that is said, and a second Enter sends; beside a sentence nothing is said, and the first does
  useWaitingEnter(isEnterWaiting && (active !== undefined || !isLoading), () => {
    if (active !== undefined) choose(active)
    onEnter(active !== undefined || (hasFailed && isOpen))
  })
  if (!isOpen) return null
  return (
    <div className={styles.menu}>
      {shownPrompts.length === 0 && (
        <NothingShown isMissing={isMissing} {...{isLoading, hasFailed}} isEmpty={all.length === 0} />
      )}
      <PromptOptions options={options} prompts={shownPrompts} onChoose={choose} />
      {filling !== undefined && (
        <PromptFieldsDialog prompt={filling} onInsert={onInsert} onClose={() => setFilling(undefined)} />
      )}
    </div>
  )
}

type PromptOptionsProps = {
  options: Options
  prompts: readonly SavedPrompt[]
  onChoose: (prompt: SavedPrompt) => void
}

/** The names and beginnings of prompts; the active one is the one that Enter inserts. */
function PromptOptions({options, prompts, onChoose}: PromptOptionsProps) {
  const text = useText()
  return (
    <ul id={options.listId} role="listbox" aria-label={text('chat.prompts')} className={styles.options}>
      {prompts.map((prompt) => (
        <li
          key={prompt.id}
          {...options.named(prompt.id)}
          {...options.pointed(prompt.id)}
          role="option"
          aria-selected={prompt.id === options.current}
          className={styles.option}
          onClick={() => onChoose(prompt)}
        >
          <bdi className={styles.name}>{prompt.name}</bdi>
          <span className={styles.preview} dir="auto">
            {prompt.text}
          </span>
        </li>
      ))}
    </ul>
  )
}

type NothingShownProps = {isMissing: boolean; isLoading: boolean; hasFailed: boolean; isEmpty: boolean}

/** Says why no prompt is listed; a user who has none is led to the page where they are written. */
function NothingShown({isMissing, isLoading, hasFailed, isEmpty}: NothingShownProps) {
  const text = useText()
  const {openSettings} = useChat()
  const words = isLoading
    ? 'common.loading'
    : isMissing
      ? 'index.offline'
      : hasFailed
        ? 'chat.promptsFailed'
        : isEmpty
          ? undefined
          : 'chat.promptsNone'
  return (
    <p className={styles.note} role="status">
      {words === undefined ? (
        <button type="button" className={styles.noteButton} onClick={() => openSettings('chat')}>
          {text('chat.promptsEmpty')}
        </button>
      ) : (
        text(words)
      )}
    </p>
  )
}
