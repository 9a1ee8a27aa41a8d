import {useState, useSyncExternalStore} from 'react'
import {formatSeconds} from '#domain/duration-text.ts'
import {isRunning} from '#machines/compare/compare.machine.ts'
import type {Column, ColumnPhase} from '#machines/compare/compare.types.ts'
import {useLanguage} from '#ui/language.tsx'
import {useText, type MessageId} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import styles from './compare.module.css'

const phaseWords: Record<ColumnPhase, MessageId> = {
  opening: 'common.loading',
  unread: 'compare.unread',
  waiting: 'chat.pending',
  writing: 'chat.answering',
  reconnecting: 'compare.reconnecting',
  unsent: 'compare.unsent',
  stopping: 'chat.stopping',
  finished: 'chat.answerReady',
  stopped: 'compare.stopped',
  unconfirmed: 'compare.stoppedHere',
  interrupted: 'compare.interrupted',
  refused: 'compare.failed',
  unpaid: 'compare.unpaid',
  gone: 'compare.gone',
}

/** As a sentence of its own, where there is room for one: the words under an answer. */
const spokenWords: Record<ColumnPhase, MessageId> = {...phaseWords, unconfirmed: 'chat.stopUnconfirmed'}

const everySecond = (listener: () => void) => {
  const timer = setInterval(listener, 1_000)
  return () => clearInterval(timer)
}

function Elapsed({from}: {from: number}) {
  const {locale} = useLanguage()
  const now = useSyncExternalStore(everySecond, useChat().now)
  return formatSeconds(Math.max(0, now - Math.floor(from / 1_000)), locale)
}

/** State of a column in words, with the time of its answer. */
export function ColumnState({column}: {column: Column}) {
  const text = useText()
  const {locale} = useLanguage()
  const {phase, from, took} = column
  return (
    <span className={styles.state} data-phase={phase}>
      {text(phaseWords[phase])}
      {isRunning(column) && from !== undefined && (
        <span aria-hidden="true" className={styles.time}>
          <Elapsed from={from} />
        </span>
      )}
      {!isRunning(column) && took !== undefined && (
        <span className={styles.time}>{formatSeconds(took / 1_000, locale, 1)}</span>
      )}
    </span>
  )
}

/** Says politely, once each, that an answer began and how it ended. Nothing of what was there before. */
export function Announcement({column: {phase}, label}: {column: Column; label: string}) {
  const text = useText()
  const [wasRunning, setWasRunning] = useState(false)
  const isNow = isRunning({phase})
  if (isNow && !wasRunning) setWasRunning(true)
  const words =
    phase === 'writing'
      ? text('compare.said', {model: label, state: text('chat.answerStarted')})
      : wasRunning && !isNow
        ? text('compare.said', {model: label, state: text(spokenWords[phase])})
        : ''
  return (
    <p role="status" className="visually-hidden">
      {words}
    </p>
  )
}
