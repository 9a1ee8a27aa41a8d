import {useSelector} from '@xstate/react'
import {useEffect, useRef, useState, type HTMLAttributes, type KeyboardEvent, type ReactNode} from 'react'
import type {Ask} from '#domain/conversation.ts'
import type {EnvironmentActor} from '#machines/environment/environment.machine.ts'
import {selectItems, type FollowUpsActor} from '#machines/follow-ups/follow-ups.machine.ts'
import {selectEditing, selectIsHeld} from '#machines/follow-ups/follow-ups.selectors.ts'
import type {RemovedQuestionsActor} from '#machines/removed-questions/removed-questions.machine.ts'
import {Button} from '#ui/button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {shownKeys} from '#ui/kbd.tsx'
import {ArrowDownIcon, DeleteIcon, EditIcon, SendNowIcon} from '#ui/later-icons.tsx'
import {GripIcon} from '#ui/message-icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {AttachmentChip} from './attachment-chip.tsx'
import styles from './follow-up-list.module.css'
import {focusMessageField} from './focus-message-field.ts'
import {FollowUpEditor, nameOfFile} from './follow-up-editor.tsx'
import {sizeNote} from './message-view.tsx'
import {useQuestionDrag} from './use-question-drag.ts'
import {useRemovals} from './use-removals.ts'
import {useThreadWords} from './use-thread-words.ts'
import {useUndoKey} from './use-undo-key.ts'

type FollowUpListProps = {
  /** Key of their conversation. */
  conversation: string
  followUps: FollowUpsActor
  environment: EnvironmentActor
  /** Takes what was typed into a question that another tab sent or removed meanwhile. */
  onLost: (typed: string) => void
}

/** The questions that wait for their turn, above the message field: why they wait, and what can be done with each. */
export function FollowUpList({conversation, followUps, environment, onLost}: FollowUpListProps) {
  useThreadWords()
  const text = useText()
  const items = useSelector(followUps, selectItems)
  const editing = useSelector(followUps, selectEditing)
  const isHeld = useSelector(followUps, selectIsHeld)
  const {removals, removed, open} = useRemovals(conversation, followUps)
  const [moveReport, setMoveReport] = useState('')
  const list = useRef<HTMLElement>(null)
  const rows = useRef<HTMLOListElement>(null)
  const goOnAt = (at: number) => void requestAnimationFrame(() => focusRowAt(list.current, at))
  const restore = () => {
    const [last] = removed
    if (last === undefined) return
    followUps.send({type: 'followUp.add', ...last})
    removals?.send({type: 'question.restore'})
    goOnAt(last.at)
  }
  useUndoKey(removed.length > 0, restore)
  const move = (key: string, to: number) => {
    if (to < 0 || to >= items.length) return
    followUps.send({type: 'followUp.move', key, to})
    setMoveReport(text('chat.followUpMoved', {position: to + 1, count: items.length}))
  }
  const drag = useQuestionDrag(rows, followUps, move)
  if (items.length === 0 && removed.length === 0) return null

  const remove = (ask: Ask, at: number) => {
    followUps.send({type: 'followUp.remove', key: ask.key})
    open()?.send({type: 'question.remove', ask, at})
    goOnAt(at)
  }
  const sendNow = (key: string) => {
    focusMessageField()
    followUps.send({type: 'followUp.sendNow', key})
  }
  const note = editing !== undefined ? 'chat.followUpsEditing' : isHeld ? 'chat.followUpsHeld' : 'chat.followUpsWait'
  return (
    <section ref={list} className={styles.list} aria-label={text('chat.followUps')}>
      {items.length > 0 && (
        <header className={styles.head}>
          <h2 className={styles.title}>{text('chat.followUps')}</h2>
          <p className={styles.note} role="status">
            {text(note)}
          </p>
          {isHeld && (
            <Button
              size="sm"
              onClick={() => {
                focusMessageField()
                followUps.send({type: 'followUps.sendOn'})
              }}
            >
              {text('chat.followUpsGoOn')}
            </Button>
          )}
        </header>
      )}
      <ol ref={rows} className={styles.items} data-dragging={drag.isLifted || undefined}>
        {items.map((ask, index) => (
          <li key={ask.key} {...drag.rowOf(index)}>
            {editing === ask.key ? (
              <FollowUpEditor ask={ask} followUps={followUps} environment={environment} onLost={onLost} />
            ) : (
              <FollowUp
                ask={ask}
                grip={items.length > 1 && <Grip {...drag.gripOf(ask.key, index)} />}
                isFirst={index === 0}
                isLast={index === items.length - 1}
                onMove={(by) => move(ask.key, index + by)}
                onEdit={() => followUps.send({type: 'followUp.edit', key: ask.key})}
                onRemove={() => remove(ask, index)}
                onSendNow={isHeld ? () => sendNow(ask.key) : undefined}
              />
            )}
          </li>
        ))}
      </ol>
      {removals !== undefined && removed.length > 0 && (
        <RemovedOffer removals={removals} onRestore={restore} onDismissed={() => goOnAt(items.length)} />
      )}
      <p className="visually-hidden" role="status">
        {moveReport}
      </p>
    </section>
  )
}

