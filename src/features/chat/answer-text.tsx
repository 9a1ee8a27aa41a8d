import {useSelector} from '@xstate/react'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectAnswerText} from '#machines/conversation/conversation.selectors.ts'
import {selectIsOnline} from '#machines/environment/environment.selectors.ts'
import {useText} from '#ui/text.tsx'
import {Markdown} from './markdown/markdown.tsx'
import styles from './message.module.css'

export type AnswerPhase = 'pending' | 'writing' | 'reconnecting' | 'finished' | 'stopping' | 'stopped' | 'failed'

/** Deltas may still come. */
export const isGrowing = (phase: AnswerPhase) => phase === 'pending' || phase === 'writing' || phase === 'reconnecting'

type AnswerTextProps = {
  /** The conversation, whose running answer is shown while it grows. */
  actor: ConversationActor
  phase: AnswerPhase
  /** The text where it does not grow. */
  text: string
  id: string | undefined
  thoughtMs: number | undefined
  /** The text was cut off. */
  cut: boolean
}

/** The text of an answer. While it grows, deltas render this alone and not its message. */
export function AnswerText({actor, phase, text: whole, ...rest}: AnswerTextProps) {
  const growing = isGrowing(phase)
  const answer = useSelector(growing ? actor : undefined, (snapshot) => snapshot && selectAnswerText(snapshot))
  const shownText = growing ? (answer ?? '') : whole
  if (shownText !== '') return <Markdown {...rest} text={shownText} growing={growing} />
  return growing ? <NoTextYet actor={actor} isUnsent={phase === 'pending' && rest.id === undefined} /> : null
}

/** A dot; without a network it is said what becomes of a question that the server did not accept yet. */
function NoTextYet({actor, isUnsent}: {actor: ConversationActor; isUnsent: boolean}) {
  const text = useText()
  const {environment} = actor.getSnapshot().context
  const isOnline = useSelector(environment, selectIsOnline)
  return isUnsent && !isOnline ? (
    <p className={styles.quiet}>{text('chat.sentOnline')}</p>
  ) : (
    <span className={styles.pending} role="img" aria-label={text('chat.pending')} />
  )
}
