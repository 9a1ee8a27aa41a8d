import {useActorRef, useSelector} from '@xstate/react'
import {
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useReducer,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
} from 'react'
import type {ModelGroup} from '#contract/models.ts'
import {stays} from '#domain/conversation.ts'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectMessages} from '#machines/conversation/conversation.selectors.ts'
import {readingMachine} from '#machines/reading/reading.machine.ts'
import {useText} from '#ui/text.tsx'
import {useCopy} from '#ui/use-copy.ts'
import {phone, useMediaQuery} from '#ui/use-media-query.ts'
import {useChat} from './chat.context.tsx'
import {FindBar} from './find-bar.tsx'
import {lastAnswer} from './last-answer.ts'
import {Outline} from './question-outline.tsx'
import styles from './reading.module.css'
import {ThreadMenu} from './thread-menu.tsx'
import type {ThreadHandle} from './thread-view.tsx'
import {repeatedQuery} from './use-matches.ts'
import {useThreadKeys} from './use-thread-keys.ts'

/** The dialogs that the menu of a thread opens, and what opens each; undefined where there is nothing to open. */
function useThreadDialogs(actor: ConversationActor, group: ModelGroup) {
  const {InstructionsDialog, ShareDialog, WhatHappened} = useChat()
  /** A number: what happened to the answer at this position. */
  const [dialog, setDialog] = useState<'instructions' | 'share' | number>()
  const close = useCallback(() => setDialog(undefined), [])
  const isPhone = useMediaQuery(phone)
  const id = useSelector(actor, ({context}) => context.id)
  const capabilities = useSelector(actor, ({context}) => context.capabilities)
  const isRunning = useSelector(actor, ({context}) => context.exchange !== undefined)
  // a conversation that the server does not have yet got its own with the question
  const hasInstructions = id !== undefined && capabilities.includes('preset')
  const dialogs = (
    <Suspense>
      {dialog === 'share' && ShareDialog !== undefined && id !== undefined && (
        <ShareDialog conversation={id} onClose={close} />
      )}
      {dialog === 'instructions' && hasInstructions && (
        <InstructionsDialog conversation={id} group={group} onClose={close} />
      )}
      {typeof dialog === 'number' && <WhatHappened index={dialog} onClose={close} />}
    </Suspense>
  )
  return {
    dialogs,
    onInstructions: hasInstructions ? () => setDialog('instructions') : undefined,
    // an answer that has ended has it in a menu of its own
    onFlow: isRunning ? () => setDialog(selectMessages(actor.getSnapshot()).length) : undefined,
    onShare: ShareDialog === undefined || id === undefined || !isPhone ? undefined : () => setDialog('share'),
  }
}

/** Keys, menu and panels for the reader of a thread. `panel` stands over its messages. */
export function useReading(
  actor: ConversationActor,
  group: ModelGroup,
  view: RefObject<ThreadHandle | null>,
): {
  panel: {panel: ReactNode; isFinding: boolean; isOutlining: boolean}
  /** Opens the field at a hit of the list's search, if the conversation has its words several times. */
  followHit: (query: string, row: number) => boolean
} {
  const text = useText()
  const copying = useCopy()
  const outcome = copying.result?.outcome
  const {dialogs, ...opening} = useThreadDialogs(actor, group)
  const reading = useActorRef(readingMachine)
  const threads = useMemo(() => [{actor, view}], [actor, view])
  const field = useRef<HTMLInputElement>(null)
  const here = useRef<HTMLButtonElement>(null)
  // the same hit again leads there again
  const [hits, countHit] = useReducer((count: number) => count + 1, 0)
  const [requests, countRequest] = useReducer((count: number) => count + 1, 0)
  const isFinding = useSelector(reading, (snapshot) => snapshot.matches('finding'))
  const isOutlining = useSelector(reading, (snapshot) => snapshot.matches('outlining'))
  const questions = useSelector(
    actor,
    (snapshot) => selectMessages(snapshot).filter((message) => message.role === 'user' && stays(message)).length,
  )
  const find = useCallback(() => {
    reading.send({type: 'find.open'})
    countRequest()
  }, [reading])
  const outline = useCallback(() => {
    reading.send({type: 'outline.open'})
    countRequest()
  }, [reading])
  const followHit = useCallback(
    (query: string, row: number) => {
      const words = repeatedQuery(selectMessages(actor.getSnapshot()), query)
      if (words === undefined) return false
      reading.send({type: 'hit.follow', query: words, from: row})
      countHit()
      return true
    },
    [actor, reading],
  )
  // once the menu is closed, which gives the focus back to its button; a panel that is open is asked for again
  useLayoutEffect(() => {
    here.current?.focus()
    field.current?.focus()
    field.current?.select()
  }, [requests])
  useThreadKeys({
    onFind: find,
    onCopyLast: () => {
      const answer = lastAnswer(actor.getSnapshot())
      if (answer !== '') copying.copy(answer)
    },
    takesSearch: () => view.current?.isPartial() === true && document.activeElement !== field.current,
  })
  const panel = (
    <>
      <p role="status" className={outcome === undefined ? 'visually-hidden' : styles.copied}>
        {outcome && text(`common.${outcome}`)}
      </p>
      <ThreadMenu
        group={group}
        conversationKey={actor.getSnapshot().context.key}
        questions={questions}
        onFind={find}
        onOutline={outline}
        {...opening}
      />
      {dialogs}
      {isFinding && <FindBar key={hits} threads={threads} reading={reading} field={field} />}
      {isOutlining && <Outline actor={actor} reading={reading} view={view} current={here} />}
    </>
  )
  return {panel: {panel, isFinding, isOutlining}, followHit}
}
