import {useSelector} from '@xstate/react'
import {useEffect, useId, useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent} from 'react'
import type {ServedModel} from '#contract/management.ts'
import type {RecordMessage} from '#domain/conversation.ts'
import {versionNames, versionPosition} from '#domain/version-position.ts'
import type {MessageChangesActor} from '#machines/message-changes/message-changes.machine.ts'
import {
  selectBranchModel,
  selectFailure,
  selectIsUnheard,
  selectIsBranching,
  selectIsChanging,
  selectIsPaging,
  selectRemovalActor,
  selectRetry,
} from '#machines/message-changes/message-changes.selectors.ts'
import type {MessageChangesEvent} from '#machines/message-changes/message-changes.types.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {ChevronEndIcon} from '#ui/icons.tsx'
import {ChevronStartIcon} from '#ui/later-icons.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import {failureWords} from './failure-words.ts'
import styles from './message-versions.module.css'
import {modelLabel} from './model-label.ts'
import {useUndoKey} from './use-undo-key.ts'

type ChangedProps = {changes: MessageChangesActor; message: RecordMessage}
type VersionProps = ChangedProps & {unsentVersions: readonly RecordMessage[][] | undefined}
type PagerProps = VersionProps & {name: string | undefined; isSettled: boolean}

/** Pages through the versions of a message; the arrow keys do so too. Nothing where there is one. */
export function VersionPager({changes, message, name, unsentVersions, isSettled}: PagerProps) {
  const text = useText()
  const noteId = useId()
  const isChanging = useSelector(changes, selectIsChanging)
  const isPaging = useSelector(changes, (snapshot) => selectIsPaging(snapshot, versionNames(message, unsentVersions)))
  const position = versionPosition(message, unsentVersions, name)
  if (position === undefined) return null
  const {index, count, previous, next} = position
  const show = (version: string | undefined) => {
    if (version !== undefined && isSettled && !isChanging)
      changes.send({type: 'change.request', change: {action: 'select', message: version}})
  }
  const press = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    const isForward = (event.key === 'ArrowRight') === (getComputedStyle(event.currentTarget).direction === 'ltr')
    show(isForward ? next : previous)
    event.preventDefault()
  }
  return (
    <div
      className={styles.pager}
      role="group"
      data-versions
      aria-label={text('chat.versions')}
      {...(!isSettled && {'aria-describedby': noteId, title: text('chat.versionsWait')})}
      aria-busy={isChanging}
      onKeyDown={press}
    >
      <IconButton
        size="sm"
        label={text('chat.previousVersion')}
        icon={<ChevronStartIcon size={14} />}
        aria-disabled={previous === undefined || !isSettled || isChanging}
        onClick={() => show(previous)}
      />
      <span role="status" className={styles.position}>
        <bdi dir="ltr">{text('chat.versionPlace', {index: index + 1, count})}</bdi>
        {isPaging && <Spinner size={14} label={text('common.loading')} />}
      </span>
      <IconButton
        size="sm"
        label={text('chat.nextVersion')}
        icon={<ChevronEndIcon size={14} />}
        aria-disabled={next === undefined || !isSettled || isChanging}
        onClick={() => show(next)}
      />
      {!isSettled && (
        <span id={noteId} className="visually-hidden">
          {text('chat.versionsWait')}
        </span>
      )}
    </div>
  )
}

/** Below a question whose answers stand under another version, since its text was changed without asking again. */
export function VersionNote({message}: {message: RecordMessage}) {
  const text = useText()
  return versionPosition(message) === undefined ? null : <p className={styles.note}>{text('chat.versionAlone')}</p>
}

type DeletedMessageProps = {changes: MessageChangesActor; id: string}

/** Stands where a message was, while it can be taken back: its deletion alone knows when that ends. */
export function DeletedMessage({changes, id}: DeletedMessageProps) {
  const restore = () => changes.send({type: 'message.restore', message: id})
  const removal = useSelector(changes, (snapshot) => selectRemovalActor(snapshot, id))
  const isUndoable = useSelector(removal, (snapshot) => snapshot?.matches('undoable') === true)
  useUndoKey(isUndoable, restore)
  return isUndoable && removal !== undefined ? <UndoOffer removal={removal} onUndo={restore} /> : null
}