type RemovedOfferProps = {removals: RemovedQuestionsActor; onRestore: () => void; onDismissed: () => void}

/** The offer to take the last removed question back. */
function RemovedOffer({removals, onRestore, onDismissed}: RemovedOfferProps) {
  const text = useText()
  useEffect(
    () => () => {
      if (removals.getSnapshot().status === 'active') removals.send({type: 'list.left'})
    },
    [removals],
  )
  return (
    <p
      className={styles.removed}
      role="status"
      // it appears under the pointer and gets the focus of the removed row: only a move or a key holds it
      onPointerMove={() => removals.send({type: 'pointer.entered'})}
      onPointerLeave={() => removals.send({type: 'pointer.left'})}
      onFocus={({target}) => {
        if (target.matches(':focus-visible')) removals.send({type: 'focus.entered'})
      }}
      onBlur={() => removals.send({type: 'focus.left'})}
    >
      {text('chat.followUpRemoved')}
      <Button size="sm" onClick={onRestore} data-undo>
        {text('common.undo')}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        onClick={() => {
          removals.send({type: 'offer.dismiss'})
          onDismissed()
        }}
      >
        {text('common.dismiss')}
      </Button>
    </p>
  )
}

const Grip = (handlers: HTMLAttributes<HTMLElement>) => (
  <span {...handlers} className={styles.grip} aria-hidden="true" data-grip>
    <GripIcon size={14} />
  </span>
)

type FollowUpProps = {
  ask: Ask
  /** The row is dragged by it: for pointers alone, as the buttons move it too. */
  grip: ReactNode
  isFirst: boolean
  isLast: boolean
  onMove: (by: -1 | 1) => void
  onEdit: () => void
  onRemove: () => void
  onSendNow: (() => void) | undefined
}

/** The moved row keeps the focus: the browser drops it where React moves the row itself. */
function keepFocus(button: HTMLElement) {
  requestAnimationFrame(() => {
    const other = button.closest('[role=group]')?.querySelector<HTMLElement>('[data-move]:not(:disabled)')
    if (button.matches(':disabled')) other?.focus()
    else button.focus()
  })
}

/**
 * The focus of what is gone goes to the row that replaces it, else to what takes a removal back, without a list to the
 * message field.
 */
function focusRowAt(list: HTMLElement | null, at: number) {
  if (document.activeElement !== document.body) return
  if (list === null) return focusMessageField()
  const rows = list.querySelectorAll<HTMLElement>('[data-remove]')
  const target = rows[Math.min(at, rows.length - 1)] ?? list.querySelector<HTMLElement>('[data-undo]')
  target?.focus()
}

function FollowUp({ask, grip, isFirst, isLast, onMove, onEdit, onRemove, onSendNow}: FollowUpProps) {
  const text = useText()
  const {locale} = useLanguage()
  const moveBy = (by: -1 | 1, button: HTMLElement) => {
    onMove(by)
    keepFocus(button)
  }
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : undefined
    if (by === undefined || !event.altKey || !(event.target instanceof HTMLElement)) return
    event.preventDefault()
    moveBy(by, event.target)
  }
  return (
    <div className={styles.item} onKeyDown={press} role="group" aria-label={ask.question}>
      {grip}
      <div className={styles.question}>
        <span dir="auto">{ask.question}</span>
        {ask.references.length > 0 && (
          <span className={styles.files}>
            {ask.references.map((url) => (
              <AttachmentChip key={url} name={nameOfFile(url, text)} note={sizeNote(ask.sizes?.[url], locale)} />
            ))}
          </span>
        )}
      </div>
      <div className={styles.actions}>
        {onSendNow !== undefined && (
          <IconButton
            size="sm"
            label={text('chat.followUpSendNow')}
            icon={<SendNowIcon size={14} />}
            onClick={onSendNow}
          />
        )}
        <IconButton
          size="sm"
          data-move
          className={styles.up}
          label={text('chat.followUpUp')}
          keys={shownKeys('Alt+↑')}
          icon={<ArrowDownIcon size={14} />}
          disabled={isFirst}
          onClick={(event) => moveBy(-1, event.currentTarget)}
        />
        <IconButton
          size="sm"
          data-move
          label={text('chat.followUpDown')}
          keys={shownKeys('Alt+↓')}
          icon={<ArrowDownIcon size={14} />}
          disabled={isLast}
          onClick={(event) => moveBy(1, event.currentTarget)}
        />
        <IconButton size="sm" label={text('chat.edit')} icon={<EditIcon size={14} />} onClick={onEdit} data-edit />
        <IconButton
          size="sm"
          label={text('chat.followUpRemove')}
          icon={<DeleteIcon size={14} />}
          onClick={onRemove}
          data-remove
        />
      </div>
    </div>
  )
}
