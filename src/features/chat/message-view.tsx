import {memo, useContext} from 'react'
import type {MessageContent} from '#contract/chat.ts'
import {messageReferences, messageText} from '#domain/conversation.ts'
import {isImageUrl} from '#domain/image-extensions.ts'
import {Button} from '#ui/button.tsx'
import {CopyButton} from '#ui/copy-button.tsx'
import {IconButton} from '#ui/icon-button.tsx'
import {EditIcon, RetryIcon} from '#ui/icons.tsx'
import {useText} from '#ui/text.tsx'
import {AttachmentChip} from './attachment-chip.tsx'
import {ErrorCard, type AnswerProblem} from './error-card.tsx'
import {Markdown} from './markdown/markdown.tsx'
import {MediaPolicyContext} from './markdown/media-origins.ts'
import {Picture} from './markdown/picture.tsx'
import {safeLink} from './markdown/safe-link.ts'
import {MessageEditor} from './message-editor.tsx'
import styles from './message.module.css'

/** The last part of an address, readable. */
function fileName(url: URL): string {
  const last = url.pathname.slice(url.pathname.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

function References({content}: {content: MessageContent}) {
  const text = useText()
  const {pageOrigin} = useContext(MediaPolicyContext)
  const addresses = messageReferences(content)
  if (addresses.length === 0) return null
  return (
    <div className={styles.references}>
      {addresses.map((address, index) => {
        const url = safeLink(address, pageOrigin)
        const name = (url && fileName(url)) || text('chat.file')
        return isImageUrl(address) ? (
          <Picture key={index} source={address} description={name} />
        ) : (
          <AttachmentChip key={index} name={name} href={url?.href} />
        )
      })}
    </div>
  )
}

export type UserMessageProps = {
  content: MessageContent
  editing: boolean
  unusable: string | undefined
  onEdit: (() => void) | undefined
  onCancelEdit: () => void
  onSendEdit: (question: string) => void
}

/** What the person said: a bubble at the inline end, its attachments above. */
export const UserMessage = memo(function UserMessage({
  content,
  editing,
  unusable,
  onEdit,
  onCancelEdit,
  onSendEdit,
}: UserMessageProps) {
  const text = useText()
  const question = messageText(content)
  return (
    <article className={styles.user}>
      <h3 className="visually-hidden">{text('chat.you')}</h3>
      <References content={content} />
      {editing ? (
        <MessageEditor initial={question} unusable={unusable} onCancel={onCancelEdit} onSend={onSendEdit} />
      ) : (
        <>
          <div className={styles.bubble}>
            <div dir="auto">{question}</div>
          </div>
          <div className={styles.actions}>
            {onEdit !== undefined && (
              <IconButton size="sm" label={text('chat.edit')} icon={<EditIcon />} onClick={onEdit} />
            )}
            <CopyButton label={text('chat.copyMessage')} value={() => question} />
          </div>
        </>
      )}
    </article>
  )
})

export type AnswerPhase = 'pending' | 'writing' | 'reconnecting' | 'finished' | 'stopped' | 'failed'

export type AnswerMessageProps = {
  text: string
  phase: AnswerPhase
  /** Stopped here; the server may go on. */
  unconfirmed: boolean
  /** Whole but for its end: the model reached the longest answer it may give. */
  truncated: boolean
  problem: AnswerProblem | undefined
  /** Label of the model that wrote it. */
  model: string | undefined
  sandbox: boolean
  /** The last answer: its actions are always visible. */
  isLast: boolean
  addCreditsHref: string
  onRetry: (() => void) | undefined
  onRegenerate: (() => void) | undefined
  onContinue: (() => void) | undefined
  onEditQuestion: (() => void) | undefined
}

/** What the model said: bare text; below it how it ended and what can be done. */
export const AnswerMessage = memo(function AnswerMessage(props: AnswerMessageProps) {
  const {text: answer, phase, truncated, problem, model, sandbox, isLast, onRetry, onRegenerate, onContinue} = props
  const text = useText()
  const growing = phase === 'pending' || phase === 'writing' || phase === 'reconnecting'
  return (
    <article className={styles.answer} aria-busy={growing}>
      <h3 className="visually-hidden">{text('chat.assistant')}</h3>
      {answer !== '' && <Markdown text={answer} growing={growing} />}
      {growing && answer === '' && <span className={styles.pending} role="img" aria-label={text('chat.pending')} />}
      {phase === 'reconnecting' && <p className={styles.quiet}>{text('chat.reconnecting')}</p>}
      {(phase === 'stopped' || truncated) && (
        <p className={styles.quiet}>
          {text(truncated ? 'chat.truncated' : props.unconfirmed ? 'chat.stopUnconfirmed' : 'chat.stopped')}
          {onContinue !== undefined && answer !== '' && (
            <Button size="sm" variant="ghost" onClick={onContinue}>
              {text('chat.continue')}
            </Button>
          )}
          {onRetry !== undefined && (
            <Button size="sm" variant="ghost" onClick={onRetry}>
              {text('common.retry')}
            </Button>
          )}
        </p>
      )}
      {problem !== undefined && (
        <ErrorCard
          problem={problem}
          addCreditsHref={props.addCreditsHref}
          onRetry={onRetry}
          onEdit={props.onEditQuestion}
        />
      )}
      {!growing && answer !== '' && (
        <div className={styles.actions} data-shown={isLast || undefined}>
          <CopyButton label={text('chat.copyMessage')} value={() => answer} />
          {onRegenerate !== undefined && (
            <IconButton size="sm" label={text('chat.regenerate')} icon={<RetryIcon />} onClick={onRegenerate} />
          )}
          {sandbox && <span className={styles.sandbox}>{text('chat.sandbox')}</span>}
          {model !== undefined && !sandbox && (
            <bdi className={styles.model} dir="ltr">
              {model}
            </bdi>
          )}
        </div>
      )}
    </article>
  )
})