type UndoOfferProps = {removal: NonNullable<ReturnType<typeof selectRemovalActor>>; onUndo: () => void}

/** Its time does not run under the pointer or the focus; the focus goes on to the thread when it leaves. */
function UndoOffer({removal, onUndo}: UndoOfferProps) {
  const text = useText()
  const offer = useRef<HTMLParagraphElement>(null)
  const hold = () => removal.send({type: 'removal.hold'})
  useEffect(
    () => () => {
      if (removal.getSnapshot().status === 'active') removal.send({type: 'removal.release'})
    },
    [removal],
  )
  useLayoutEffect(() => {
    const thread = offer.current?.closest<HTMLElement>('[tabindex]')
    const button = offer.current?.querySelector('button')
    return () => {
      if (document.activeElement !== button) return
      requestAnimationFrame(() => {
        if (document.activeElement === document.body) thread?.focus({preventScroll: true})
      })
    }
  }, [])
  return (
    <p
      ref={offer}
      className={styles.deleted}
      role="status"
      // it appears where a pointer pressed, and its button gets the focus: neither holds it unless it is used
      onPointerMove={hold}
      onPointerLeave={({currentTarget}) => {
        if (currentTarget.querySelector(':focus-visible') === null) removal.send({type: 'removal.release'})
      }}
      onFocus={({target}) => {
        if (target.matches(':focus-visible')) hold()
      }}
      onBlur={({currentTarget}) => {
        if (!currentTarget.matches(':hover')) removal.send({type: 'removal.release'})
      }}
    >
      {text('chat.messageDeleted')}
      <Button size="sm" autoFocus onClick={onUndo}>
        {text('common.undo')}
      </Button>
    </p>
  )
}

type BranchStatusProps = ChangedProps & {
  served: readonly ServedModel[]
  /** The model of the conversation, and so of its branch. */
  model: string
  /** It stands there before there is something to say: below the message that is branched most. */
  isLast: boolean
}

/** Says that a branch up to the message is being made, or one in which its question goes to another group's model. */
export function BranchStatus({changes, message, served, model: own, isLast}: BranchStatusProps) {
  const text = useText()
  const model = useSelector(changes, (snapshot) => {
    const id = message.id ?? ''
    return selectIsBranching(snapshot, id) ? own : selectBranchModel(snapshot, id)
  })
  if (model === undefined) return isLast && <p role="status" className="visually-hidden" />
  return (
    <p role="status" className={styles.opening}>
      <Spinner size={14} />
      {text('chat.branchOpening', {model: modelLabel(model, served)})}
    </p>
  )
}

/** Why the last change of this message, or the choice of another version of it, did not happen. */
export function ChangeFailure({changes, message, unsentVersions}: VersionProps) {
  const {id = ''} = message
  const versions = versionNames(message, unsentVersions)
  const text = useText()
  const failure = useSelector(changes, (snapshot) =>
    [id, ...versions].map((each) => selectFailure(snapshot, each ?? '')).find((each) => each !== undefined),
  )
  const isUnheard = useSelector(changes, (snapshot) => selectIsUnheard(snapshot, id ?? ''))
  const change = useSelector(changes, (snapshot) =>
    [id, ...versions].map((each) => selectRetry(snapshot, each ?? '')).find((each) => each !== undefined),
  )
  /** The button goes with the failure: the focus to the thread. */
  const leaveFor = ({currentTarget}: MouseEvent<HTMLButtonElement>, event: MessageChangesEvent) => {
    currentTarget.closest<HTMLElement>('[tabindex]:not(button)')?.focus({preventScroll: true})
    changes.send(event)
  }
  if (failure === undefined) return null
  return (
    <p className={styles.failure} role="alert">
      {isUnheard ? (
        text('chat.branchLost')
      ) : (
        <span>
          {text('chat.changeFailed')} <bdi>{failureWords(text, failure)}</bdi>
        </span>
      )}
      {!isUnheard && change !== undefined && (
        <Button size="sm" onClick={(press) => leaveFor(press, {type: 'change.request', change})}>
          {text('common.retry')}
        </Button>
      )}
      <Button size="sm" variant="ghost" onClick={(press) => leaveFor(press, {type: 'failure.dismiss'})}>
        {text('common.dismiss')}
      </Button>
    </p>
  )
}
